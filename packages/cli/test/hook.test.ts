import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emulate, HARNESSES, type Harness } from "@belay/harness";
import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";
import { ROOT } from "./docs/pages.ts";
import { records, threeWays } from "./relay-ways.ts";

/** What an agent sent to a hook before it called a tool, as it was recorded. */
function sentBy({ name, events }: Harness): { native: string; payload: Record<string, unknown> } {
  const file = join(ROOT, "fixtures/agents/payloads", `${name}.jsonl`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> });
  const row = rows.find(({ event }) => events[event]?.event === "PreToolUse");
  if (!row) throw new Error(`${name} has no payload of a call`);
  return { native: row.event, payload: row.payload };
}

/** No payload of Cursor's was recorded: it is not on npm. */
const relayed = HARNESSES.filter(({ name, reads }) => reads && name !== "cursor");

const guard = (more: object = {}) => ({
  PreToolUse: [{ hooks: [{ name: "guard", type: "command", command: "echo no >&2; exit 2", ...more }] }],
});

describe("belay hook: the project's hooks in another agent", () => {
  for (const harness of relayed)
    it(`denies a call of ${harness.title} in its own words`, async () => {
      const made = scratch();
      const { belay, config } = made;
      config(guard(), ".belay/settings.json");
      await belay(["trust", "--yes"]);
      const { native, payload } = sentBy(harness);
      const input = JSON.stringify(payload);
      const ways = await threeWays(made, [harness.name, native], { input });
      const { code, stdout, stderr } = ways.direct;
      expect(ways).toEqual({ direct: ways.direct, oneShot: ways.direct, resident: ways.direct });
      const times = { executionTime: 1, timedOut: false, truncated: false };
      const run = { ...(code !== null && { exitCode: code }), stdout, stderr, ...times };
      const hooks = [{ hook: "belay", type: "command" as const, run }];
      expect(emulate(harness, { event: "PreToolUse", native, hooks })).toMatchObject({ step: "refused" });
      const written = await records(made);
      expect(written).toHaveLength(3);
      for (const record of written)
        expect(record).toMatchObject({
          relayed: { agent: harness.name },
          payload: { native: { event: native } },
          outcome: { decision: { kind: "deny", reason: "no" } },
        });
    });

  const CALL = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const failures: [what: string, guarded: boolean, args: string[], input: string, refuses: boolean][] = [
    ["no JSON", true, ["codex"], "oops", true],
    ["no JSON, and no guard", false, ["codex"], "oops", false],
    ["no JSON, of a named event", true, ["codex", "PreToolUse"], "oops", true],
    ["no JSON, of an event without a guard", true, ["codex", "Stop"], "oops", false],
    ["an event that is not known", true, ["codex"], '{"hook_event_name":"Later"}', false],
    ["an agent that is not known", false, ["codx"], JSON.stringify(CALL), true],
    ["no agent", false, [], JSON.stringify(CALL), true],
    ["an option that is not known", false, ["codex", "--what"], JSON.stringify(CALL), true],
    ["a guard that nobody has trusted", true, ["codex"], JSON.stringify(CALL), true],
    ["a hook that nobody has trusted", false, ["codex"], JSON.stringify(CALL), false],
  ];
  for (const [what, guarded, args, input, refuses] of failures)
    it(`${refuses ? "refuses" : "lets pass"}: ${what}`, async () => {
      const made = scratch();
      made.config(guard(guarded ? { onFailure: "block" } : {}), ".belay/settings.json");
      const ways = await threeWays(made, args, { input });
      expect(ways).toEqual({ direct: ways.direct, oneShot: ways.direct, resident: ways.direct });
      const { code, stdout, stderr } = ways.direct;
      const isDeny = code === 2 ? stderr !== "" : stdout.includes('"permissionDecision":"deny"');
      expect({ code, stdout, stderr, isDeny }).toMatchObject({ isDeny: refuses });
      if (!refuses) expect(code).toBe(0);
    });

  it("keeps what the agent could not be told in the record", async () => {
    const { belay, config } = scratch();
    const ask = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };
    config({ PreToolUse: [{ hooks: [{ type: "json", json: ask }] }] }, ".belay/settings.json");
    await belay(["trust", "--yes"]);
    const { stdout } = await belay(["hook", "codex"], { input: JSON.stringify(CALL) });
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const record = JSON.parse((await belay(["tail", "--json"])).stdout);
    expect(record.relayed).toMatchObject({ agent: "codex", losses: [{ what: "ask", became: "deny" }] });
    expect(record.outcome.decision.kind).toBe("ask");
  });
});
