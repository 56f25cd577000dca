import { describe, expect, it } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { hasTmux, openTerminal, type Terminal } from "./tmux.ts";

const READY = "ask for something, or /help";
const EARLIER = Array.from({ length: 50 }, (_, index) => `earlier ${index + 1}`);

/** A chat in a terminal in which something stands already. */
async function chatBelow({ columns, rows }: { columns: number; rows: number }): Promise<Terminal> {
  const { project, home } = scratch();
  const terminal = openTerminal(`seq -f 'earlier %g' 1 50; "${process.execPath}" "${BIN}" chat`, {
    columns,
    rows,
    cwd: project,
    env: { HOME: home },
  });
  await terminal.shows(READY);
  return terminal;
}

async function ask(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.shows(READY);
  terminal.type(prompt);
  terminal.press("Enter");
}

const earlierIn = (text: string) => text.split("\n").filter((row) => row.startsWith("earlier"));
const count = (text: string, part: string) => text.split(part).length - 1;

/** What is seen of the chat, with all that was there before it. A frame may be on its way. */
async function settled(terminal: Terminal, seen: () => unknown, wanted: unknown): Promise<void> {
  await expect
    .poll(() => ({ seen: seen(), earlier: earlierIn(terminal.all()) }), { timeout: 20_000 })
    .toEqual({ seen: wanted, earlier: EARLIER });
}

describe.runIf(hasTmux())("what stood in the terminal before belay chat", () => {
  it("stays, and what was said stands below it once, when blocks are opened and closed", async () => {
    const terminal = await chatBelow({ columns: 80, rows: 40 });
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
    const terminal = await chatBelow({ columns: 80, rows: 16 });
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
    const terminal = await chatBelow({ columns: 100, rows: 30 });
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
