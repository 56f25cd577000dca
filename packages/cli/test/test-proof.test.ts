import { describe, expect, it } from "vitest";
import { run, runEach } from "./case-files.ts";
import { type Scratch, scratch } from "./cli.ts";
import { command } from "./recorded.ts";

/* Cases that prove nothing fail, and say why: hooks that are off, could not start, failed, or did not match. */

const GUARD = command("guard", "exit 2");
const GOOD = { matcher: "Bash", hooks: [GUARD] };
const NONE = "{ decision: none }";
const DENY = "{ decision: deny }";

const cases = (head: string, expected: string, event = "PreToolUse") =>
  `${head}\ncases: [{ name: one, event: ${event}, expect: ${expected} }]\n`;
const ofHook = (hook: string, expected: string, event?: string) =>
  cases(`hook: ${JSON.stringify(hook)}`, expected, event);
const timeless = (text: string) => text.replaceAll(/\d+(?:\.\d)? m?s/g, "N ms");

/** Each row is a case file. It passes, or what is printed of it holds these words. */
type Row = readonly [what: string, yaml: string, said: string | undefined];

async function expectEach(
  rows: readonly Row[],
  put?: (project: Scratch) => void,
  args: readonly string[] = [],
) {
  const result = await runEach(
    rows.map(([, yaml]) => yaml),
    args,
    put,
  );
  expect([result.code, result.blocks.length]).toEqual([2, rows.length]);
  for (const [index, [what, , said = ""]] of rows.entries()) {
    const block = result.blocks[index] ?? "";
    expect([what, block[0], block]).toEqual([what, said === "" ? "✓" : "✗", expect.stringContaining(said)]);
  }
  return result;
}

describe("an error in the config that keeps hooks off", () => {
  const TYPO = { hooks: { PreTooluse: [GOOD] } };
  const MISSPELT =
    'there is no event "PreTooluse"; its hooks are off (did you mean PreToolUse?); fix: Use PreToolUse.';
  const FLAT =
    'hooks.PreToolUse[0] is a hook where a group is expected; it is off; fix: Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".';
  const BESIDE = { hooks: { PreToolUse: [GUARD, GOOD] } };
  const SETTINGS: readonly [what: string, settings: object, expected: string, said: string | undefined][] = [
    ["an event that there is not", TYPO, NONE, `bad.json:1: ${MISSPELT}`],
    ["an entry without its group", { hooks: { PreToolUse: [GUARD] } }, NONE, `bad.json:1: ${FLAT}`],
    ["beside one that works", BESIDE, DENY, `bad.json:1: ${FLAT}`],
    ["where the case is about messages", TYPO, "{ user: [no event] }", `bad.json:1: ${MISSPELT}`],
    ["where it expects nothing yet", TYPO, "{}", `bad.json:1: ${MISSPELT}`],
    [
      "of which there are several",
      { hooks: { PreToolUse: [GUARD, GUARD], Stopp: [] } },
      "{ diagnostics: [config-unknown-event] }",
      `bad.json:1: ${FLAT} And 1 error more; next: belay check --config bad.json`,
    ],
    ["hooks by another name", { hoks: { PreToolUse: [GOOD] } }, NONE, "`hoks`; its hooks are off"],
    ["events at the top", { PreToolUse: [GOOD] }, NONE, "PreToolUse stands at the top of the file"],
    ["of another event", { hooks: { PreToolUse: [GOOD], Stop: [GUARD] } }, DENY, undefined],
    ["expected by its code", TYPO, "{ decision: none, diagnostics: [config-unknown-event] }", undefined],
  ];
  it.each([[[]], [["--update"]]])("a case fails (%j)", async (args) => {
    const rows = SETTINGS.map(([what, , expected, said], index): Row => {
      const name = `bad${index}.json`;
      return [what, cases(`config: ${name}`, expected), said?.replaceAll("bad.json", name)];
    });
    const { stderr } = await expectEach(
      rows,
      ({ file }) => {
        for (const [index, [, settings]] of SETTINGS.entries())
          file(`bad${index}.json`, JSON.stringify(settings));
      },
      args,
    );
    const notUpdated = "one was not updated: an error in its config keeps hooks off; correct the config\n";
    if (args.length > 0) expect(stderr.split(notUpdated)).toHaveLength(9);
  });

  it("also one about the project's own settings, and what cannot be read", async () => {
    const own = { "a.hooks.yaml": cases("", NONE), ".belay/settings.json": JSON.stringify(TYPO) };
    expect(await run(own)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`.belay/settings.json:1: ${MISSPELT}`),
    });
    expect(await run({ "a.hooks.yaml": cases("config: bad.json", NONE), "bad.json": "{" })).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/bad\.json cannot be read: .*; fix: Correct it there, /),
    });
  });

  it("a case passes beside a hook of a type that only Claude Code runs", async () => {
    const settings = JSON.stringify({
      hooks: { PreToolUse: [GOOD, { hooks: [{ type: "agent", prompt: "look" }] }] },
    });
    const yaml = cases("config: settings.json\ndialect: claude-code", DENY);
    expect(await run({ "a.hooks.yaml": yaml, "settings.json": settings })).toMatchObject({ code: 0 });
  });

  it("it is read once in a file, and its hooks are covered by no case", async () => {
    const names = ["one", "two", "three"].map((name) => `  - { name: ${name}, expect: ${NONE} }\n`);
    const yaml = `config: bad.json\ndefaults: { event: PreToolUse }\ncases:\n${names.join("")}`;
    const files = { "a.hooks.yaml": yaml, "bad.json": JSON.stringify(BESIDE) };
    const { code, stdout, stderr } = await run(files, ["--coverage"]);
    expect([code, stderr, timeless(stdout).split("\ncoverage: ")]).toEqual([
      2,
      "",
      [
        `✗ a.hooks.yaml  3 cases, 3 failed
  ✗ one  a.hooks.yaml:4
      bad.json:1: ${FLAT}
  ✗ two  a.hooks.yaml:5
      for the same reason
  ✗ three  a.hooks.yaml:6
      for the same reason

3 failed, N ms
`,
        expect.stringMatching(/^0 of 1 hook ran\n {2}✗ guard .*\n {6}no case runs it \(matcher Bash\)\n/),
      ],
    ]);
    const none = await run({ ...files, "bad.json": JSON.stringify(TYPO) }, ["--coverage"]);
    expect(none.stdout).toMatch(/\ncoverage: 0 of 0 hooks ran\n {2}no case came to a hook\n$/);
  });
});

it("a script that would not start by its name alone is run, and that is told once, as belay try does", async () => {
  const yaml = `# two\nhook: plain.sh\ndefaults: { event: Stop }\ncases: [{ name: a, expect: ${NONE} }, { name: b, expect: ${NONE} }]\n`;
  const { code, stdout } = await run({ "a.hooks.yaml": yaml, "plain.sh": "#!/bin/sh\nexit 0\n" });
  expect([code, timeless(stdout)]).toEqual([
    0,
    `✓ a.hooks.yaml  2 cases
  ! a.hooks.yaml:2  plain.sh is not executable, so it is run as \`/bin/sh plain.sh\`
    fix: chmod +x plain.sh; or write \`/bin/sh …\` in the settings too

2 passed, 1 warning, N ms
`,
  ]);
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
  const { code, stdout } = await run({ "a.hooks.yaml": yaml });
  expect([code, timeless(stdout)]).toEqual([
    0,
    `✓ a.hooks.yaml  3 cases
  ! a.hooks.yaml:6  case "two": PreToolUse has no tool_inpt; did you mean tool_input?
  ! a.hooks.yaml:9  case "three": tool_input is "none", where PreToolUse has an object; belay schema PreToolUse --input says what it holds

3 passed, 2 warnings, N ms
`,
  ]);
});

/** Not even its first line can be read. */
const BROKEN = "#!/usr/bin/env python3\ndef guard(:\n";
const CRASH = "echo 'Traceback: boom' >&2; echo more >&2; exit 1";

describe("a hook that gave no answer of its own has passed no test, but where a case is about that", () => {
  const CRASHED = "failed: exited with 1: Traceback: boom; ";
  const USER = "a case about that expects what the user reads, user: […]";
  const EXIT_2 = "exit 1 does not refuse; exit 2 does";
  const about = (code: string) => `a case about that expects diagnostics: [${code}]`;
  const ROWS: readonly Row[] = [
    ["names no program", ofHook("bad.sh", NONE), `bad.sh could not start; ${about("run-not-started")}`],
    ["that is warned of", ofHook("bad.sh", NONE), "the first line of bad.sh names /no/such/sh: there is no"],
    ["why is said", ofHook("bad.sh", NONE), "bad.sh: fault, exit 127, the hook could not start: exit 127: "],
    ["expects nothing yet", ofHook("bad.sh", "{}"), "could not start"],
    ["expects just that", ofHook("bad.sh", "{ decision: none, diagnostics: [run-not-started] }"), undefined],
    ["is not found", ofHook("python3 gone.py", NONE), `could not start; ${about("run-script-not-found")}`],
    [
      "a script that cannot be read",
      ofHook("./broken.py", NONE),
      "broken.py failed: exited with 1: SyntaxError: ",
    ],
    ["an exception", ofHook(CRASH, NONE), CRASHED + USER],
    ["no diagnostic is expected, and none is there", ofHook(CRASH, "{ diagnostics: [] }"), CRASHED + USER],
    ["where nothing can be refused", ofHook(CRASH, NONE, "SessionEnd"), CRASHED + USER],
    ["a refusal is expected", ofHook(CRASH, DENY), `${CRASHED}${EXIT_2} decision`],
    ["that it is refused is", ofHook(CRASH, "{ blocked: true }"), `${CRASHED}${EXIT_2} blocked`],
    ["how it is refused is", ofHook(CRASH, "{ action: block-stop }", "Stop"), `${CRASHED}${EXIT_2} action`],
    ["a refusal where there is none", ofHook(CRASH, "{ blocked: true }", "SessionEnd"), CRASHED + USER],
    ["printed nonsense", ofHook("echo '{oops'", NONE), about("output-malformed")],
    ["died", ofHook("kill -9 $$", NONE), about("run-killed")],
    ["a guard that must answer", cases("config: block.json", DENY), about("run-failure-blocks")],
    ["a shell that cannot read it", ofHook("grep -q rm && { exit 2", DENY), about("run-script-syntax")],
    ["what the user is told is expected", ofHook(CRASH, "{ decision: none, user: [Traceback] }"), undefined],
    ["the diagnostic is", ofHook("kill -9 $$", "{ diagnostics: [run-killed] }"), undefined],
    ["a refusal with nonsense beside it", ofHook("echo '{oops'; exit 2", DENY), undefined],
    [
      "an answer beside exit 1",
      ofHook(`echo '{"continue":false,"stopReason":"no"}'; exit 1`, "{ decision: stop }"),
      undefined,
    ],
  ];
  const put = ({ file, config }: Scratch) => {
    file("bad.sh", "#!/no/such/sh\nexit 0\n", 0o755);
    file("broken.py", BROKEN, 0o755);
    config({ PreToolUse: [{ hooks: [{ ...command("guard", CRASH), onFailure: "block" }] }] }, "block.json");
  };
  it("in the text", async () => void (await expectEach(ROWS, put)));

  it("in the reports that programs read", async () => {
    const { code, stdout } = await run(
      { "a.hooks.yaml": ofHook("bad.sh", NONE) },
      ["--reporter", "github"],
      put,
    );
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

  it("in the coverage", async () => {
    const { stdout } = await run({ "a.hooks.yaml": ofHook(CRASH, "{ user: [boom] }") }, ["--coverage"]);
    expect(stdout).toContain("1 case: fault\n");
    expect(stdout).toMatch(/no case saw: .*stop, silence\n/);
  });
});

describe("a script that is there for its author, and not for a case", () => {
  const BESIDE =
    'a case runs in a folder of its own: write hook: guard.sh, or in the command "$BELAY_PROJECT_DIR"/';
  const HOME = "a case has a home of its own, which is empty: ";
  const OF_HOOK: readonly [hook: string, hint: string | undefined][] = [
    ["sh guard.sh", `${BESIDE}.belay/hooks/guard.sh`],
    ["./guard.sh --strict", BESIDE.replace("guard.sh", "./guard.sh")],
    ["python3 ~/guard.py", HOME],
    ['sh "$HOME"/guard.sh', HOME],
    ["sh /no/such/guard.sh", undefined],
    ["sh gone.sh", undefined],
  ];
  it("is told how to name it", async () => {
    const { belay, file } = scratch();
    file(".belay/hooks/guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
    for (const [index, [hook]] of OF_HOOK.entries())
      file(`.belay/hooks/${index}.hooks.yaml`, ofHook(hook, DENY));
    const { stdout, code } = await belay(["test", "--coverage"], { env: { COLUMNS: "300", NO_COLOR: "1" } });
    const blocks = stdout.split(/^✗ .*hooks\.yaml/m).slice(1);
    expect([code, blocks.length]).toEqual([2, OF_HOOK.length]);
    for (const [index, [hook, hint]] of OF_HOOK.entries())
      expect([hook, /a case (?:runs in|has) .*/.exec(blocks[index] ?? "")?.[0]]).toEqual([
        hook,
        hint === undefined ? undefined : expect.stringContaining(hint),
      ]);
    expect(stdout).toContain(
      "  ✗ sh guard.sh  PreToolUse  .belay/hooks/0.hooks.yaml\n      it could not start in 1 case\n",
    );
  });

  const WAY = 'name the script by "$BELAY_PROJECT_DIR"/… in the settings';
  const CLAUDE = ".claude/settings.json";
  const OF_SETTINGS: readonly [file: string, line: string, way: string | undefined, more?: string][] = [
    ["c.json", "./calls.sh", WAY],
    ["c.json", "hooks/calls.sh --strict", WAY],
    ["c.json", "bash ./calls.sh", WAY],
    [CLAUDE, "hooks/calls.sh", WAY.replace("BELAY", "CLAUDE")],
    // It is not the way that is missing.
    ["c.json", "./gone.sh", undefined],
    ["c.json", 'bash "$BELAY_PROJECT_DIR/gone.sh"', undefined],
    [CLAUDE, '"$CLAUDE_PROJECT_DIR"/hooks/calls.sh', undefined],
    ["c.json", 'bash "$BELAY_PROJECT_DIR"/calls.sh', undefined],
    ["c.json", "./calls.sh", undefined, ", folder: ."],
  ];
  it("is told how settings name it", async () => {
    // A file of another agent's settings has a name of its own: such rows share a folder's name, not a folder.
    const nameOf = (file: string, index: number) =>
      file === CLAUDE ? `n${index}/${file}` : `c${index}.json`;
    const texts = OF_SETTINGS.map(([file, , , more = ""], index) =>
      cases(`config: ${nameOf(file, index)}`, DENY).replace(" }]", `${more} }]`),
    );
    const { code, blocks } = await runEach(texts, [], (project) => {
      for (const [index, [file, line]] of OF_SETTINGS.entries())
        project.config({ PreToolUse: [{ hooks: [command("guard", line)] }] }, nameOf(file, index));
      for (const name of ["calls.sh", "hooks/calls.sh"])
        project.file(name, "#!/bin/bash\nno-such-program\n", 0o755);
    });
    expect(code).toBe(2);
    for (const [index, [file, line, way]] of OF_SETTINGS.entries()) {
      expect(blocks[index]).toMatch(/^✗/);
      const said = /name the script by .* in the settings/.exec(blocks[index] ?? "")?.[0];
      expect([file, line, said]).toEqual([file, line, way]);
    }
  });
});

describe("why no hook ran is said as belay why says it", () => {
  const hooks = (...matchers: string[]) => ({
    PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [command(`of ${matcher}`, "exit 2")] })),
    Stop: [{ hooks: [command("last", "exit 2")] }],
  });
  const NO_RUN = "no hook ran: none matched this event";
  const LOWER = 'of bash: tool_name "Bash" is none of "bash" (names are case-sensitive)';
  const other = (name: string) => `of ${name}: tool_name "Bash" is none of "${name}"`;
  const NAMES = Array.from({ length: 10 }, (_, index) => `Tool${index}`);
  const ROWS: readonly [config: object, said: readonly string[]][] = [
    [hooks(), [NO_RUN]],
    [hooks("bash"), [NO_RUN, LOWER]],
    [hooks(...NAMES, "X", "Y"), [NO_RUN, ...NAMES.map(other), "and 2 hooks more"]],
  ];
  it("in the text and in TAP", async () => {
    const texts = ROWS.map((_, index) => cases(`config: c${index}.json`, DENY));
    const { blocks, project } = await runEach(texts, [], ({ config }) => {
      for (const [index, [settings]] of ROWS.entries()) config(settings, `c${index}.json`);
    });
    const tap = (await project.belay(["test", "--reporter", "tap"])).stdout.split(/^not ok/m).slice(1);
    for (const [index, [, said]] of ROWS.entries()) {
      expect(blocks[index]?.trimEnd().endsWith(said.join(" "))).toBe(true);
      for (const line of said) expect(tap[index]).toContain(line.replaceAll('"', '\\"'));
    }
  });
});

describe("a case file without hooks", () => {
  const FOUND = { hooks: { PreToolUse: [GOOD] } };
  const text = JSON.stringify({ cases: [{ name: "a", event: "PreToolUse", expect: { decision: "deny" } }] });
  const rows: [settings: object, next: string][] = [
    [FOUND, "found .claude/settings.json; add dialect: claude-code\n"],
    [{ permissions: {} }, "add config: settings.json, or hook: a script; or next: belay init\n"],
  ];
  it.each(rows)("beside settings of another dialect: %j", async (settings, next) => {
    const { stderr } = await run({ ".claude/settings.json": JSON.stringify(settings), "a.hooks.json": text });
    expect(stderr).toContain(`a.hooks.json:1: it names no hooks, and the project has none; ${next}`);
  });

  it("is about those of the dialect that it names", async () => {
    const named = text.replace("{", '{ "dialect": "claude-code", ');
    const files = { ".claude/settings.json": JSON.stringify(FOUND), "a.hooks.json": named };
    expect((await run(files)).stdout).toContain("1 passed");
  });
});
