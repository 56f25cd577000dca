import { replay } from "@belay/engine";
import { describe, expect, test } from "vitest";
import { fireRow, stepsOf } from "./fire-row.ts";
import { type Group, type HookSpec, type Row, refsOf } from "./row.ts";
import { ROWS_003 } from "./rows-003.ts";
import { ROWS_FAULTS } from "./rows-faults.ts";
import { ROWS_MODES } from "./rows-modes.ts";
import { ROWS_MIXED, ROWS_PRECEDENCE, ROWS_READING } from "./rows-reading.ts";
import { ROWS_GROUPS } from "./rows-several.ts";
import { summarise, summaryOf } from "./summary.ts";

/**
 * A warm process says in a line what a cold one prints and how it exits: each way in which output is read, each stream,
 * faults, and several events and hooks. What an answer means does not depend on who gave it.
 */
const ROWS = [
  ...ROWS_003,
  ...ROWS_PRECEDENCE,
  ...ROWS_READING,
  ...ROWS_MIXED,
  ...ROWS_FAULTS,
  ...ROWS_GROUPS,
  ...ROWS_MODES,
];

function isSayable({ command, json, delay, after }: HookSpec): boolean {
  return [command, json, delay, after].every((field) => field === undefined);
}

const hooksIn = ({ groups, hooks, hook }: Row): readonly HookSpec[] =>
  groups?.flatMap((group) => group.hooks) ?? hooks ?? [hook ?? {}];

// A small cap cuts the line of an answer, which is a fault of a warm hook alone.
const rows = ROWS.filter((row) => hooksIn(row).every(isSayable) && row.limits?.outputCap === undefined);

/** Reads lines for ever, and answers each with its id and the same words. */
function warm({ out, err, exit, ...rest }: HookSpec): HookSpec & { readonly warm: true } {
  const said = JSON.stringify({ output: out, exitCode: exit, stderr: err });
  const words = said === "{}" ? "}" : `,${said.slice(1)}`;
  const quoted = `'${words.replaceAll("'", `'\\''`)}'`;
  const command = `while read -r line; do id=\${line#*:\\"}; printf '{"id":"%s"%s\\n' "\${id%%\\"*}" ${quoted}; done`;
  return { ...rest, command, warm: true };
}

const warmGroup = (group: Group): Group => ({ ...group, hooks: group.hooks.map(warm) });

function warmRow(row: Row): Row {
  return {
    ...row,
    ...(row.groups && { groups: row.groups.map(warmGroup) }),
    ...(row.hooks && { hooks: row.hooks.map(warm) }),
    ...(!row.groups && !row.hooks && { hook: warm(row.hook ?? {}) }),
  };
}

describe.concurrent("rows, through a warm process", () => {
  test("most rows are among them", () => {
    expect(rows.length).toBeGreaterThan(ROWS.length / 2);
  });

  for (const row of rows)
    test(`${refsOf(row).join(", ")}: ${row.says}`, async () => {
      const expected = stepsOf(row).map(({ expect }) => summaryOf(expect));
      for (const [index, { outcome, record }] of (await fireRow(warmRow(row))).entries()) {
        expect(summarise(outcome)).toEqual(expected[index]);
        const { runs: _runs, ...decided } = outcome;
        const { runs: _again, ...replayed } = replay(record);
        if (!record.redacted) expect(replayed).toEqual(decided);
      }
    });
});
