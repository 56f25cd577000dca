import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fired } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { serve } from "./server.ts";

/** Finds the file that the edited config is for a moment, as a hook might. */
const FILE = '"$TMPDIR"/belay-inspect-*/settings.json';
const HOOKS = [
  { type: "command", name: "refuses", command: `ls ${FILE} >&2; exit 2` },
  {
    type: "command",
    name: "rewrites",
    command: `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"rm %s"}}}' ${FILE}`,
  },
  { type: "module", name: "gone", module: "./nowhere.mjs" },
  { type: "command", name: "typo", command: "true", nmae: "typo" },
];

describe("an edited config", () => {
  it("has its name in what belay says; what hooks say stays as they said it", async () => {
    const room = scratch();
    const TMPDIR = join(room.home, "tmp");
    mkdirSync(TMPDIR);
    const served = await serve(room, [], { TMPDIR });
    const headers = {
      ...(await served.signIn()),
      Origin: `http://127.0.0.1:${served.port}`,
      "Content-Type": "application/json",
    };
    const payload = { tool_name: "Bash", tool_input: { command: "ls" } };
    const config = JSON.stringify({ hooks: { PreToolUse: [{ hooks: HOOKS }] } });
    const body = JSON.stringify({ event: "PreToolUse", payload, config });
    const { json } = await served.ask("/api/fire", { method: "POST", headers, body });
    const { record, outcome, matches, share } = json as Fired;

    const path = expect.stringMatching(/^[^\n]*\/belay-inspect-\w+\/settings\.json$/);
    const [refuses, rewrites, gone] = record.hooks.map(({ run }) => run);
    expect(refuses?.stderr.trim()).toEqual(path);
    expect(rewrites?.stdout).toContain("/belay-inspect-");
    for (const { decision, messages } of [outcome, record.outcome]) {
      expect(decision).toMatchObject({ kind: "deny", reason: path, hook: "refuses" });
      expect(messages.filter(({ hook }) => hook === "refuses")[0]?.block.content).toEqual(path);
    }
    expect(share.testCase).toContain("/belay-inspect-");

    const SOURCE = "the edited config:1";
    expect(record.hooks.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
    expect(outcome.runs.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
    expect(matches.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
    expect(gone?.failure?.detail).toMatch(/^there is no \.\/nowhere\.mjs and no /);
    const belaySays = [outcome.diagnostics, record.outcome.diagnostics, record.extra];
    const toldOf = outcome.messages.filter(({ hook }) => hook !== "refuses");
    expect(JSON.stringify([belaySays, toldOf])).not.toContain("belay-inspect-");
    expect(JSON.stringify(toldOf)).toContain("the edited config:1: unknown field");
  });
});
