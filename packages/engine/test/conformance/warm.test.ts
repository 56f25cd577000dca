import { replay } from "@belay/engine";
import { describe, expect, test } from "vitest";
import { fireRow, stepsOf } from "./fire-row.ts";
import { type Group, type HookSpec, type Row, refsOf } from "./row.ts";
import { ROWS } from "./rows.ts";
import { summarise, summaryOf } from "./summary.ts";

/** The rows whose hooks print something and exit, once more: a warm process says the same in a line. */

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
