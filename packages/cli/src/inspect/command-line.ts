import { clean, safeJson } from "@belay/core/clean";
import { isObject, shellWord } from "@belay/core/internal";
import { flagText } from "../next-command.ts";

/** Bytes: Linux takes no argument of more than 128 KiB, and printf is the shell's own. */
const MAX_ARGUMENTS = 100_000;

/**
 * A command line that fires the event again. Words are quoted where they must be. The line holds no control character, as
 * a terminal acts on those before a shell reads any quotes: JSON escapes them.
 */
export function commandLine(
  event: string,
  payload: Readonly<Record<string, unknown>>,
  flags: string,
): string {
  const names = Object.keys(payload);
  const said = names.map((name) => {
    const value = payload[name];
    if (name === "tool_name" && isPlain(value)) return flag("tool", value);
    if (name === "prompt" && isPlain(value)) return flag("prompt", value);
    if (name === "tool_input" && isObject(value)) return flag("tool-input", safeJson(value, 0));
    return flag("set", `${name}=${safeJson(value, 0)}`);
  });
  if (names.every((name) => /^[\w-]+$/.test(name)) && Buffer.byteLength(said.join("")) <= MAX_ARGUMENTS)
    return `belay run ${event}${said.join("")}${flags}`;
  return `printf %s ${shellWord(safeJson(payload, 0))} | belay run ${event} --input -${flags}`;
}

export function flag(name: string, value: string): string {
  return flagText(name, value, (text) => (isPlain(text) ? shellWord(text) : printed(text)));
}

/** A slash behind a folder's name changes nothing, and saves a line end in the name: `$(…)` drops those at the end. */
export function folderFlag(name: string, folder: string): string {
  return flag(name, folder.endsWith("\n") ? `${folder}/` : folder);
}

function isPlain(value: unknown): value is string {
  return typeof value === "string" && clean(value) === value && !/\n|\p{Cs}/u.test(value);
}

/** A word written as its bytes, where quotes do not make it safe to paste. */
function printed(text: string): string {
  const bytes = (part: string) =>
    [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return `"$(printf '${text.replaceAll(/[^\w./]+/g, bytes)}')"`;
}
