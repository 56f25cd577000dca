import { describe, expect, it } from "vitest";
import { DENY } from "./http-server.ts";
import { scratch } from "./scratch.ts";

describe("json hooks", () => {
  const rows: [entry: object, decision: object, exitCode: number][] = [
    [{ json: JSON.parse(DENY) as object }, { kind: "deny", reason: "no", hook: "fixed" }, 0],
    [{ json: {} }, { kind: "none" }, 0],
    [
      { json: {}, exitcode: 2 },
      { kind: "deny", reason: "blocked by hook fixed: no reason given", hook: "fixed" },
      2,
    ],
    [{ json: { systemMessage: "hm" }, exitcode: 3 }, { kind: "none" }, 3],
  ];
  it.each(rows)("%j", async (entry, decision, exitCode) => {
    const hooks = await scratch().engineFor("PreToolUse", [{ type: "json", name: "fixed", ...entry }]);
    const outcome = await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect(outcome.decision).toEqual(decision);
    expect(outcome.runs[0]).toMatchObject({ exitCode, timedOut: false, truncated: false, stderr: "" });
  });
});
