import type { EventName, Run } from "@belay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emulate, HARNESSES, type HookRun, harnessNamed, nativeName } from "../src/index.ts";

const CALL = { tool: "Bash", input: { command: "rm -rf build", timeout: 5 } } as const;

function hook(run: Partial<Run>, rest: Partial<HookRun> = {}): HookRun {
  const base: Run = {
    exitCode: 0,
    stdout: "",
    stderr: "",
    executionTime: 1,
    timedOut: false,
    truncated: false,
  };
  return { hook: "guard", type: "command", ...rest, run: { ...base, ...run } };
}

function inside(fields: object, event = "PreToolUse"): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } });
}

function at(agent: string, hooks: readonly HookRun[], event: EventName = "PreToolUse") {
  const harness = harnessNamed(agent);
  if (!harness) throw new Error(`no harness ${agent}`);
  return emulate(harness, { event, ...CALL, hooks });
}

const DENY = inside({ permissionDecision: "deny", permissionDecisionReason: "no" });

describe("what is lost is said, with a way to mend it", () => {
  const rows: [name: string, agent: string, run: Partial<Run>, lost: object[]][] = [
    ["a deny that holds", "claude-code", { stdout: DENY }, []],
    [
      "a deny without a reason",
      "codex",
      { stdout: inside({ permissionDecision: "deny" }) },
      [
        {
          code: "agent-loses-restriction",
          what: "deny",
          why: "a deny without a reason is ignored there",
          fix: "add permissionDecisionReason",
        },
      ],
    ],
    [
      "a line of log before the answer",
      "claude-code",
      { stdout: `checking …\n${DENY}` },
      [
        {
          code: "agent-loses-restriction",
          what: "deny",
          why: "text around the JSON makes all of it plain text there",
          fix: "print nothing but one JSON object to stdout, and log to stderr",
        },
      ],
    ],
    [
      "a silent exit 2",
      "gemini",
      { exitCode: 2 },
      [
        {
          code: "agent-loses-restriction",
          what: "deny",
          why: "exit 2 without words on stderr is no refusal there",
          fix: "write the reason to stderr",
        },
      ],
    ],
    [
      "continue: false before a call",
      "claude-code",
      { stdout: '{"continue":false,"stopReason":"enough"}' },
      [
        {
          code: "agent-loses-restriction",
          what: "stop",
          why: "the turn ends, but this step still happens",
          fix: "exit with 2 and write the reason to stderr",
        },
      ],
    ],
    [
      "a rewrite without an allow",
      "codex",
      { stdout: inside({ updatedInput: { command: "ls" } }) },
      [
        {
          code: "agent-loses-answer",
          what: "rewrite",
          why: "a rewrite counts together with an allow alone there, and else voids the whole answer",
          fix: "add an allow",
        },
      ],
    ],
    [
      "an ask",
      "kimi",
      { stdout: inside({ permissionDecision: "ask", permissionDecisionReason: "sure?" }) },
      [
        {
          code: "agent-loses-restriction",
          what: "ask",
          why: "it is not read at this event there",
          fix: "deny with a reason, if the step must not happen unasked",
        },
      ],
    ],
    [
      "hooks that are programs, where hooks are functions",
      "opencode",
      { exitCode: 2, stderr: "no" },
      [
        {
          code: "agent-loses-restriction",
          what: "deny",
          why: "hooks are functions in OpenCode, not programs",
          fix: "write a plugin for it",
        },
      ],
    ],
  ];
  for (const [name, agent, run, lost] of rows)
    it(`${name}, in ${agent}`, () => {
      expect(at(agent, [hook(run)]).lost).toEqual(lost);
    });

  it("another hook's allow that undoes a deny", () => {
    const allow = hook({ stdout: inside({ permissionDecision: "allow" }) });
    expect(at("qwen", [hook({ stdout: DENY }), allow])).toMatchObject({
      step: "runs",
      lost: [{ what: "deny", why: "another hook's allow goes before it there" }],
    });
  });

  it("a guard that failed where nothing closes the door", () => {
    const failed = hook(
      { timedOut: true, failure: { kind: "timeout", detail: "1 s" } },
      { failClosed: "onFailure" },
    );
    expect(at("claude-code", [failed])).toMatchObject({ step: "refused", lost: [] });
    expect(at("cursor", [failed])).toMatchObject({ step: "runs", lost: [{ what: "deny" }] });
  });
});

it("a new input that lacks what the tool needs is refused, one that is laid over the old one is not", () => {
  const partial = hook({ stdout: inside({ permissionDecision: "allow", updatedInput: { timeout: 1 } }) });
  expect(at("claude-code", [partial]).step).toBe("refused");
  expect(at("droid", [partial])).toMatchObject({
    step: "runs",
    input: { command: "rm -rf build", timeout: 1 },
  });
});

it("an event that an agent does not have runs no hook there", () => {
  const harness = harnessNamed("kimi");
  expect(harness && nativeName(harness, "PreCompact")).toBeUndefined();
  expect(at("kimi", [hook({ exitCode: 2, stderr: "no" })], "PreCompact").lost).toEqual([
    {
      code: "agent-loses-restriction",
      what: "deny",
      why: "Kimi Code has no event like PreCompact",
      fix: "hang the hook on an event that it has",
    },
  ]);
});

it("no output makes the emulation throw, and no lost deny goes unsaid", () => {
  const words = ["deny", "allow", "ask", "block", "", 7, null, true];
  const value = fc.oneof(fc.constantFrom(...words), fc.string(), fc.object({ maxDepth: 1 }));
  const answer = fc.record(
    {
      decision: value,
      permission: value,
      reason: value,
      cancel: value,
      continue: value,
      hookSpecificOutput: fc.oneof(
        value,
        fc.record(
          { hookEventName: value, permissionDecision: value, updatedInput: value },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const stdout = fc.oneof(
    fc.string(),
    answer.map((object) => JSON.stringify(object)),
  );
  const event = fc.constantFrom<EventName>("PreToolUse", "UserPromptSubmit", "Stop", "PostToolUse");
  fc.assert(
    fc.property(stdout, fc.constantFrom(0, 1, 2), event, (out, exitCode, name) => {
      for (const harness of HARNESSES) {
        const said = emulate(harness, {
          event: name,
          ...CALL,
          hooks: [hook({ stdout: out, exitCode, stderr: "why" })],
        });
        const wasMeant = exitCode === 2;
        if (wasMeant && said.step === "runs" && name !== "PostToolUse")
          expect(said.lost.map(({ what }) => what)).toContain("deny");
      }
    }),
    { numRuns: 500 },
  );
});
