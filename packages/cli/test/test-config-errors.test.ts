import { describe, expect, it } from "vitest";
import { run, runEach } from "./case-files.ts";

/* An error that keeps a guard off: the guard refuses nothing then, and that would look like a pass. */

const GUARD = { type: "command", name: "guard", command: "exit 2" };
const GOOD = { matcher: "Bash", hooks: [GUARD] };
const TYPO = { PreTooluse: [GOOD] };
const NONE = "{ decision: none }";

const cases = (expected: string, head = "config: bad.json\n") =>
  `${head}cases: [{ name: one, event: PreToolUse, expect: ${expected} }]\n`;

async function runWith(hooks: object, yaml: string, args: readonly string[] = [], name = "bad.json") {
  const { code, stdout, stderr } = await run({ "a.hooks.yaml": yaml }, args, ({ config }) =>
    config(hooks, name),
  );
  return { code, stderr, stdout: stdout.replaceAll(/\d+ ms/g, "N ms") };
}

const MISSPELT =
  'there is no event "PreTooluse"; its hooks are off (did you mean PreToolUse?); fix: Use PreToolUse.';
const FLAT =
  'hooks.PreToolUse[0] is a hook where a group is expected; it is off; fix: Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".';

describe("belay test, with an error in the config that keeps hooks off", () => {
  const ROWS: readonly [what: string, hooks: object, expected: string, said: string][] = [
    ["an event that there is not", TYPO, NONE, `bad.json:1: ${MISSPELT}`],
    ["an entry without its group", { PreToolUse: [GUARD] }, NONE, `bad.json:1: ${FLAT}`],
    ["beside one that works", { PreToolUse: [GUARD, GOOD] }, "{ decision: deny }", `bad.json:1: ${FLAT}`],
    ["where the case is about messages", TYPO, "{ user: [no event] }", `bad.json:1: ${MISSPELT}`],
    ["where it expects nothing yet", TYPO, "{}", `bad.json:1: ${MISSPELT}`],
    [
      "of which there are several",
      { PreToolUse: [GUARD, GUARD], Stopp: [] },
      "{ diagnostics: [config-unknown-event] }",
      `bad.json:1: ${FLAT} And 1 error more; next: belay check --config bad.json`,
    ],
  ];
  const hooksAs = (name: string) => ({ [name]: { PreToolUse: [GOOD] } });
  const MISPLACED: readonly [settings: object, said: string][] = [
    ...["hook", "hoks", "Hooks"].map((name): [object, string] => [
      hooksAs(name),
      `\`${name}\`; its hooks are off (did you mean hooks?)`,
    ]),
    ...["PreToolUse", "preToolUse"].map((name): [object, string] => [
      { [name]: [GOOD] },
      `${name} stands at the top of the file`,
    ]),
  ];
  it.each([[[]], [["--update"]], [["--reporter", "github"]]])("a case fails (%j)", async (args) => {
    const texts = [...ROWS.map(([, , expected]) => expected), ...MISPLACED.map(() => NONE)].map(
      (expected, index) => cases(expected, `config: bad${index}.json\n`),
    );
    const { code, stdout } = await runEach(texts, args, ({ config, file }) => {
      for (const [index, [, hooks]] of ROWS.entries()) config(hooks, `bad${index}.json`);
      for (const [index, [settings]] of MISPLACED.entries())
        file(`bad${ROWS.length + index}.json`, JSON.stringify(settings));
    });
    expect(code).toBe(2);
    const all = stdout.replaceAll(/\s+/g, " ");
    for (const [index, [, , , said]] of ROWS.entries())
      expect(all).toContain(said.replaceAll("bad.json", `bad${index}.json`));
    for (const [, said] of MISPLACED) expect(all).toContain(said);
  });

  it("also one about the project's own settings", async () => {
    const { code, stdout } = await runWith(TYPO, cases(NONE, ""), [], ".belay/settings.json");
    expect([code, stdout]).toEqual([2, expect.stringContaining(`.belay/settings.json:1: ${MISSPELT}`)]);
  });

  it("a case passes whose event has none of it", async () => {
    const { code } = await runWith({ PreToolUse: [GOOD], Stop: [GUARD] }, cases("{ decision: deny }"));
    expect(code).toBe(0);
  });

  it("a case passes beside a hook of a type that the agent runs whose file it is", async () => {
    const hooks = { PreToolUse: [GOOD, { hooks: [{ type: "agent", prompt: "look" }] }] };
    const of = (file: string) => cases("{ decision: deny }", `config: ${file}\ndialect: claude-code\n`);
    const elsewhere = ".claude/settings.json";
    expect(await runWith(hooks, of(elsewhere), [], elsewhere)).toMatchObject({ code: 0 });
    expect(await runWith(hooks, of("bad.json"))).toMatchObject({ code: 2 });
  });

  it.each([NONE, "{ decision: none, diagnostics: [] }"])("--update blames no hook: %s", async (expected) => {
    const { stderr } = await runWith({ PreToolUse: [GUARD, GOOD] }, cases(expected), ["--update"]);
    expect(stderr).toContain(
      "one was not updated: an error in its config keeps hooks off; correct the config",
    );
  });

  it("it is read once in a file", async () => {
    const names = ["one", "two", "three"].map((name) => `{ name: ${name}, expect: ${NONE} }`);
    const yaml = `config: bad.json\ndefaults: { event: PreToolUse }\ncases:\n${names.map((one) => `  - ${one}\n`).join("")}`;
    expect(await runWith({ PreToolUse: [GUARD] }, yaml)).toEqual({
      code: 2,
      stderr: "",
      stdout: `✗ a.hooks.yaml  3 cases, 3 failed
  ✗ one  a.hooks.yaml:4
      bad.json:1: ${FLAT}
  ✗ two  a.hooks.yaml:5
      for the same reason
  ✗ three  a.hooks.yaml:6
      for the same reason

3 failed, N ms
`,
    });
  });

  it("a case passes that expects just that, by its code", async () => {
    const about = "{ decision: none, diagnostics: [config-unknown-event] }";
    expect(await runWith(TYPO, cases(about))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 passed"),
    });
  });

  it("what cannot be read says how to mend it, too", async () => {
    const { code, stdout } = await run({ "a.hooks.yaml": cases(NONE), "bad.json": "{" });
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/bad\.json cannot be read: .*; fix: Correct it there, /),
    ]);
  });

  it("coverage says of no hook that it gave every answer", async () => {
    const { stdout } = await runWith(TYPO, cases(NONE), ["--coverage"]);
    expect(stdout).toMatch(/\ncoverage: 0 of 0 hooks ran\n {2}no case came to a hook\n$/);
    const beside = await runWith({ PreToolUse: [GUARD, GOOD] }, cases(NONE), ["--coverage"]);
    expect(beside.stdout).toMatch(
      /\ncoverage: 0 of 1 hook ran\n {2}✗ guard .*\n {6}no case runs it \(matcher Bash\)\n/,
    );
  });
});
