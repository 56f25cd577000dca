import { describe, expect, it } from "vitest";
import { type EventName, readConfig, replay } from "../src/index.ts";
import { hooksOf } from "../src/internal.ts";

/*
 * `claude-code` where it is simulated: Claude Code 2.1.325 to the letter, with what it loses. The measured rows of outputs are in
 * harness/test/measured.test.ts; here is what no such row says.
 */

const DENY =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}';
const ALLOW = DENY.replace("deny", "allow");

interface Output {
  readonly event?: EventName;
  readonly stdout?: string;
  readonly exit?: number;
  readonly guard?: true;
  readonly status?: number;
}

function outcomeOf(
  { event = "PreToolUse", stdout = "", exit = 0, guard, status }: Output,
  simulated: boolean,
) {
  return replay({
    event,
    dialect: "claude-code",
    hooks: [
      {
        name: "probe",
        onFailure: guard ? "block" : "continue",
        mode: "enforce",
        source: "settings.json:1",
        dialect: "claude-code",
        simulated,
        run: {
          ...(status === undefined
            ? { exitCode: exit }
            : { failure: { kind: "http", detail: `status ${status}` } }),
          stdout,
          stderr: "",
          executionTime: 1,
          timedOut: false,
          truncated: false,
        },
      },
    ],
    context: {},
    extra: [],
  });
}

describe("an output", () => {
  const rows: [string, Output, simulated: string, strict: string, code?: string][] = [
    ["text before a deny", { stdout: `loading\n${DENY}` }, "none", "deny", "output-void"],
    [
      "a deny, then an answer",
      { stdout: `${DENY}\n{"systemMessage":"x"}` },
      "none",
      "deny",
      "output-malformed",
    ],
    ["the same of a guard", { stdout: `${DENY}\n{}`, guard: true }, "deny", "deny", "output-malformed"],
    ["a deny that lacks its end", { stdout: DENY.slice(0, -2) }, "none", "none", "output-void"],
    [
      "a deny with a field of a wrong type",
      { stdout: DENY.replace('"no"', "5") },
      "none",
      "deny",
      "output-void",
    ],
    ["a deny in the body of an error", { stdout: DENY, status: 500 }, "none", "deny", "output-void"],
    ["an allow of a guard that fails", { stdout: ALLOW, exit: 1, guard: true }, "deny", "allow"],
    ["an approve", { stdout: '{"decision":"approve"}' }, "allow", "none"],
    ["a block without a reason", { event: "Stop", stdout: '{"decision":"block"}' }, "block", "none"],
    [
      "a block inside hookSpecificOutput",
      {
        event: "Stop",
        stdout: '{"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"no"}}',
      },
      "none",
      "block",
      "output-unread",
    ],
    [
      "exit 2 on a permission question",
      { event: "PermissionRequest", exit: 2 },
      "none",
      "deny",
      "exit-2-unread",
    ],
    [
      "a stop of a notification",
      { event: "Notification", stdout: '{"continue":false}' },
      "none",
      "stop",
      "output-unread",
    ],
  ];
  for (const [name, output, simulated, strict, code] of rows)
    it(`${name}: ${simulated}, and ${strict} where a step depends on it`, () => {
      const letter = outcomeOf(output, true);
      expect([letter.decision.kind, outcomeOf(output, false).decision.kind]).toEqual([simulated, strict]);
      if (code) expect(letter.diagnostics.map((one) => one.code)).toContain(code);
    });

  it("has no systemMessage where none is read", () => {
    const told = (event: EventName) =>
      outcomeOf({ event, stdout: '{"systemMessage":"M"}' }, true).messages.some(
        ({ block }) => block.content === "M",
      );
    const read = (["Stop", "SessionStart", "PreCompact", "Notification", "SessionEnd"] as const).filter(told);
    expect(read).toEqual(["Stop", "SessionStart"]);
  });

  it("is context as it is, where it is no JSON object", () => {
    const stdout = `first\n${DENY}`;
    const { messages } = outcomeOf({ event: "UserPromptSubmit", stdout }, true);
    expect(messages.filter(({ to }) => to === "agent").map(({ block }) => block.content)).toEqual([stdout]);
  });
});

describe("a settings file", () => {
  const GOOD = { hooks: [{ type: "command", command: "good" }] };
  const read = (hooks: Record<string, unknown[]>, { extra = "", simulate = true } = {}) =>
    readConfig({
      file: "settings.json",
      layer: "user",
      dialect: "claude-code",
      simulate,
      text: JSON.stringify({ hooks }).replace(/\}$/, `${extra}}`),
    });
  const rows: [string, unknown][] = [
    ["a hook in place of a group", { type: "command", command: "x" }],
    ["a list as matcher", { ...GOOD, matcher: ["Bash"] }],
    ["an unknown type", { hooks: [{ type: "shell", command: "x" }] }],
    ["no type", { hooks: [{ command: "x" }] }],
    ["a timeout in quotes", { hooks: [{ type: "command", command: "x", timeout: "5" }] }],
  ];
  for (const [name, entry] of rows)
    it(`with ${name} is void on PreToolUse and PermissionRequest; elsewhere the entry alone is off`, () => {
      for (const event of ["PreToolUse", "PermissionRequest"]) {
        const { hooks, problems } = read({ [event]: [GOOD, entry], Stop: [GOOD] });
        expect([hooks.length, problems[0]?.code]).toEqual([0, "config-file-void"]);
        expect(read({ [event]: [GOOD, entry], Stop: [GOOD] }, { simulate: false }).hooks).toHaveLength(2);
      }
      expect(read({ PostToolUse: [GOOD, entry], Stop: [GOOD] }).hooks).toHaveLength(2);
    });

  it("with a comma too many is void", () => {
    expect(read({ Stop: [GOOD] }, { extra: "," }).hooks).toEqual([]);
  });

  it("holds with what is odd and harmless: an unknown field, an unknown event, a pattern that cannot be compiled", () => {
    const odd = { hooks: [{ ...GOOD.hooks[0], colour: "red" }] };
    expect(read({ PreToolUse: [odd, { ...GOOD, matcher: "Bash(" }], Later: [GOOD] }).hooks).toHaveLength(1);
  });

  it("that says disableAllHooks switches off the hooks of every file", () => {
    const off = read({}, { extra: ',"disableAllHooks":true' });
    expect(
      hooksOf([off, { ...read({ Stop: [GOOD] }), file: "other.json", layer: "config" }]).map(
        ({ enabled }) => enabled,
      ),
    ).toEqual([false]);
  });

  it("gives a command 600 seconds, and never runs one whose if is no rule", () => {
    const [hook] = read({ PreToolUse: [{ hooks: [{ ...GOOD.hooks[0], if: "no rule at all" }] }] }).hooks;
    expect(hook?.timeoutMs).toBe(600_000);
    expect(hook?.condition?.fits({ tool_name: "Bash", tool_input: {} })).toBe(false);
  });
});
