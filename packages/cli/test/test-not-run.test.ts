import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import type { Scratch } from "./cli.ts";

const NONE = "{ decision: none }";
const cases = (expected = NONE) => `cases: [{ name: one, event: Stop, expect: ${expected} }]\n`;

/** Files with their rights, and a case file about them. */
async function runWith(
  scripts: Readonly<Record<string, readonly [text: string, mode: number]>>,
  yaml: string,
  args: readonly string[] = [],
) {
  const put = ({ file }: Scratch) => {
    for (const [name, [text, mode]] of Object.entries(scripts)) file(name, text, mode);
  };
  const { code, stdout, stderr } = await run({ "a.hooks.yaml": yaml }, args, put);
  return {
    code,
    stderr,
    stdout: stdout.replaceAll(/\d+ ms/g, "N ms"),
  };
}

const PLAIN = { "plain.sh": ["#!/bin/sh\nexit 0\n", 0o644] } as const;
const NOTE = "plain.sh is not executable, so it is run as `/bin/sh plain.sh`";
const FIX = "chmod +x plain.sh; or write `/bin/sh …` in the settings too";

describe("a script that would not start by its name alone is run, and that is told, as belay try does", () => {
  it("once for all cases of its file", async () => {
    const yaml = `# two\nhook: plain.sh\ndefaults: { event: Stop }\ncases: [{ name: a, expect: ${NONE} }, { name: b, expect: ${NONE} }]\n`;
    expect(await runWith(PLAIN, yaml)).toEqual({
      code: 0,
      stderr: "",
      stdout: `✓ a.hooks.yaml  2 cases
  ! a.hooks.yaml:2  ${NOTE}
    fix: ${FIX}

2 passed, 1 warning, N ms
`,
    });
  });
});

it("what is probably a slip in a payload is told at its line, and handed on", async () => {
  const yaml = `hook: "if grep -q tool_inpt; then exit 2; fi"
cases:
  - { name: one, event: PreToolUse, expect: { decision: none } }
  - name: two
    event: PreToolUse
    payload:
      tool_inpt: { command: ls }
    expect: { decision: deny }
  - { name: three, event: PreToolUse, payload: { own_field: 1, tool_input: none }, expect: { decision: none } }
`;
  expect(await runWith({}, yaml)).toEqual({
    code: 0,
    stderr: "",
    stdout: `✓ a.hooks.yaml  3 cases
  ! a.hooks.yaml:6  case "two": PreToolUse has no tool_inpt; did you mean tool_input?
  ! a.hooks.yaml:9  case "three": tool_input is "none", where PreToolUse has an object; belay schema PreToolUse --input says what it holds

3 passed, 2 warnings, N ms
`,
  });
});

const BAD = { "bad.sh": ["#!/no/such/sh\nexit 0\n", 0o755] } as const;

describe("a case whose hook could not start has tested nothing", () => {
  const ROWS: readonly [what: string, yaml: string, shown: readonly string[]][] = [
    [
      "a script that names no program",
      `hook: bad.sh\n${cases()}`,
      [
        "  ! a.hooks.yaml:1  the first line of bad.sh names /no/such/sh: there is no such program",
        "bad.sh could not start; a case about that expects diagnostics: [run-not-started]",
        "bad.sh: fault, exit 127, the hook could not start: exit 127: ",
      ],
    ],
    [
      "settings that name it from the folder of the case on",
      `config: hooks.json\ncases: [{ name: one, event: PreToolUse, expect: ${NONE} }]\n`,
      [
        "guard could not start; a case about that expects",
        'name the script by "$BELAY_PROJECT_DIR"/… in the settings',
      ],
    ],
    [
      "a script that its interpreter does not find",
      `hook: python3 gone.py\n${cases()}`,
      ["python3 gone.py could not start; a case about that expects diagnostics: [run-script-not-found]"],
    ],
    [
      "a case that expects nothing yet",
      "hook: bad.sh\ncases: [{ name: one, event: Stop }]\n",
      ["could not start"],
    ],
  ];
  it.each(ROWS)("%s", async (_, yaml, shown) => {
    const settings = JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh", name: "guard" }] }] },
    });
    for (const args of [[], ["--update"]]) {
      const { code, stdout } = await runWith({ ...BAD, "hooks.json": [settings, 0o644] }, yaml, args);
      for (const text of shown) expect(stdout).toContain(text);
      expect([code, stdout]).toEqual([2, expect.stringMatching(/\n1 failed/)]);
    }
  });

  it("passes where it says so", async () => {
    const yaml = `hook: bad.sh\n${cases("{ decision: none, diagnostics: [run-not-started] }")}`;
    expect(await runWith(BAD, yaml)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 passed") });
  });

  it("is said in the reports that programs read", async () => {
    const { code, stdout } = await runWith(BAD, `hook: bad.sh\n${cases()}`, ["--reporter", "github"]);
    expect([code, stdout.split("\n")]).toEqual([
      2,
      [
        expect.stringMatching(/^::warning file=a\.hooks\.yaml,line=1::the first line of bad\.sh names /),
        expect.stringMatching(
          /^::error .*::bad\.sh could not start; .*%0Abad\.sh: fault, exit 127, the hook could not start: exit 127/,
        ),
        "",
      ],
    ]);
  });
});
