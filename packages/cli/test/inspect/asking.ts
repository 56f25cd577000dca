import { BIN, type Scratch } from "../cli.ts";
import { openTerminal } from "../tmux.ts";

const READY = "ask for something, or /help";
export const QUESTION = "1 Yes, once";

/** A chat in a real terminal that has just asked whether it may run a command. */
export async function asking(room: Scratch, command: string) {
  const line = `"${process.execPath}" "${BIN}" chat`;
  const terminal = openTerminal(line, {
    columns: 100,
    rows: 30,
    cwd: room.project,
    env: { HOME: room.home },
  });
  await terminal.shows(READY);
  terminal.type(`run \`${command}\``);
  terminal.press("Enter");
  await terminal.shows(QUESTION);
  return terminal;
}
