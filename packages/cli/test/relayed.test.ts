import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";

const call = (tool_name: string, more: object = {}) =>
  JSON.stringify({ hook_event_name: "PreToolUse", session_id: "s", tool_name, tool_input: {}, ...more });
const answer = (json: object) => [{ hooks: [{ name: "guard", type: "json", json }] }];
const DENY = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };

describe("what other agents were told", () => {
  async function relayed() {
    const room = scratch();
    room.config(
      {
        PreToolUse: answer(DENY),
        SessionEnd: answer({ systemMessage: "bye" }),
        PreCompact: answer({ continue: false, stopReason: "no" }),
      },
      ".belay/settings.json",
    );
    await room.belay(["trust", "--yes"]);
    const relay = (agent: string, input: string, env = {}) => room.belay(["hook", agent], { input, env });
    await relay("codex", JSON.stringify({ hook_event_name: "PreCompact", session_id: "s", trigger: "auto" }));
    await relay("codex", JSON.stringify({ hook_event_name: "SessionEnd", session_id: "s", reason: "other" }));
    await relay("claude-code", call("Bash"), { AI_AGENT: "claude-code_2-1-325_harness" });
    return room;
  }

  it("stands in tail, stats, why and in the record, what became looser clearly", async () => {
    const { belay } = await relayed();
    const { stdout } = await belay(["tail"]);
    expect(stdout).toMatch(/codex PreCompact .*stop \(! stop lost\)/);
    expect(stdout).toMatch(/codex SessionEnd .*\(message not told\)/);
    expect(stdout).toMatch(/claude-code PreToolUse .*deny +guard/);
    const records = (await belay(["tail", "--json"])).stdout.trim().split("\n");
    expect(records.map((line) => JSON.parse(line).relayed)).toEqual([
      { agent: "codex", losses: [{ what: "stop", became: "nothing", looser: true }] },
      { agent: "codex", losses: [{ what: "message", became: "elsewhere" }] },
      { agent: "claude-code", version: "2.1.325", losses: [] },
    ]);
    const { agents } = JSON.parse((await belay(["stats", "--json"])).stdout);
    expect(agents).toEqual([
      { agent: "codex", events: 2, told: { "! stop lost": 1, "message not told": 1 } },
      { agent: "claude-code", events: 1, told: {} },
    ]);
    expect((await belay(["stats"])).stdout).toContain(
      "codex asked of 2 events: ! stop lost 1, message not told 1\nclaude-code asked of 1 event, and was told all",
    );
    const why = await belay(["why", "PreToolUse", "--tool", "Bash", "--as", "codex"]);
    expect(why.stdout).toContain("through belay hook ask, output, stop become a deny");
  });
});
