import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOLE } from "@belay/core/shell";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { readLine } from "../../src/permissions/programs.ts";

/*
 * The reader against shells themselves: whatever one runs of a line must be among the commands that the reader found in it.
 * They differ, and `sh`, which the tool runs, is another one on each system. The programs are stubs that write down how they were called; the working folder holds files whose names are options and commands.
 */

const PROGRAMS = ["a", "b", "git", "E", "if", "env", "time", "sh", "xargs", "-x", "a=1", "2", "é", "["];

/** Pieces of a shell line, put together without rhyme or reason. Plain ones are many, so that lines can be read at all. */
const PIECES = [
  "a¦b¦git¦./c¦a ¦b ¦git ¦--x¦-n ¦'b c'¦\"d e\"¦\\ ¦\\a¦''¦\"\"¦ ¦ ¦ ¦ ; ¦ && ¦ & ¦\n¦\n¦#¦# ¦1¦2¦=¦:¦/",
  " | ¦ || ¦|¦||¦&¦&&¦;¦\t¦\\\n¦\\¦'¦\"¦\\'¦\\\"¦é¦!¦^¦@¦%¦,",
  " >/dev/null ¦ 2>&1 ¦ >&2¦2>/dev/null¦&>/dev/null¦&>/dev/null b¦12>/dev/null¦</dev/null ¦>¦<¦/dev/null¦&1¦>f",
  "*¦?¦[¦]¦~¦*.x¦[ab]¦~/¦$x¦\"$x\"¦${x}¦$(b)¦`b`¦$¦'$x'¦$'b'¦\\$x",
  "(¦)¦{¦}¦{a,b}¦a=1¦a=1 ¦x=b ¦if ¦then ¦fi¦do ¦done¦for ¦in ¦! ¦time ",
  "eval ¦exec ¦env ¦command ¦builtin ¦sh -c ¦xargs ¦. ¦cd ¦[ ¦<<E¦\nE\n¦<(b)¦f() ",
].flatMap((pieces) => pieces.split("¦"));

const LINES = 500;

const commandsOf = (line: string) => readLine(line)?.map(({ words }) => words);

interface Scratch {
  readonly root: string;
  readonly work: string;
}

function scratch(): Scratch {
  const root = mkdtempSync(join(tmpdir(), "belay-shell-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const work = join(root, "work");
  for (const folder of ["bin", "lines", "logs", "work", "home"]) mkdirSync(join(root, folder));
  const stub = '#!/bin/bash\nprintf \'%s\\0\' "$#" "${0##*/}" "$@" >> "$LOG"\n';
  for (const name of PROGRAMS) writeFileSync(join(root, "bin", name), stub, { mode: 0o755 });
  writeFileSync(join(work, "c"), stub, { mode: 0o755 });
  for (const name of ["-x", "a", "b", "git", "env", "x.x", "a=1", "b c"]) writeFileSync(join(work, name), "");
  return { root, work };
}

/** Runs every line in a shell of its own, and gives what was called for each. One process drives them all. */
function callsOf(shell: string, lines: readonly string[], { root, work }: Scratch): string[][][] {
  for (const [index, line] of lines.entries()) {
    writeFileSync(join(root, "lines", `${index}`), line);
    writeFileSync(join(root, "logs", `${index}`), "");
  }
  // Names that no stub has are written down as well.
  const driver = `command_not_found_handle() { printf '%s\\0' $(($# - 1)) "$@" >> "$LOG"; }
  export -f command_not_found_handle
  for ((i = 0; i < ${lines.length}; i++)); do
    rm -rf ${root}/work/f
    IFS= read -r -d '' line < ${root}/lines/$i
    LOG=${root}/logs/$i PATH=${root}/bin HOME=${root}/home x=b ${shell} -c "$line" >/dev/null 2>&1 </dev/null
  done; sleep 0.5`;
  const { status, error } = spawnSync("/bin/bash", ["-c", driver], { cwd: work, timeout: 120_000 });
  expect([status, error]).toEqual([0, undefined]);
  return lines.map((_, index) => readCalls(readFileSync(join(root, "logs", `${index}`), "utf8")));
}

function readCalls(log: string): string[][] {
  const fields = log.split("\0").slice(0, -1);
  const calls: string[][] = [];
  while (fields.length > 0) calls.push(fields.splice(0, Number(fields.shift()) + 1));
  return calls;
}

/** Whether a call is one that was read; a hole may have become anything. */
function isAmong(call: readonly string[], commands: readonly (readonly string[])[]): boolean {
  const [program = "", ...args] = call;
  const called = [program, ...args].join("\0");
  return commands.some(([first = "", ...words]) => {
    const text = [first.replace(/^.*\//, ""), ...words].join("\0");
    const pattern = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(HOLE, "[\\s\\S]*");
    return new RegExp(`^${pattern}$`).test(called);
  });
}

/** The least number of calls that 500 lines come to: not every shell tells of programs that are not there. */
const SHELLS = [
  ["/bin/bash", 250],
  ["/bin/sh", 100],
] as const;

test.each(SHELLS)(
  "%s runs nothing that the reader did not see",
  (shell, least) => {
    const place = scratch();
    const generated = fc.sample(
      fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join("")),
      { numRuns: 30_000, seed: 20261115 },
    );
    const readable = [...new Set(generated)]
      .filter((line) => (commandsOf(line)?.length ?? 0) > 0)
      .slice(0, LINES);
    expect(readable.length).toBe(LINES);
    const calls = callsOf(shell, readable, place);
    const unseen = readable.flatMap((line, index) => {
      const commands = commandsOf(line) ?? [];
      const hidden = (calls[index] ?? []).filter((call) => !isAmong(call, commands));
      return hidden.length > 0 ? [{ line, commands, hidden }] : [];
    });
    expect(unseen).toEqual([]);
    expect(calls.flat().length).toBeGreaterThan(least);
  },
  120_000,
);

test("the stubs would show what the reader missed", () => {
  const lines = ["a $(b)", "a `b`", "eval b", "a=1 b 'c d'", "a <(b)", 'a "$(b)"', "b{,}", "./c; [ x ]"];
  const calls = callsOf("/bin/bash", lines, scratch());
  expect(calls.map((some) => some.map(([program]) => program).sort())).toEqual([
    ["a", "b"],
    ["a", "b"],
    ["b"],
    ["b"],
    ["a", "b"],
    ["a", "b"],
    ["b"],
    ["c"],
  ]);
  expect(calls[3]).toEqual([["b", "c d"]]);
});
