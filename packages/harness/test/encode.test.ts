import type { Outcome, Run } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  abilitiesOf,
  emulate,
  encode,
  HARNESSES,
  type Harness,
  type HarnessEvent,
  harnessNamed,
} from "../src/index.ts";

type Kind = Outcome["decision"]["kind"];
type Told = Parameters<typeof encode>[2];

const INPUT = { command: "rm -rf build", timeout: 5 };

/** Every event of every harness whose answers are read, by its own name. */
const places = HARNESSES.flatMap((harness) =>
  Object.entries(harness.events)
    .filter(([, row]) => row.answers !== undefined && harness.reads !== undefined)
    .map(([native, row]) => ({ harness, native, row })),
);

const words = fc.oneof(
  fc.constantFrom("no", '{"decision":"allow"}', "line\nline", "ünïcode 🪢", '"'),
  fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== ""),
);

function kindsOf({ event }: HarnessEvent): Kind[] {
  const row = eventRow(event);
  if (row.exit2 === "notice") return ["none", "stop"];
  if (row.exit2 === "deny") return ["none", "allow", "ask", "deny", "stop"];
  return ["none", "block", "stop"];
}

/** Outcomes as the engine makes them: a refusal has a reason and no rewrite. */
function outcomes(row: HarnessEvent): fc.Arbitrary<Told> {
  const answers = eventRow(row.event).answers as readonly string[];
  const messages = fc.array(
    fc.record({
      to: fc.constantFrom("user" as const, "agent" as const),
      hook: fc.constant("guard"),
      block: fc.record({ type: fc.constant("hook" as const), content: words }),
    }),
    { maxLength: 3 },
  );
  const input = answers.includes("updatedInput")
    ? fc.option(fc.record({ command: words, timeout: fc.nat() }, { requiredKeys: ["command"] }), {
        nil: undefined,
      })
    : fc.constant(undefined);
  const prompt = answers.includes("updatedPrompt")
    ? fc.option(words, { nil: undefined })
    : fc.constant(undefined);
  const output = eventRow(row.event).further?.includes("updatedToolOutput")
    ? fc.option(fc.oneof(words, fc.record({ stdout: words })), { nil: undefined })
    : fc.constant(undefined);
  return fc
    .record({
      kind: fc.constantFrom(...kindsOf(row)),
      reason: words,
      interrupt: fc.boolean(),
      messages,
      input,
      prompt,
      output,
    })
    .map(({ kind, reason, interrupt, messages: sent, ...rewrites }) => {
      const { input: updatedInput, prompt: updatedPrompt, output: updatedToolOutput } = rewrites;
      const isRefused = kind === "deny" || kind === "block" || kind === "stop";
      return {
        decision: {
          kind,
          ...(kind !== "none" && { reason }),
          ...(kind === "deny" && interrupt && { interrupt }),
        },
        messages: sent,
        ...(!isRefused && updatedInput && { updatedInput }),
        ...(!isRefused && updatedPrompt !== undefined && { updatedPrompt }),
        ...(updatedToolOutput !== undefined && { updatedToolOutput }),
      };
    });
}

function runOf({ stdout, stderr, exitCode }: ReturnType<typeof encode>): Run {
  return { exitCode, stdout, stderr, executionTime: 1, timedOut: false, truncated: false };
}

/** A tool of the harness that is our Bash, under its own name. */
function shellOf({ tools }: Harness): string {
  return Object.entries(tools).find(([, { name }]) => name === "Bash")?.[0] ?? "Bash";
}

function relayed(harness: Harness, native: string, row: HarnessEvent, told: Told) {
  const encoded = encode(harness, { native, tool: shellOf(harness), input: INPUT }, told);
  const hooks = [{ hook: "belay", type: "command" as const, run: runOf(encoded) }];
  const there = emulate(harness, { event: row.event, native, tool: "Bash", input: INPUT, hooks });
  return { encoded, there };
}

const STRICTNESS = { runs: 0, asks: 1, refused: 2 };

/** What of an Outcome does not hold there. */
function loosened(
  { decision: { kind }, updatedInput, updatedPrompt, updatedToolOutput: output }: Told,
  { step, turn, input, prompt, toAgent }: ReturnType<typeof emulate>,
  { event }: HarnessEvent,
): string[] {
  const row = eventRow(event);
  const isLate = row.appendsToResult === true;
  const isEnd = row.exit2 !== "notice" && row.blockedAction === "block-stop";
  const least = { deny: 2, block: 2, ask: 1, stop: 0, allow: 0, none: 0 }[kind];
  return [
    ...(!isLate && STRICTNESS[step] < least ? [kind === "ask" ? "ask" : "deny"] : []),
    ...(kind === "stop" && !isEnd && step !== "refused" && turn !== "ends" ? ["stop"] : []),
    ...(updatedInput && step !== "refused" && JSON.stringify(input) !== JSON.stringify(updatedInput)
      ? ["rewrite"]
      : []),
    ...(updatedPrompt !== undefined &&
    step !== "refused" &&
    prompt !== updatedPrompt.trim() &&
    prompt !== updatedPrompt
      ? ["rewrite"]
      : []),
    ...(output !== undefined &&
    turn !== "ends" &&
    !toAgent.includes(typeof output === "string" ? output : JSON.stringify(output))
      ? ["output"]
      : []),
  ];
}

describe("an Outcome in the words of a harness", () => {
  it("is never looser there than it was, unless a loss says so; 10,000 cases", () => {
    const runs = Math.ceil(10_000 / places.length);
    for (const { harness, native, row } of places) {
      const canRefuse =
        abilitiesOf(harness, native).deny === "yes" && eventRow(row.event).appendsToResult !== true;
      fc.assert(
        fc.property(outcomes(row), (told) => {
          const { encoded, there } = relayed(harness, native, row, told);
          const said = encoded.losses.filter(({ looser }) => looser).map(({ what }) => what);
          if (canRefuse) expect(said, `${harness.name} ${native}`).toEqual([]);
          const missing = loosened(told, there, row).filter((what) => !(said as string[]).includes(what));
          expect(missing, `${harness.name} ${native} ${JSON.stringify({ told, encoded, there })}`).toEqual(
            [],
          );
        }),
        { numRuns: runs },
      );
    }
  });

  it("grants nothing that was not allowed", () => {
    for (const { harness, native, row } of places) {
      const grants =
        row.answers?.allow?.flatMap(({ at, is }) => is.map((value) => [at.split(".").at(-1), value])) ?? [];
      fc.assert(
        fc.property(
          outcomes(row).filter(({ decision }) => decision.kind !== "allow"),
          (told) => {
            const { stdout } = encode(harness, { native, tool: shellOf(harness), input: INPUT }, told);
            if (!stdout.startsWith("{")) return;
            JSON.parse(stdout, (name, value) => {
              const isGrant = grants.some(([field, word]) => field === name && word === value);
              expect(isGrant, `${harness.name} ${native} ${stdout}`).toBe(false);
              return value;
            });
          },
        ),
        { numRuns: 20 },
      );
    }
  });

  const DENY = { decision: { kind: "deny", reason: "not on main" }, messages: [] } as const;
  const REWRITE = { decision: { kind: "none" }, messages: [], updatedInput: { command: "ls" } } as const;
  const ASK = { decision: { kind: "ask", reason: "sure?" }, messages: [] } as const;
  const rows: [what: string, agent: string, native: string, told: Told, expected: object][] = [
    [
      "a deny with the words of Claude Code",
      "claude-code",
      "PreToolUse",
      DENY,
      {
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not on main"}}',
        stderr: "",
        exitCode: 0,
        losses: [],
      },
    ],
    [
      "a deny by exit code, where another hook's allow undoes one in JSON",
      "droid",
      "PreToolUse",
      DENY,
      { stdout: "", stderr: "not on main", exitCode: 2, losses: [] },
    ],
    [
      "an ask that becomes a deny",
      "codex",
      "PreToolUse",
      ASK,
      {
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"A person can allow this with belay questions: sure?"}}',
        stderr: "",
        exitCode: 0,
        losses: [{ what: "ask", became: "deny" }],
      },
    ],
    [
      "a rewrite that would need an allow, and becomes a deny that names the input",
      "codex",
      "PreToolUse",
      REWRITE,
      {
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use this instead: {\\"command\\":\\"ls\\"}"}}',
        stderr: "",
        exitCode: 0,
        losses: [{ what: "rewrite", became: "deny" }],
      },
    ],
    [
      "a rewrite under the harness's own names",
      "gemini",
      "BeforeTool",
      { ...REWRITE, updatedInput: { file_path: "/a" } },
      {
        stdout: '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"absolute_path":"/a"}}}',
        stderr: "",
        exitCode: 0,
        losses: [],
      },
    ],
    [
      "a refusal that nothing there can refuse",
      "cline",
      "TaskComplete",
      { decision: { kind: "block", reason: "tests fail" }, messages: [] },
      { stdout: "", stderr: "", exitCode: 0, losses: [{ what: "deny", became: "nothing", looser: true }] },
    ],
    [
      "a deny for a plugin of ours",
      "opencode",
      "tool.execute.before",
      DENY,
      { stdout: '{"deny":true,"reason":"not on main"}', stderr: "", exitCode: 0, losses: [] },
    ],
  ];
  for (const [what, agent, native, told, expected] of rows)
    it(what, () => {
      const harness = harnessNamed(agent);
      if (!harness) throw new Error(`no harness ${agent}`);
      const tool = agent === "gemini" ? "read_file" : shellOf(harness);
      const input = agent === "gemini" ? { file_path: "/b" } : INPUT;
      expect(encode(harness, { native, tool, input }, told)).toEqual(expected);
    });
});
