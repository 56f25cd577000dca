import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";

/* A script that is not executable is run by what its #! names, as the system would run it after chmod +x. */

/** An interpreter that says which words it was given. */
const READER = `#!/bin/sh
while [ $# -gt 0 ]; do printf '<%s>' "\${1##*/}" >&2; shift; done; exit 2
`;

interface Report {
  readonly note?: { readonly message: string; readonly fix: string };
  readonly tries: readonly { readonly outcome: { readonly decision: { readonly reason?: string } } }[];
  readonly problems: readonly { readonly message: string }[];
}

/** `BIN` stands for the folder of that interpreter, which is on PATH too. */
async function tried(script: string, first: string) {
  const project = scratch();
  const bin = join(project.project, "bin");
  project.file("bin/reader", READER, 0o755);
  project.file(script, `${first.replaceAll("BIN", bin)}\necho from sh >&2; exit 2\n`);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const { code, stdout, stderr } = await project.belay(["try", script, "Stop", "--json"], { env });
  const { note, tries, problems } = JSON.parse(stdout.replaceAll(bin, "BIN")) as Report;
  const messages = problems.map(({ message }) => message);
  return { code, stderr, note, messages, reason: tries[0]?.outcome.decision.reason };
}

interface Row {
  readonly first: string;
  readonly script?: string;
  /** The words before the script's name. */
  readonly run: string;
  /** What the interpreter was given before it. */
  readonly given?: string;
}

const ROWS: readonly Row[] = [
  { first: "#!BIN/reader", run: "BIN/reader" },
  { first: "#! BIN/reader\t", run: "BIN/reader" },
  { first: "#!/usr/bin/env reader", run: "reader" },
  { first: "#!/usr/bin/env -S reader -x --y=1", run: "reader -x --y=1", given: "<-x><--y=1>" },
  // A shell never reads what stands there.
  { first: "#!BIN/reader $(exit);`exit`", run: "BIN/reader '$(exit);`exit`'", given: "<$(exit);`exit`>" },
  { first: "#!BIN/reader 'a'", run: "BIN/reader ''\\''a'\\'''", given: "<'a'>" },
  // What env takes apart by rules of its own is left to it.
  { first: '#!/usr/bin/env -S reader "a b"', run: `/usr/bin/env -S 'reader "a b"'`, given: "<a b>" },
  { first: "#!BIN/reader", script: "a", run: "BIN/reader" },
  { first: "#!BIN/reader", script: "a.ts", run: "BIN/reader" },
  { first: "#!BIN/reader", script: "a b.py", run: "BIN/reader" },
];

describe("a script with a #! that is not executable", () => {
  it.each(ROWS.map((row) => [row.first, row] as const))("%s", async (first, row) => {
    const { script = "a.sh", run, given = "" } = row;
    const shown = script.includes(" ") ? `'${script}'` : script;
    expect(await tried(script, first)).toEqual({
      code: 0,
      stderr: "",
      note: {
        message: `${script} is not executable, so it is run as \`${run} ${shown}\``,
        fix: `chmod +x ${shown}; or write \`${run} …\` in the settings too`,
      },
      messages: [],
      reason: `${given}<${script}>`,
    });
  });

  it("is run by it even where a byte order mark hides it from the system", async () => {
    const { note, reason } = await tried("a.sh", "\uFEFF#!BIN/reader");
    expect([note?.message, reason]).toEqual([
      "a.sh begins with a byte order mark (BOM) before its #! and is not executable, so it is run as `BIN/reader a.sh`",
      "<a.sh>",
    ]);
  });

  const BAD: readonly [first: string, said: string][] = [
    ["#!/no/such/bash", "names /no/such/bash: there is no such program"],
    ["#!/usr/bin/env no-such-bash", "names no-such-bash: it is not on PATH here"],
    [
      "#!BIN/reader\r",
      "names BIN/reader: the line ends in a carriage return, which becomes part of the name",
    ],
    ["#!", "names nothing: an interpreter is missing behind #!"],
  ];
  it.each(BAD)("is run by nobody where %j would not start it", async (first, said) => {
    expect(await tried("a.sh", first)).toEqual({
      code: 2,
      stderr: "",
      note: undefined,
      messages: [expect.stringContaining("a.sh is not executable"), `the first line of a.sh ${said}`],
      reason: undefined,
    });
  });
});
