import type { EventName } from "@belay/engine";
import { type Expect, faulty, permission, type Row } from "./row.ts";

/**
 * Seed 001 SC-003 and SC-004: the worst outputs within the cap, and every combination of exit code and output. SC-003's
 * 100 ms are held by bench/, where the machine is quiet; here a multiple of what JSON.parse takes for as much.
 */

const malformed: Expect = faulty("output-malformed");

const repeat = (text: string, bytes = 102_400) => `yes '${text}' | tr -d '\\n' | head -c ${bytes}`;

const WORST: readonly [says: string, command: string, expect: Expect][] = [
  ["opening braces", repeat("{"), malformed],
  ["objects within objects", repeat('{"a":'), malformed],
  ["objects within lists", repeat('{"a":[').concat("; true"), malformed],
  ["braces in prose", repeat("a {b"), {}],
  ["quotes and braces in prose", repeat('x{"'), {}],
  ["objects that break off", repeat('a{"b":1,'), {}],
  ["half strings", repeat('a{"b'), {}],
  ["backslashes in a string", `printf '{"a":"'; ${repeat("\\\\", 100_000)}`, malformed],
  [
    "thousands of answers",
    `yes '{"systemMessage":"x"}' | head -n 4600`,
    {
      messages: [
        `user warn: ${Array.from({ length: 4600 }, () => "x").join("\n")}`,
        "user warn: <output-mixed>",
      ],
      diagnostics: ["output-mixed"],
      runs: ["mixed"],
    },
  ],
];

const refusal = (action: Expect["action"], kind: "deny" | "block", to: string, reason: string): Expect => ({
  ...(action && { action }),
  kind,
  reason,
  messages: [`${to}: ${reason}`],
});

interface Combination {
  readonly out: object;
  readonly byJson: Expect;
  readonly byExit: Expect;
}

const COMBINATIONS: Partial<Record<EventName, Combination>> = {
  PreToolUse: {
    out: permission("deny", "json"),
    byJson: refusal("block-tool", "deny", "agent tool", "json"),
    byExit: refusal("block-tool", "deny", "agent tool", "err"),
  },
  PostToolUse: {
    out: { decision: "block", reason: "json" },
    byJson: refusal("error-displayed", "block", "agent hook", "json"),
    byExit: refusal("error-displayed", "block", "agent tool", "err"),
  },
  UserPromptSubmit: {
    out: { decision: "block", reason: "json" },
    byJson: refusal("block-prompt", "block", "user error", "json"),
    byExit: refusal("block-prompt", "block", "user error", "err"),
  },
  Stop: {
    out: { decision: "block", reason: "json" },
    byJson: refusal("block-stop", "block", "agent hook", "json"),
    byExit: refusal("block-stop", "block", "agent text", "err"),
  },
};

const error: Expect = { action: "error-displayed", messages: ["user error: err"] };
const json = {} as const;

function combine([event, { out, byJson, byExit }]: [string, Combination]): Row[] {
  const plain: Expect =
    event === "UserPromptSubmit" ? { action: "context-injected", messages: ["agent text: plain"] } : {};
  const cells: [exit: number, out: string | object, expect: Expect][] = [
    [0, "plain", plain],
    [0, {}, json],
    [0, out, { ...byJson }],
    [2, "plain", byExit],
    [2, {}, { ...byExit }],
    [2, out, { ...byJson }],
    [1, "plain", error],
    [1, {}, { ...error }],
    [1, out, { ...byJson }],
  ];
  return cells.map(([exit, printed, expect]) => ({
    ref: "seed 001 SC-004",
    says: `${event}: exit ${exit} with ${JSON.stringify(printed)}`,
    event: event as EventName,
    hook: { out: printed, err: "err", exit },
    expect,
  }));
}

export const ROWS_001_SCALE: readonly Row[] = [
  ...WORST.map(
    ([says, command, expect]): Row => ({
      ref: ["seed 001 SC-003", "seed 001 SC-005"],
      says: `100 KB of ${says}`,
      event: "PreToolUse",
      hook: { command },
      expect: { ...expect, isQuick: true },
    }),
  ),
  ...Object.entries(COMBINATIONS).flatMap(combine),
];
