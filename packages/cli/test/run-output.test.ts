import { stripVTControlCharacters } from "node:util";
import type { Outcome } from "@belay/engine";
import { describe, expect, test } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { json, permission, shell } from "./run-entries.ts";
import { inTerminal } from "./tmux.ts";

describe("for people", () => {
  const denied = {
    PreToolUse: [shell("echo 'no force push' >&2; exit 2"), json({ systemMessage: "Mind the tests" })],
  };

  test("both columns stand side by side on a wide terminal and one below the other on a narrow one", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const [wide, narrow] = await Promise.all(
      [120, 50].map((columns) => inTerminal(command, { columns, cwd: project, env: { HOME: home } })),
    );
    const plain = (screen = "") => stripVTControlCharacters(screen);
    expect(plain(wide)).toMatch(/the user sees +│ the agent sees/);
    expect(plain(wide)).toMatch(/Mind the tests +│ +no force push/);
    expect(plain(narrow)).toMatch(/the user sees\n[^│]*the agent sees\n/);
    expect(plain(narrow)).toContain("ended 2");
    expect(wide).not.toBe(plain(wide));
    for (const line of plain(narrow).split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });

  test("NO_COLOR paints nothing", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const screen = await inTerminal(command, {
      columns: 80,
      cwd: project,
      env: { HOME: home, NO_COLOR: "1" },
    });
    expect(screen).toBe(stripVTControlCharacters(screen));
  });

  test("what a hook prints cannot repaint the screen", async () => {
    const { belay, config } = scratch();
    const evil = shell("printf '\\033[2J\\033]0;title\\007\\r\\342\\200\\256fine' >&2; exit 2");
    const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [evil] })]);
    expect(stdout).toContain("\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u202efine");
    expect(stdout).not.toMatch(/[\u001b\u0007\r\u202e]/);
  });
});

test("what a module hook prints is its run's stderr and leaves the Outcome on stdout whole", async () => {
  const { belay, config, file } = scratch();
  file(
    "chatty.mjs",
    'export default () => { console.log("to stdout"); console.error("to stderr"); return { systemMessage: "hi" }; };\n',
  );
  const settings = config({ Stop: [{ hooks: [{ type: "module", module: "./chatty.mjs" }] }] });
  const { stdout, stderr } = await belay(["run", "Stop", "--config", settings, "--json"]);
  expect([stderr, JSON.parse(stdout)]).toMatchObject([
    "",
    { messages: [{ to: "user", block: { content: "hi" } }], runs: [{ stderr: "to stdout\nto stderr\n" }] },
  ]);
});

test("--json repaints nothing either, and says the same", async () => {
  const { belay, config } = scratch();
  const evil = shell("printf '\\302\\233 \\342\\200\\256fine' >&2; exit 2");
  const { stdout } = await belay(["run", "PreToolUse", "--json", "--config", config({ PreToolUse: [evil] })]);
  expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ stderr: "\u009b \u202efine" }] });
});

describe("what a hook printed", () => {
  const REFUSE = "the reason of an exit 2 belongs on stderr";
  const HIDDEN = "that nobody sees";
  const rows: [event: string, hook: object, said: string[], unsaid: string[]][] = [
    ["PreToolUse", shell("echo one; echo two"), [`stdout ${HIDDEN}: one; -v shows all of it`], ["two"]],
    ["PreToolUse", shell("echo log >&2"), [`stderr ${HIDDEN}: log`], ["shows"]],
    ["PreToolUse", shell("printf '\\033[2J%0300d' 7 >&2"), [HIDDEN, "\\u001b[2J0000", "0…; -v"], ["\u001b"]],
    ["PreToolUse", shell("true"), [], [HIDDEN]],
    ["PreToolUse", shell("echo no >&2; exit 2"), [], [HIDDEN, REFUSE]],
    ["UserPromptSubmit", shell("echo context"), ["context"], [HIDDEN]],
    ["PreToolUse", permission("deny"), [], [HIDDEN]],
    ["PreToolUse", shell("echo why; exit 2"), [REFUSE], [HIDDEN]],
    // Exit 1 is no refusal: that is said where a refusal may have been meant.
    ["PreToolUse", shell("exit 1"), ["exit 1 does not refuse; exit 2 does"], []],
    ["PreToolUse", shell("exit 1", { onFailure: "block" }), [], ["does not refuse"]],
    ["Notification", shell("exit 2"), ["exit 2 refuses nothing at Notification"], []],
    ["SessionEnd", shell("exit 1"), [], ["does not refuse"]],
    ["PostToolUse", shell("exit 1"), [], ["does not refuse"]],
    ["PreToolUse", shell("python3 -c 'import no_such'"), [], ["does not refuse"]],
    ["PreToolUse", shell("node no-such-file.js"), [], ["does not refuse"]],
    ["PreToolUse", shell("no-such-program"), [], ["does not refuse"]],
  ];
  test.each(rows)("at %s, of %j", async (event, hook, said, unsaid) => {
    const { belay, config } = scratch();
    const { stdout } = await belay(["run", event, "--config", config({ [event]: [hook] })]);
    for (const text of said) expect(stdout).toContain(text);
    for (const text of unsaid) expect(stdout.replace(/^event.*$/m, "")).not.toMatch(new RegExp(`\\b${text}`));
  });

  test.each(["-v", "--verbose"])("%s shows it, cleaned and bounded", async (flag) => {
    const { belay, config } = scratch();
    const hook = shell("seq -f 'line %g' 100; printf 'log\\033[2J\\n' >&2");
    const { stdout } = await belay(["run", "PreToolUse", flag, "--config", config({ PreToolUse: [hook] })]);
    expect(stdout).toMatch(/stdout {2}line 1\n +line 2\n/);
    expect(stdout).toMatch(/line 20\n +… 80 more lines\n +stderr {2}log\\u001b\[2J\n/);
    expect(stdout).not.toMatch(/line 21|nobody sees|\u001b/);
  });
});

test("events without hooks around them: run says so, with the file, and names the command that says more", async () => {
  const { belay, file } = scratch();
  const config = file("nohooks.json", `{\n"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}`);
  const args = ["run", "PreToolUse", "--config", "nohooks.json"];
  const { stdout } = await belay([...args, "--json"]);
  const { diagnostics, messages } = JSON.parse(stdout) as Outcome;
  expect(diagnostics).toMatchObject([
    { code: "config-event-outside", severity: "error", path: `${config}:2`, event: "PreToolUse" },
  ]);
  expect(messages.map(({ block }) => block.content)).toEqual([
    expect.stringContaining(`${config}:2: PreToolUse stands at the top of the file`),
  ]);
  expect((await belay(args)).stdout).toContain("next: belay check --config nohooks.json");
});

test("what the user column says in full is not said again below it", async () => {
  const { belay, config } = scratch();
  const hooks = { Stop: [{ type: "command", command: "true" }, shell("sleep 9", { timeout: 0.1 })] };
  const { stdout } = await belay(["run", "Stop", "--config", config(hooks)], { env: { COLUMNS: "70" } });
  expect(stdout.replaceAll(/[\s│]+/g, " ").match(/is a hook where a group is expected/g)).toHaveLength(1);
  expect(stdout).toMatch(/^error {2}config-flat-entry .*\s+told above$/m);
  expect(stdout).toMatch(/^error {2}run-timed-out .*\n {2}the hook timed out/m);
});

test("what concerns the event comes first: hooks that match and are not trusted", async () => {
  const { belay, config } = scratch();
  const flat = { type: "command", command: "true" };
  config(
    { SessionEnd: [flat, flat], Stop: [flat, flat], PreToolUse: [shell("true")] },
    ".belay/settings.json",
  );
  const { stdout } = await belay(["run", "PreToolUse"]);
  expect(stdout).toMatch(
    /^match +0 of 1 hook for PreToolUse fires?\n +1 matches but is not trusted; next: belay trust\n/m,
  );
  const outcome = JSON.parse((await belay(["run", "PreToolUse", "--json"])).stdout) as Outcome;
  expect(outcome.diagnostics.map(({ code }) => code)).toEqual([
    "hook-untrusted",
    "hook-skipped",
    ...Array.from({ length: 4 }, () => "config-flat-entry"),
  ]);
});

const BROKEN = { hooks: [{ type: "command", comand: "true" }] };

test.each([
  [
    "beside one that works",
    { Stop: [BROKEN, shell("true")] },
    "1 of 1 hook for Stop fires 1 error keeps an entry off; next: belay check",
  ],
  [
    "of several",
    { Stop: [BROKEN, BROKEN], PreToolUse: [shell("true")] },
    "0 of 0 hooks for Stop fire 2 errors keep entries off; next: belay check",
  ],
  ["and no other", { Stop: [BROKEN] }, "1 error keeps all hooks off; next: belay check"],
  [
    "of another event, and no other",
    { SessionEnd: [BROKEN] },
    "1 error keeps all hooks off; next: belay check",
  ],
  ["of another event", { SessionEnd: [BROKEN], Stop: [shell("true")] }, "1 of 1 hook for Stop fires run "],
])("an entry that is broken is not left out of what matches: %s", async (_, hooks, says) => {
  const { belay, config } = scratch();
  const { stdout } = await belay(["run", "Stop", "--config", config(hooks)], { env: { COLUMNS: "200" } });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(` match ${says}`);
});

test.each(["40", "80", "200"])(
  "the commands that say more can be copied whole, at %s columns",
  async (COLUMNS) => {
    const place = scratch();
    place.config(
      { PreToolUse: [{ matcher: "Edit", ...shell("true") }] },
      "a very long name of a config.json",
    );
    const input = JSON.stringify({ command: `git push --force ${"and more ".repeat(5)}` });
    const about = ["--tool", "Bash", "--tool-input", input, "--config", "a very long name of a config.json"];
    const { stdout } = await place.belay(["run", "PreToolUse", ...about], { env: { COLUMNS } });
    const [, typed = ""] = /says more:\s+(belay why (?:.*\\\n)*.*)\n/.exec(stdout) ?? [];
    const why = await place.belay(["why", "PreToolUse", ...about], { env: { COLUMNS: "1000" } });
    expect(await place.shell(typed)).toBe(why.stdout);
    expect(why.stdout).toContain("a very long name");
  },
);

test("a hook in observe mode is shown as not enforced", async () => {
  const { belay, config } = scratch();
  const hook = shell("echo no >&2; exit 2", {
    mode: "observe",
    name: "a-policy-that-is-tried-out-for-a-while",
  });
  const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [hook] })]);
  expect(stdout).toMatch(/^run .* \(deny\) +observed/m);
});

test("a script that is there and may not be run is not looked for as a missing one", async () => {
  const { belay, config, file } = scratch();
  file("guard.sh", "#!/bin/sh\nexit 2\n");
  const settings = config({ Stop: [shell("./guard.sh")] });
  const { stdout } = await belay(["run", "Stop", "--json", "--config", settings]);
  expect((JSON.parse(stdout) as Outcome).diagnostics).toMatchObject([
    {
      code: "run-not-started",
      message: expect.stringContaining("exit 126"),
      fix: expect.stringMatching(/looks for scripts that are missing or lack chmod \+x\.$/),
    },
  ]);
});
