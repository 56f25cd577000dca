import { cpSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Scratch, scratch } from "./cli.ts";

/** Logs of real agents, as `npm run agents -- --logs` makes them. */
export const LOGS = fileURLToPath(new URL("../../../fixtures/logs/", import.meta.url));

const WRITTEN = Date.UTC(2026, 10, 19) / 1000;
/** A checkout has any times: the fork was written after what it is a fork of. */
const IN_ORDER = ["85c6a119", "210c814d", "807662be", "a42a94b0"];

type WithFolder = Scratch & { readonly folder: string };

/** A home for logs of Claude Code, and the folder in which they belong. */
export function withoutLogs(): WithFolder {
  const room = scratch();
  const folder = join(room.home, ".claude", "projects");
  mkdirSync(folder, { recursive: true });
  return { ...room, folder };
}

/** A home in which Claude Code has left the logs of sessions in which calls were refused by hooks, by a rule, and by nobody. */
export function withLogs(): WithFolder {
  const room = withoutLogs();
  cpSync(join(LOGS, "claude-code-outcomes", ".claude", "projects"), room.folder, { recursive: true });
  const sessions = join(room.folder, "-home-you-project");
  for (const name of readdirSync(sessions, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".jsonl"))
      utimesSync(join(sessions, name), WRITTEN, WRITTEN + IN_ORDER.indexOf(name.slice(0, 8)));
  return room;
}

/** A line in which Claude Code calls a tool. `more`: when and where. */
export function callLine(id: string, tool: string, input: object, more: object = {}): object {
  return {
    parentUuid: null,
    isSidechain: false,
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id, name: tool, input }] },
    cwd: "/home/you/project",
    version: "2.1.325",
    ...more,
  };
}
