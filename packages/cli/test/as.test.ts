import { HARNESSES } from "@belay/harness";
import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";

const PROGRAMS = HARNESSES.filter(({ reads }) => reads !== undefined);
const ENV = { env: { COLUMNS: "200", NO_COLOR: "1" } };
/** A scratch project with these files, and `belay` in it. */
function withFiles(files: Readonly<Record<string, string>>) {
  const { file, belay } = scratch();
  for (const [name, content] of Object.entries(files)) file(name, content, 0o755);
  return belay;
}

const DENY = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };

function hooks(...entries: object[]): string {
  return JSON.stringify({ hooks: { PreToolUse: [{ hooks: entries }] } });
}

const WORDLESS = hooks({ name: "guard", type: "json", json: DENY });
const ALLOWS = hooks({ name: "nod", type: "json", json: {} });

describe("belay run --as", () => {
  /** The exit code with one agent says what happens there; with several whether a restriction is lost. */
  const rows: [name: string, config: string, as: string, code: number][] = [
    ["a refusal that holds", WORDLESS, "claude-code", 2],
    ["a refusal that is lost", WORDLESS, "codex", 0],
    ["a refusal that one of several loses", WORDLESS, "claude-code,codex", 2],
    ["nothing to lose", ALLOWS, "all", 0],
  ];
  for (const [name, config, as, code] of rows)
    it(`exits by what happens: ${name}`, async () => {
      const run = withFiles({ "hooks.json": config });
      expect((await run(["run", "PreToolUse", "--config", "hooks.json", "--as", as], ENV)).code).toBe(code);
    });

  it("prints the contract as JSON: one object for one agent, a list for several", async () => {
    const run = withFiles({ "hooks.json": WORDLESS });
    const args = ["run", "PreToolUse", "--config", "hooks.json", "--json", "--as"];
    const one = JSON.parse((await run([...args, "codex"], ENV)).stdout);
    expect(one).toMatchObject({
      agent: "codex",
      step: "runs",
      turn: "goes-on",
      toAgent: [],
      lost: [{ code: "agent-loses-restriction", what: "deny", fix: "add permissionDecisionReason" }],
      runs: [{ stdout: JSON.stringify(DENY) }],
    });
    const all = JSON.parse((await run([...args, "all"], ENV)).stdout);
    const steps = all.map(({ agent, step }: { agent: string; step: string }) => `${agent} ${step}`);
    expect(steps.slice(0, 3)).toEqual(["claude-code refused", "codex runs", "cursor runs"]);
    // A new agent is no edit here.
    expect(steps).toHaveLength(PROGRAMS.length);
  });

  it("knows nothing of a hook that did not run for lack of trust", async () => {
    const run = withFiles({ ".belay/settings.json": WORDLESS });
    const { code, stdout } = await run(["run", "PreToolUse", "--as", "claude-code,codex"], ENV);
    expect(code).toBe(3);
    expect(stdout).toContain("? Claude Code 2.1.325  not known: a hook gave no answer here");
    expect(stdout).not.toContain("✓");
    const json = await run(["run", "PreToolUse", "--as", "codex", "--json"], ENV);
    expect([json.code, JSON.parse(json.stdout).step]).toEqual([3, "unknown"]);
  });

  it("says each reason once, and how many agents lose it", async () => {
    const run = withFiles({ "hooks.json": WORDLESS });
    const { stdout } = await run(["run", "PreToolUse", "--config", "hooks.json", "--as", "all"], ENV);
    expect(stdout).toContain("✗ Codex 0.166.0");
    expect(stdout.match(/fix: add permissionDecisionReason/g)).toHaveLength(1);
    expect(stdout).toContain(`agents of ${PROGRAMS.length} would do what a hook wanted to stop`);
  });

  it("suggests the agent that is meant", async () => {
    const run = withFiles({ "hooks.json": WORDLESS });
    const { code, stderr } = await run(["run", "PreToolUse", "--config", "hooks.json", "--as", "codx"], ENV);
    expect([code, stderr]).toEqual([
      1,
      'belay: there is no agent "codx" that is known here; did you mean codex?\n',
    ]);
  });
});

const CASES = {
  "hooks.json": WORDLESS,
  "guard.hooks.json": JSON.stringify({
    config: "hooks.json",
    defaults: { event: "PreToolUse" },
    cases: [
      { name: "no call", expect: { decision: "deny" } },
      { name: "known to be lost", expect: { decision: "deny" }, as: { codex: "runs" } },
    ],
  }),
};

describe("a settings file that Claude Code reads otherwise", () => {
  const guard = { type: "command", command: "echo no >&2; exit 2" };
  const group = { matcher: "Bash", hooks: [guard] };
  const text = (groups: readonly object[]) => JSON.stringify({ hooks: { PreToolUse: groups } });
  const rows: [name: string, file: string, code: string, why: RegExp][] = [
    ["a flat entry", text([guard, group]), "config-file-void", /^Claude Code skips .*hooks\.json as a whole/],
    ["a comma too many", `${text([group]).slice(0, -1)},}`, "config-file-void", /no JSON$/],
    [
      "an `if` that is no rule",
      text([{ matcher: "Bash", hooks: [{ ...guard, if: "Bash(((" }] }]),
      "config-if-no-rule",
      /Claude Code never runs this hook$/,
    ],
  ];
  for (const [name, file, code, why] of rows)
    it(`holds no hook there: ${name}`, async () => {
      const run = withFiles({ "hooks.json": file });
      const args = ["--config", "hooks.json", "--json", "--as"];
      const fired = await run(["run", "PreToolUse", ...args, "codex,claude-code"], ENV);
      const lost = [{ code: "agent-loses-restriction", what: "deny", why: expect.stringMatching(why) }];
      expect([fired.code, JSON.parse(fired.stdout)]).toMatchObject([
        2,
        [
          { agent: "codex", step: "refused" },
          { agent: "claude-code", step: "runs", lost },
        ],
      ]);
      const checked = await run(["check", ...args, "claude-code"], ENV);
      const codes = JSON.parse(checked.stdout).problems.map((problem: { code: string }) => problem.code);
      expect([checked.code, codes.filter((one: string) => one === code)]).toEqual([1, [code]]);
    });
});

it("names no version where only documentation is known", async () => {
  const run = withFiles({ "hooks.json": JSON.stringify({ hooks: { TeammateIdle: [{ hooks: [] }] } }) });
  const args = ["run", "TeammateIdle", "--config", "hooks.json", "--as", "claude-code", "--json"];
  expect(JSON.parse((await run(args, ENV)).stdout)).toMatchObject({ version: "", measured: "" });
});

it("knows nothing of a hook of a type that runs in the agent alone", async () => {
  const run = withFiles({ "hooks.json": hooks({ type: "mcp_tool", server: "s", tool: "t" }) });
  const args = ["run", "PreToolUse", "--config", "hooks.json", "--as", "claude-code", "--json"];
  expect(JSON.parse((await run(args, ENV)).stdout).step).toBe("unknown");
});

describe("belay test --as", () => {
  it("fails a case for an agent that is looser than the case expects, unless the case says so", async () => {
    const run = withFiles(CASES);
    const { code, stdout } = await run(["test", "--as", "claude-code,codex"], ENV);
    expect(code).toBe(2);
    expect(stdout).toContain("✗ no call");
    expect(stdout).toContain(
      "Codex 0.166.0: expected refused, received runs; deny lost: a deny without a reason is ignored there (agent-loses-restriction); fix: add permissionDecisionReason",
    );
    expect(stdout).toContain("✓ Claude Code 2.1.325  2 of 2 as strict as expected");
    expect(stdout).toContain("✗ Codex 0.166.0        1 of 2 as strict as expected, 1 failed");
  });

  it("names the agent in the reports of programs", async () => {
    const run = withFiles(CASES);
    for (const reporter of ["junit", "github", "tap"]) {
      const { stdout } = await run(["test", "--as", "codex", "--reporter", reporter], ENV);
      expect(stdout, reporter).toContain("Codex 0.166.0: expected refused, received runs");
    }
  });

  it("holds a case to what it says of an agent, without the flag too", async () => {
    const run = withFiles({
      ...CASES,
      "guard.hooks.json": CASES["guard.hooks.json"].replace('"runs"', '"refused"'),
    });
    expect((await run(["test"], ENV)).code).toBe(2);
  });

  it("refuses an agent that nobody knows, with its line", async () => {
    const run = withFiles({
      ...CASES,
      "guard.hooks.json": CASES["guard.hooks.json"].replace('"codex"', '"codx"'),
    });
    const { code, stderr } = await run(["test"], ENV);
    expect(code).toBe(1);
    expect(stderr).toContain("as knows no agent codx; did you mean codex?");
  });
});

it("belay try --as shows what each agent makes of every payload, and exits 2 for a lost restriction", async () => {
  const run = withFiles({ "guard.sh": `#!/bin/sh\necho '${JSON.stringify(DENY)}'\n` });
  const { code, stdout } = await run(["try", "guard.sh", "PreToolUse", "--json", "--as", "codex,kimi"], ENV);
  const { tries } = JSON.parse(stdout);
  expect([code, tries[0].emulated.map(({ step }: { step: string }) => step)]).toEqual([
    2,
    ["runs", "refused"],
  ]);
});

const ELSEWHERE = JSON.stringify({
  hooks: {
    PreCompact: [{ hooks: [{ name: "note", type: "command", command: "./note.sh" }] }],
  },
});

it("belay check --as warns of what an agent does not send, set or have, with the script's line", async () => {
  const run = withFiles({ "hooks.json": ELSEWHERE, "note.sh": '#!/bin/sh\necho "$CLAUDE_PROJECT_DIR"\n' });
  const { code, stdout } = await run(
    ["check", "--config", "hooks.json", "--json", "--as", "kimi,codex"],
    ENV,
  );
  const { problems } = JSON.parse(stdout);
  const said = problems.map(({ code, line }: { code: string; line: number }) => `${code} ${line}`);
  expect(code).toBe(0);
  expect(said).toContain("agent-no-event 1");
  expect(said).toContain("agent-no-variable 2");
});

it("belay why --as names the event of each agent, and says where there is none", async () => {
  const run = withFiles({ "hooks.json": ELSEWHERE, "note.sh": "#!/bin/sh\n" });
  const args = ["why", "PreCompact", "--config", "hooks.json", "--as", "kimi,gemini"];
  const { stdout } = await run(args, ENV);
  expect(stdout).toContain("! Kimi Code 2.1.0    no such event: no hook runs");
  expect(stdout).toContain("✓ Gemini CLI 0.61.0  fires as PreCompress");
  expect(JSON.parse((await run([...args, "--json"], ENV)).stdout).agents).toMatchObject([
    { agent: "kimi", event: null, hooks: [{ hook: "note", fires: false }] },
    { agent: "gemini", event: "PreCompress", hooks: [{ hook: "note", fires: true }] },
  ]);
});

it("means the agents of the settings by all", async () => {
  const named = (...agents: string[]) =>
    withFiles({ ".belay/settings.json": JSON.stringify({ agents }), "hooks.json": WORDLESS });
  const args = ["test", "--as", "all"];
  const cases = { "guard.hooks.json": CASES["guard.hooks.json"] };
  const run = withFiles({ ...cases, "hooks.json": WORDLESS, ".belay/settings.json": '{"agents":["kimi"]}' });
  const { stdout } = await run(args, ENV);
  expect(stdout).toContain("✓ Kimi Code 2.1.0  2 of 2");
  expect(stdout).not.toContain("Claude Code");
  const { code, stderr } = await named("codx")(["run", "PreToolUse", "--as", "all"], ENV);
  expect([code, stderr]).toEqual([
    1,
    'belay: "agents" in .belay/settings.json: there is no agent "codx" that is known here; did you mean codex?\n',
  ]);
});
