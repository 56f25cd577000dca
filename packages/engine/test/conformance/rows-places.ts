import { asked, denied, goesOn, type Row, row, rows, specific } from "./row.ts";

/** Design §4.5 and §3: a decision at the top level or inside hookSpecificOutput, and in its long form. */

const BLOCK = { decision: "block" };
const BECAUSE = { reason: "tests first" };

const PLACES: readonly Row[] = (
  [
    ["both at the top", {}, { ...BLOCK, ...BECAUSE }],
    ["both inside", { ...BLOCK, ...BECAUSE }, {}],
    ["decision at the top, reason inside", BECAUSE, BLOCK],
    ["decision inside, reason at the top", BLOCK, BECAUSE],
    ["approve at the top, block inside", { ...BLOCK, ...BECAUSE }, { decision: "approve" }],
    ["block at the top, approve inside", { decision: "approve" }, { ...BLOCK, ...BECAUSE }],
  ] as const
).map(([says, inside, top]) =>
  row("design §4.5", `Stop: ${says}`, { out: specific("Stop", inside, top) }, goesOn("tests first")),
);

const LS = { updatedInput: { command: "ls" } };

const LONG: readonly Row[] = (
  [
    ["allow", { behavior: "allow" }, { kind: "allow" }],
    ["allow with a new input", { behavior: "allow", ...LS }, { kind: "allow", ...LS }],
    ["ask", { behavior: "ask", message: "sure?" }, asked("sure?")],
    ["deny", { behavior: "deny", message: "no" }, denied("no")],
    [
      "deny and interrupt",
      { behavior: "deny", message: "no", interrupt: true },
      denied("no", { interrupt: true }),
    ],
    ["interrupt without a deny", { behavior: "allow", interrupt: true }, { kind: "allow" }],
  ] as const
).flatMap(([says, decision, expect]) =>
  [{ decision }, specific("PermissionRequest", { decision })].map((out, index) =>
    row(
      "design §3 PermissionRequest",
      `PermissionRequest: ${says}, ${index === 0 ? "at the top" : "inside"}`,
      { out },
      expect,
    ),
  ),
);

/** A reason beside a long answer is its words, where it has no message of its own. */
const BESIDE: readonly Row[] = (
  [
    ["inside", specific("PermissionRequest", { decision: { behavior: "deny" }, reason: "inner" }), "inner"],
    ["at the top", { decision: { behavior: "deny" }, reason: "outer" }, "outer"],
    [
      "in both places",
      specific("PermissionRequest", { decision: { behavior: "deny" }, reason: "inner" }, { reason: "outer" }),
      "inner",
    ],
    ["with a message", { decision: { behavior: "deny", message: "own" }, reason: "outer" }, "own"],
  ] as const
).map(([says, out, reason]) =>
  row(
    "design §3 PermissionRequest, design §4.5",
    `PermissionRequest: a reason beside a long deny, ${says}`,
    { out },
    denied(reason),
  ),
);

/** One answer given twice: whichever place it is read from, its words and its rewrite hold. */
const TWICE: readonly Row[] = (
  [
    [
      "a short allow, a long one with a new input",
      { permissionDecision: "allow", decision: { behavior: "allow", ...LS } },
      {},
      { kind: "allow", ...LS },
    ],
    [
      "a long allow inside, one with a new input at the top",
      { decision: { behavior: "allow" } },
      { decision: { behavior: "allow", ...LS } },
      { kind: "allow", ...LS },
    ],
    [
      "a short ask, a long allow with a new input",
      {
        permissionDecision: "ask",
        permissionDecisionReason: "sure?",
        decision: { behavior: "allow", ...LS },
      },
      {},
      asked("sure?", LS),
    ],
    [
      "a short deny, a long one with words",
      { permissionDecision: "deny", decision: { behavior: "deny", message: "no" } },
      {},
      denied("no"),
    ],
  ] as const
).map(([says, inside, top, expect]) => ({
  ref: "design §3 PermissionRequest, design §4.5",
  says,
  event: "PermissionRequest",
  hook: { out: specific("PermissionRequest", inside, top) },
  expect: { ...expect },
}));

const ENDS = { behavior: "deny", message: "enough", interrupt: true };
const CALM = { behavior: "deny", message: "no" };

/** An interrupt restricts: it holds wherever the deny that says it stands. */
const INTERRUPTS: readonly Row[] = [
  ...(
    [
      ["the first of two denies", [ENDS, CALM], "enough"],
      ["the second of two denies", [CALM, ENDS], "no"],
    ] as const
  ).map(
    ([says, [a, b], reason]): Row => ({
      ref: "design §3 PermissionRequest, design §5 configured order",
      says: `${says} interrupts`,
      event: "PermissionRequest",
      hooks: [
        { name: "a", out: { decision: a } },
        { name: "b", out: { decision: b } },
      ],
      expect: denied(reason, {
        by: "a",
        interrupt: true,
        messages: [`agent tool (a): ${a.message}`, `agent tool (b): ${b.message}`],
        runs: ["json (a)", "json (b)"],
      }),
    }),
  ),
  ...rows({
    "PermissionRequest: a long deny that interrupts beside a short one": [
      "design §3 PermissionRequest, design §4.5",
      {
        out: specific(
          "PermissionRequest",
          { permissionDecision: "deny", permissionDecisionReason: "no" },
          { decision: ENDS },
        ),
      },
      denied("no", { interrupt: true }),
    ],
    "PermissionRequest: an invalid deny that interrupts": [
      "design §3 PermissionRequest, design §4.3 invalid",
      { out: { decision: { ...ENDS, message: 7 } } },
      denied("blocked by hook h: no reason given", {
        also: ["user error: <output-invalid>"],
        interrupt: true,
        diagnostics: ["output-invalid at decision.message"],
        runs: ["mixed fault output-invalid"],
      }),
    ],
    "PermissionRequest: a deny among other text that interrupts, behind one that does not, with exit 2": [
      "design §3 PermissionRequest, design §4.4 restricts",
      {
        out: `banner\n${JSON.stringify({ decision: CALM })}\n${JSON.stringify({ decision: ENDS })}`,
        err: "refused",
        exit: 2,
      },
      denied("refused", {
        also: ["user warn: <output-mixed>"],
        interrupt: true,
        diagnostics: ["output-mixed"],
        runs: ["mixed"],
      }),
    ],
  }),
  {
    ref: "design §3 PermissionRequest, design §4.6",
    says: "a stop needs no interrupt",
    event: "PermissionRequest",
    hooks: [
      { name: "a", out: { decision: ENDS } },
      { name: "b", out: { continue: false, stopReason: "halt" } },
    ],
    expect: {
      action: "stop",
      kind: "stop",
      reason: "halt",
      by: "b",
      messages: ["agent tool (a): enough", "user error (b): halt"],
      runs: ["json (a)", "json (b)"],
    },
  },
];

export const ROWS_PLACES: readonly Row[] = [...PLACES, ...LONG, ...BESIDE, ...TWICE, ...INTERRUPTS];
