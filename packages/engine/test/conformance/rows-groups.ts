import { DECISION, MESSAGE, OUT, READ, rewrite } from "./kinds.ts";
import { ALLOW, type HookSpec, type Row } from "./row.ts";

/** Design §5: sequential groups, and the same handler in several places. */

/** Exits with 2 when the payload on stdin holds this command. */
const refusesCommand = (name: string, command: string): HookSpec => ({
  name,
  command: `if grep -q '"command":"${command}"'; then echo "saw ${command}" >&2; exit 2; fi`,
});

export const ROWS_GROUPS: readonly Row[] = [
  {
    ref: "design §5 sequential",
    says: "each hook sees the input as the previous one left it",
    event: "PreToolUse",
    groups: [{ sequential: true, hooks: [{ name: "a", out: rewrite("ls") }, refusesCommand("b", "ls")] }],
    expect: {
      action: "block-tool",
      kind: "deny",
      by: "b",
      reason: "saw ls",
      messages: ["agent tool (b): saw ls"],
      runs: ["json (a)", "exit-code (b)"],
    },
  },
  {
    ref: "design §5 sequential",
    says: "in a parallel group it sees the original",
    event: "PreToolUse",
    groups: [{ hooks: [{ name: "a", out: rewrite("ls") }, refusesCommand("b", "ls")] }],
    expect: { updatedInput: { command: "ls" }, runs: ["json (a)", "exit-code (b)"] },
  },
  {
    ref: "design §5 sequential, design §5 two rewrites",
    says: "a rewrite of a rewrite loses nothing, and an allow of what it saw stands",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: rewrite("ls") },
          { name: "b", out: rewrite("ls -l") },
          { name: "c", out: ALLOW },
        ],
      },
    ],
    expect: {
      kind: "allow",
      by: "c",
      updatedInput: { command: "ls -l" },
      runs: ["json (a)", "json (b)", "json (c)"],
    },
  },
  ...(["deny", "stop"] as const).map(
    (kind): Row => ({
      ref: "design §5 sequential",
      says: `a ${kind} skips the rest of its group, not of others`,
      event: "PreToolUse",
      groups: [
        {
          sequential: true,
          hooks: [
            { name: "a", out: OUT[kind] },
            { name: "b", out: OUT.ask },
          ],
        },
        { hooks: [{ name: "c", out: OUT.allow }] },
      ],
      expect: {
        ...DECISION[kind],
        by: "a",
        messages: [...MESSAGE[kind]("a"), ...MESSAGE.allow("c")],
        runs: ["json (a)", "json (c)"],
      },
    }),
  ),
  {
    ref: "design §5 sequential",
    says: "an ask does not skip the rest",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: OUT.ask },
          { name: "b", out: OUT.deny },
        ],
      },
    ],
    expect: { ...DECISION.deny, by: "b", messages: [...MESSAGE.ask("a"), ...MESSAGE.deny("b")], runs: READ },
  },
  {
    ref: "design §5 sequential",
    says: "neither a fault nor a hook that only observes ends it or hands anything on",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", err: "broken", exit: 3 },
          { name: "b", out: OUT.deny, mode: "observe" },
          { name: "c", out: rewrite("ls"), mode: "observe" },
          refusesCommand("d", "ls"),
          { name: "e", out: OUT.deny },
        ],
      },
    ],
    expect: {
      ...DECISION.deny,
      by: "e",
      messages: ["user error (a): broken", ...MESSAGE.deny("e")],
      warns: ["observed (b)", "observed (c)"],
      runs: ["exit-code (a)", "json (b)", "json (c)", "exit-code (d)", "json (e)"],
    },
  },
  {
    ref: "design §5 sequential, design §5 an allow is for its input",
    says: "an allow before a rewrite is not for the new input",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: ALLOW },
          { name: "b", out: rewrite("ls") },
        ],
      },
    ],
    expect: { warns: ["allow-voided (a)"], updatedInput: { command: "ls" }, runs: READ },
  },
  {
    ref: "design §5 the same handler once",
    says: "equal in all fields, in two groups",
    event: "PreToolUse",
    groups: [{ hooks: [{ out: OUT.deny }] }, { matcher: "Bash", hooks: [{ out: OUT.deny }] }],
    expect: { ...DECISION.deny, messages: ["agent tool: not here"], runs: ["json"] },
  },
  {
    ref: "design §5 the same handler once",
    says: "another timeout is another handler",
    event: "PreToolUse",
    groups: [{ hooks: [{ out: OUT.deny }, { out: OUT.deny, timeout: 30 }] }],
    expect: {
      ...DECISION.deny,
      messages: ["agent tool: not here", "agent tool: not here"],
      runs: ["json", "json"],
    },
  },
];
