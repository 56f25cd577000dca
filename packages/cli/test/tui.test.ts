import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, type Scratch, scratch } from "./cli.ts";
import { hasTmux, openTerminal, type Terminal } from "./tmux.ts";

const READY = "ask for something, or /help";
const QUESTION = "1 Yes, once";

interface Started {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: string;
  /** What the shell runs before the chat, or sets for it. */
  readonly before?: string;
}

function chat({ project, home }: Scratch, options: Started = {}): Terminal {
  const { columns = 100, rows = 30, args = "", before = "" } = options;
  const command = `${before}"${process.execPath}" "${BIN}" chat ${args}`;
  return openTerminal(command, { columns, rows, cwd: project, env: { HOME: home } });
}

/** A prompt, sent when the screen is ready for it. */
async function ask(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.shows(READY);
  terminal.type(prompt);
  terminal.press("Enter");
}

const count = (text: string, part: string | RegExp) => text.split(part).length - 1;

const GUARD = `#!/bin/sh
input=$(cat)
case "$input" in
*push*) printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"this reaches others","updatedInput":{"command":"echo pushed"}}}' ;;
*rm*) echo "not in this project" >&2; exit 2 ;;
esac
`;

/** A project with a guard of its own and a rule. */
function guarded(): Scratch {
  const folder = scratch();
  folder.file("guard.sh", GUARD, 0o755);
  const hook = { type: "command", command: "./guard.sh", name: "guard" };
  const settings = {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] },
    permissions: { allow: ["Bash(echo *)"] },
  };
  folder.file(".belay/settings.json", JSON.stringify(settings, null, 2));
  return folder;
}

describe.runIf(hasTmux())("in a real terminal", () => {
  it("asks once about what the project brings, and runs it when it is trusted", async () => {
    const folder = guarded();
    const other = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
    folder.file(".claude/settings.json", JSON.stringify({ hooks: other }));
    const first = chat(folder);
    await first.shows(/Trust 1 hook and 1 permission\?.*1 No/s);
    expect(first.screen()).toMatch(
      /new {2}PreToolUse Bash {2}guard\n {2}runs {2}\.\/guard\.sh\n {2}file {2}guard\.sh \(\d+ bytes\)/,
    );
    expect(first.screen()).toContain("new  allow Bash(echo *)");
    first.press("Down", "Enter");
    await ask(first, "run git push");
    await first.shows(QUESTION);
    expect(first.screen()).toMatch(
      /guard changed the input:.*- ┃ git push .*\+ ┃ echo pushed .*this reaches others.*asked by the hook guard/s,
    );
    first.press("y");
    await first.shows(/● Bash echo pushed \(changed by guard\)\n {2}.*pushed/);
    await ask(first, "run rm -rf build");
    await first.shows(/✗ Bash rm -rf build \(guard says no\)\n {2}not in this project/);
    await ask(first, "/hooks");
    await first.shows(
      /❯ on {2}PreToolUse Bash {2}guard.*trusted · .*settings\.json:\d+.*deny [\d.]+ m?s · .*ask [\d.]+ m?s/s,
    );
    const unread = "There are hooks that are not read here: .claude/settings.json (--dialect claude-code)";
    expect(first.screen()).toContain(unread);
    first.press("Escape");
    await ask(first, "/exit");
    expect(await first.ended()).toBe(0);
    expect(first.screen()).toMatch(/To go on with this session: belay chat --resume \w{8}\nended 0$/);
    expect(first.screen()).not.toContain(READY);

    folder.file("guard.sh", `${GUARD}# edited\n`, 0o755);
    const second = chat(folder);
    await second.shows(/Trust 1 hook\?.*1 No/s);
    expect(second.screen()).toMatch(/changed {2}PreToolUse Bash.*a script that it names\s+was edited since/s);
    expect(second.screen()).not.toContain("allow Bash");
    second.press("Enter");
    await ask(second, "run rm -rf build");
    await second.shows(QUESTION);
    expect(second.screen()).not.toContain("not in this project");
    second.press("C-c");
    await second.shows("Aborted.");
    second.press("C-d");
    expect(await second.ended()).toBe(0);
    expect(count(second.all(), "Trust 1 hook?")).toBe(0);
  });

  it("fits into a narrow terminal, without colours when they are not wanted", async () => {
    const folder = scratch();
    const terminal = chat(folder, { columns: 44, rows: 20, before: "NO_COLOR=1 CI=true " });
    const line = "for i in 1 2 3 4 5 6; do echo 漢字テスト words that go on beyond the width of it; done";
    await ask(terminal, `run ${line}`);
    await terminal.shows(QUESTION);
    const asking = terminal.screen().split("\n");
    expect(asking.length).toBeLessThan(20);
    expect(asking.at(-1)).toBe(`╰${"─".repeat(42)}╯`);
    terminal.press("1");
    await terminal.shows(/● Bash for i in.*漢字テスト words.*… 3 more lines/s);
    await terminal.shows(READY);
    expect(terminal.painted()).not.toMatch(/\u001b\[(?:[34][0-7]|9[0-7]|[34]8)/);
    expect(terminal.painted()).toContain("\u001b[7m");
    const words = terminal.all().split("\n");
    expect(words.filter((row) => /^ \S/.test(row))).toEqual([]); // The space of a line break is no indent.
    terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
  });

  for (const ci of ["-u CI", "CI=true", "CONTINUOUS_INTEGRATION=1"])
    it(`has colours where nobody refuses them: ${ci}`, async () => {
      const folder = scratch();
      folder.file("notes.txt", "hello");
      const terminal = chat(folder, { before: `env -u NO_COLOR -u FORCE_COLOR ${ci} ` });
      await ask(terminal, "read notes.txt, read none.txt");
      await terminal.shows("I could not read");
      expect(terminal.painted()).toMatch(/\u001b\[32m\S*●/);
      expect(terminal.painted()).toMatch(/\u001b\[31m\S*✗/);
    });

  it("breaks no word of what it says before there is a screen", async () => {
    const folder = scratch();
    const waits = "while ! test -e go; do sleep 0.05; done";
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command: waits }] }] };
    folder.file("../home/.belay/settings.json", JSON.stringify({ hooks }));
    const terminal = chat(folder, { columns: 40, rows: 20 });
    await terminal.shows("The hooks of the session's start are\nrunning …");
    folder.file("go", "");
    await terminal.shows(READY);
  });

  it("leaves what was said and how to go on when the user leaves a question", async () => {
    const terminal = chat(scratch(), { columns: 44, rows: 20 });
    await ask(terminal, "run echo hi");
    await terminal.shows(QUESTION);
    terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(
      /^› run echo hi\n\s*\n\? Bash echo hi\n\s*\nTo go on with this session: belay chat\n--resume \w{8}\nended 0$/,
    );
  });

  it("takes a paste of several lines, and has it in its history", async () => {
    const terminal = chat(scratch());
    await terminal.shows(READY);
    terminal.paste("write notes.txt: first line\nsecond line\n\tthird 漢字");
    await terminal.shows("› write notes.txt: first line\n  second line\n    third 漢字");
    terminal.press("Enter");
    await terminal.shows("May the agent use Write?");
    await terminal.shows(QUESTION);
    expect(terminal.screen()).toMatch(/content:.*first line.*second line.*third 漢字/s);
    terminal.press("n");
    await terminal.shows("Why not?");
    terminal.type("not now");
    terminal.press("Enter");
    await terminal.shows("The user did not allow this: not now");
    await terminal.shows(READY);
    terminal.press("Up");
    await terminal.shows(/› write notes\.txt: first line\n {2}second line\n {4}third 漢字\noffline/);
    terminal.press("C-c");
    await terminal.shows(READY);
    terminal.press("C-c");
    await terminal.shows("once more");
    terminal.press("C-c");
    expect(await terminal.ended()).toBe(0);
  });

  it("draws itself anew when the terminal changes its size while a tool runs", async () => {
    const terminal = chat(scratch(), { args: "--mode bypass" });
    await ask(terminal, "run sleep 30");
    await terminal.shows("running Bash");
    terminal.type("typed meanwhile");
    for (const [columns, rows] of [
      [50, 20],
      [120, 40],
      [60, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await expect
        .poll(() => {
          const seen = terminal.screen();
          return ["› run sleep 30", "◌ Bash", "running Bash", "› typed meanwhile", "bypass"].map((part) =>
            count(seen, part),
          );
        })
        .toEqual([1, 1, 1, 1, 1]);
    }
    terminal.press("Escape");
    await terminal.shows(/✗ Bash sleep 30.*⚠ Aborted\..*› typed meanwhile/s);
    terminal.press("C-c");
    await ask(terminal, "/exit");
    expect(await terminal.ended()).toBe(0);
  });

  it("shows fifty calls in order, each once, and never more than fits", async () => {
    const terminal = chat(scratch(), { columns: 80, rows: 20 });
    const calls = Array.from({ length: 50 }, (_, index) => `run echo call-${index + 1}`);
    await ask(terminal, calls.join(", "));
    await terminal.shows(/… \d+ lines above.*49 more waiting.*2 Yes, Bash for this session/s);
    terminal.press("2");
    await terminal.shows(READY);
    const seen = [...terminal.all().matchAll(/^(\S) Bash echo call-(\d+)$/gm)].map(([, mark, number]) => [
      mark,
      Number(number),
    ]);
    expect(seen).toEqual(calls.map((_, index) => ["●", index + 1]));
    await ask(terminal, "/clear");
    await expect.poll(() => terminal.screen().split("\n").length).toBe(2);
    terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
  });

  it("looks back, compacts, and says with which flags to go on", async () => {
    const folder = scratch();
    const hook = { type: "command", command: "true", name: "quick" };
    folder.config({ PostToolUse: [{ hooks: [hook] }] });
    const terminal = chat(folder, { args: "--mode bypass --config hooks.json" });
    await ask(terminal, "run seq 1 9");
    await terminal.shows("● Bash seq 1 9");
    await ask(terminal, "/history");
    await terminal.shows(/1 run of a hook.*abstain [\d.]+ m?s {2}PostToolUse quick/s);
    terminal.press("Escape");
    await ask(terminal, "/compact the numbers");
    await terminal.shows("This is a summary of the conversation so far");
    expect(terminal.screen()).not.toContain("● Bash");
    await ask(terminal, "/exit");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(/belay chat --resume \w{8} --config hooks\.json\s+--mode bypass\n/);
  });

  it("asks again after it was killed in the middle of a question", async () => {
    const folder = scratch();
    const pid = join(folder.project, "pid");
    const first = chat(folder, { before: `sh -c 'echo $$ > pid; exec "$@"' sh ` });
    await ask(first, "write done.txt: it is done");
    await first.shows(QUESTION);
    process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
    expect(await first.ended()).toBe(137);
    const second = chat(folder, { args: "--resume" });
    await second.shows("May the agent use Write?");
    await second.shows(QUESTION);
    second.press("1");
    await second.shows(/● Write done\.txt/);
    await second.shows(READY);
    expect(count(second.all(), /^. Write done\.txt/m)).toBe(1);
    expect(readFileSync(join(folder.project, "done.txt"), "utf8")).toBe("it is done");
    second.press("C-d");
    expect(await second.ended()).toBe(0);
  });

  it.each(["> answer.txt", "| cat"])(
    "does not wait for a prompt from the keyboard: belay chat %s",
    async (to) => {
      const terminal = chat(scratch(), { args: to });
      await terminal.ended();
      expect(terminal.screen()).toMatch(
        /^belay: there is no prompt and no terminal; write: belay chat -p "…"\nended \d$/,
      );
    },
  );
});

const EARLIER = Array.from({ length: 50 }, (_, index) => `earlier ${index + 1}`);

/** A chat in a terminal in which something stands already. */
async function chatBelow(columns: number, rows: number): Promise<Terminal> {
  const terminal = chat(scratch(), { columns, rows, before: "seq -f 'earlier %g' 1 50; " });
  await terminal.shows(READY);
  return terminal;
}

const earlierIn = (text: string) => text.split("\n").filter((row) => row.startsWith("earlier"));

/** What is seen of the chat, with all that was there before it. A frame may be on its way. */
async function settled(terminal: Terminal, seen: () => unknown, wanted: unknown): Promise<void> {
  await expect
    .poll(() => ({ seen: seen(), earlier: earlierIn(terminal.all()) }), { timeout: 20_000 })
    .toEqual({ seen: wanted, earlier: EARLIER });
}

describe.runIf(hasTmux())("what stood in the terminal before belay chat", () => {
  it("stays, and what was said stands below it once, when blocks are opened and closed", async () => {
    const terminal = await chatBelow(80, 40);
    await ask(terminal, "run seq 1 9");
    await terminal.shows("2 Yes, Bash for this session");
    terminal.press("2");
    for (const [key, shown] of [
      ["C-o", /^ {2}9$/m],
      ["C-o", "(Ctrl-O opens)"],
      ["C-l", "(Ctrl-O opens)"],
    ] as const) {
      await terminal.shows(READY);
      terminal.press(key);
      await terminal.shows(shown);
      await terminal.shows(/earlier 50\n› run seq 1 9\n\s*● Bash seq 1 9\n/);
      await settled(terminal, () => count(terminal.all(), "● Bash seq 1 9"), 1);
    }
    terminal.press("C-d");
    await terminal.ended();
  });

  it("stays when more was said than fits", async () => {
    const terminal = await chatBelow(80, 16);
    await ask(terminal, "run seq 101 140");
    await terminal.shows("2 Yes, Bash for this session");
    terminal.press("2");
    await terminal.shows(READY);
    terminal.press("C-o");
    await terminal.shows(/^ {2}140$/m);
    await terminal.shows(READY);
    terminal.press("C-o");
    await terminal.shows(/● Bash seq 101 140\n {2}101\n {2}102\n {2}103\n {2}… 37 more lines/);
    await settled(terminal, () => count(terminal.screen(), "● Bash"), 1);
    terminal.press("C-d");
    await terminal.ended();
  });

  it("stays when the terminal changes its size, also below the height of a question", async () => {
    const terminal = await chatBelow(100, 30);
    await ask(terminal, `run echo ${"long ".repeat(12)}`);
    await terminal.shows("2 Yes, Bash for this session");
    for (const [columns, rows] of [
      [60, 30],
      [100, 30],
      [44, 9],
      [120, 40],
    ] as const) {
      terminal.resize(columns, rows);
      const parts = ["› run echo", "? Bash echo", "1 Yes, once"];
      const seen = () => parts.map((part) => count(terminal.screen(), part));
      await settled(terminal, seen, rows < 10 ? [0, 0, 1] : [1, 1, 1]);
    }
    terminal.press("2");
    await terminal.shows(READY);
    await settled(terminal, () => count(terminal.screen(), "● Bash echo"), 1);
    terminal.press("C-d");
    await terminal.ended();
  });
});
