import { oneLine } from "@belay/core/clean";
import { shellWord } from "@belay/core/internal";
import { CONFIG_FLAGS, EVENT_FLAGS } from "./args/flags.ts";

/** The program as people type it here: what npm started is not on their PATH. */
export const BELAY =
  process.env.npm_command === "exec" || process.env.npm_lifecycle_event ? "npx belay" : "belay";

/** A sentence of the tables, its commands as they are typed here. */
export function asTyped(sentence: string): string {
  return sentence.replaceAll("`belay ", `\`${BELAY} `);
}

/** Flags by which a command finds its hooks; `check` looks at every session. */
const KEPT = {
  check: Object.keys(CONFIG_FLAGS),
  trust: ["dialect", "session", "cwd"],
  run: Object.keys(EVENT_FLAGS),
  why: Object.keys(EVENT_FLAGS),
  init: ["cwd"],
} as const;

/** A command to type next, with the flags of this one that make it true. */
export function nextCommand(
  name: keyof typeof KEPT,
  values: Readonly<Record<string, unknown>>,
  first = "",
): string {
  return `${readingOwnFiles(values)}${BELAY} ${name}${first && ` ${first}`}${flagsOf(values, KEPT[name])}`;
}

/** Unsets BELAY_DIALECT for a command that is to read Belay's own files. */
export function readingOwnFiles({ dialect }: Readonly<Record<string, unknown>> = {}): string {
  return dialect === undefined && process.env.BELAY_DIALECT ? "BELAY_DIALECT= " : "";
}

/** Flags as they are typed again; what could repaint the screen is shown, not printed. */
export function flagsOf(values: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  return names
    .flatMap((name) => [values[name] ?? []].flat().map((value) => flagText(name, String(value))))
    .join("");
}

export function flagText(
  name: string,
  value: string,
  quoted = (text: string) => shellWord(oneLine(text)),
): string {
  return ` --${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;
}
