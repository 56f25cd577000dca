import { type Expect, type Row, specific } from "./row.ts";

/** DESIGN §4.5 and §3: a decision at the top level or inside hookSpecificOutput, and in its long form. */

const PLACES: readonly Row[] = [
  ["both at the top", { decision: "block", reason: "tests first" }],
  ["both inside", specific("Stop", { decision: "block", reason: "tests first" })],
  ["decision at the top, reason inside", specific("Stop", { reason: "tests first" }, { decision: "block" })],
  ["decision inside, reason at the top", specific("Stop", { decision: "block" }, { reason: "tests first" })],
  [
    "approve at the top, block inside",
    specific("Stop", { decision: "block", reason: "tests first" }, { decision: "approve" }),
  ],
  [
    "block at the top, approve inside",
    specific("Stop", { decision: "approve" }, { decision: "block", reason: "tests first" }),
  ],
].map(([says, out]) => ({
  ref: "DESIGN §4.5",
  says: says as string,
  event: "Stop",
  hook: { out: out as object },
  expect: {
    action: "block-stop",
    kind: "block",
    reason: "tests first",
    messages: ["agent hook: tests first"],
    runs: ["json"],
  },
}));

const LONG: readonly Row[] = (["top", "inside"] as const).flatMap((place) => {
  const out = (decision: object) =>
    place === "top" ? { decision } : specific("PermissionRequest", { decision });
  const row = (says: string, decision: object, expect: Expect): Row => ({
    ref: "DESIGN §3 PermissionRequest",
    says: `${says}, at the ${place}`,
    event: "PermissionRequest",
    hook: { out: out(decision) },
    expect: { runs: ["json"], ...expect },
  });
  const deny: Expect = { action: "block-tool", kind: "deny", reason: "no", messages: ["agent tool: no"] };
  return [
    row("allow", { behavior: "allow" }, { kind: "allow" }),
    row(
      "allow with a new input",
      { behavior: "allow", updatedInput: { command: "ls" } },
      {
        kind: "allow",
        updatedInput: { command: "ls" },
      },
    ),
    row(
      "ask",
      { behavior: "ask", message: "sure?" },
      {
        action: "ask-user",
        kind: "ask",
        reason: "sure?",
        messages: ["user text: sure?"],
      },
    ),
    row("deny", { behavior: "deny", message: "no" }, deny),
    row(
      "deny and interrupt",
      { behavior: "deny", message: "no", interrupt: true },
      { ...deny, interrupt: true },
    ),
    row("interrupt without a deny", { behavior: "allow", interrupt: true }, { kind: "allow" }),
  ];
});

export const ROWS_PLACES: readonly Row[] = [...(PLACES as Row[]), ...LONG];
