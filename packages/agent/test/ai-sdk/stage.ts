import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@belay/engine";
import { type ModelMessage, tool } from "ai";
import { afterEach } from "vitest";
import { z } from "zod";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export type Hooks = Readonly<Record<string, object>>;

/** An engine in a project of its own, and a tool that writes there. */
export async function stage(hooks: Hooks, dialect = "wave") {
  const root = mkdtempSync(join(tmpdir(), "belay-ai-sdk-"));
  cleanups.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [join(home, ".belay"), project]) mkdirSync(folder, { recursive: true });
  const entries = Object.entries(hooks).map(([event, hook]) => [event, [{ hooks: [hook] }]]);
  writeFileSync(
    join(home, ".belay", "settings.json"),
    JSON.stringify({ dialect, hooks: Object.fromEntries(entries) }),
  );
  const engine = await createEngine({ cwd: project, home });
  cleanups.push(() => engine.close());
  const tools = {
    Write: tool({
      description: "Writes a file",
      inputSchema: z.object({ path: z.string(), content: z.string().default("nothing") }),
      execute: async ({ path, content }) => {
        writeFileSync(join(project, path), content);
        return { wrote: path };
      },
    }),
  };
  const files = () =>
    Object.fromEntries(readdirSync(project).map((name) => [name, readFileSync(join(project, name), "utf8")]));
  return { engine, tools, files };
}

/** What the model was sent, without its own words. */
export function sent(messages: readonly ModelMessage[]): unknown[] {
  return messages.flatMap<unknown>(({ role, content }) => {
    if (role === "assistant") return [];
    if (typeof content === "string") return [content];
    return content.map((part) => ("output" in part ? part.output : part));
  });
}

export const json = (answer: object) => ({ name: "hook", type: "json", json: answer });
export const command = (text: string) => ({ name: "hook", type: "command", command: text });
export const before = (fields: object) =>
  json({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
export const ASK = before({ permissionDecision: "ask", permissionDecisionReason: "Sure?" });
export const WRITE = { tool: "Write", input: { path: "a.txt", content: "a" } };
export const WROTE = { type: "json", value: { wrote: "a.txt" } };
export const failed = (value: string) => ({ type: "error-text", value });
