import { type Folders, readText, scriptWords } from "@belay/engine/tools";

/** No script worth guessing from is longer. */
const MAX_BYTES = 256 * 1024;

/** A command with the scripts that it runs, to guess from what it is for. */
export function commandText(command: string, folders: Folders): string {
  const scripts = scriptWords(command, folders).filter(({ exists }) => exists);
  return [command, ...scripts.map(({ file }) => textOf(file))].join("\n");
}

function textOf(file: string): string {
  try {
    return readText(file, { max: MAX_BYTES });
  } catch {
    return ""; // too long, or what it is run by will say why
  }
}
