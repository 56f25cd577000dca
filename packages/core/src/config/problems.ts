import { expectedBy, type Fields, misfit, type Sound } from "../schema/field.ts";
import { DIAGNOSTICS, type DiagnosticCode, diagnose, type Filling } from "../tables/diagnostics/index.ts";
import type { DialectName } from "../tables/dialects.ts";
import { isEventName } from "../tables/events.ts";
import { asGuess, brief, nearest, shorten } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import type { HookSource, Layer } from "./hook.ts";
import { type JSONPath, type Jsonc, showPath } from "./jsonc.ts";
import type { PatternEngine } from "./matcher.ts";

/** A config file before anything is known of it. */
export interface ConfigFile {
  readonly file: string;
  readonly layer: Layer;
  readonly text: string;
  readonly pluginRoot?: string;
  /** Overrides the file's own "dialect" key. */
  readonly dialect?: DialectName;
  /** Its hooks are read to the letter of the system that their dialect is named after (design §7). */
  readonly simulate?: boolean;
  /** Where `~/` leads in an `if`. */
  readonly home?: string;
  /** For a file without a "dialect" key; DEFAULT_DIALECT if absent. */
  readonly fallbackDialect?: DialectName;
}

/** One pass over one file. Problems are collected, never thrown. */
export interface Reading {
  readonly source: ConfigFile;
  readonly tree: Jsonc;
  readonly patterns: PatternEngine | undefined;
  readonly problems: Diagnostic[];
  /** How many errors and other problems there were, with those that are not listed. */
  errors: number;
  remarks: number;
}

/** The sound fields of an object; each unsound one is a problem of its own. */
export function takeFields<F extends Fields>(
  reading: Reading,
  from: Record<string, unknown>,
  fields: F,
  path: JSONPath,
): Sound<F> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    const wrong = misfit(field, value);
    if (wrong) {
      const words = "words" in wrong.wanted ? wrong.wanted.words : [];
      bad(reading, [...path, name, ...wrong.path], expectedBy(wrong), wrong.got, words);
    } else values[name] = value;
  }
  return values as Sound<F>;
}

/** Fields for people, or for another agent's screen. */
const NOTES = /^(?:[_$/].*|comment|description|id)$/;

/** Reports each field that is neither known, nor `said` already, nor a note for people. */
export function warnUnknown(
  reading: Reading,
  object: Record<string, unknown>,
  known: readonly string[],
  path: JSONPath,
  said: readonly string[] = [],
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || said.includes(key) || NOTES.test(key)) continue;
    const isOpposite = key === "disabled" && known.includes("enabled");
    const meant = isOpposite ? "enabled" : nearest(key, known);
    note(reading, meant ? "config-misspelt-field" : "config-unknown-field", [...path, key], {
      path: showPath([...path, key]),
      guess: asGuess(meant),
      advice: isOpposite
        ? 'Write "enabled": false instead; as it is, the hook runs.'
        : meant === undefined
          ? "Belay does not read it; leave it if your agent does, else remove it."
          : `Rename it to \`${meant}\`.`,
    });
  }
}

/** Reports a value that switches off its entry, or a setting of the file. `words` are the values it may have. */
export function bad(
  reading: Reading,
  path: JSONPath,
  expected: string,
  got: unknown,
  words: readonly string[] = [],
): void {
  const guess = typeof got === "string" ? nearest(got, words) : undefined;
  const isSetting = path.length === 1 && path[0] !== "hooks";
  const effect = isSetting ? "it is ignored" : "this entry is off";
  const advice = guess ? `Did you mean ${JSON.stringify(guess)}?` : adviceFor(path, got);
  note(reading, "config-bad-entry", path, {
    path: showPath(path),
    expected,
    got: asWritten(got),
    effect,
    advice,
  });
}

/** Listed per file: so many errors, and so many other problems. */
const MAX_TOLD = 1000;

/** Adds a problem. `meant` is the path where the field belongs, if it is another. */
export function note<Code extends DiagnosticCode>(
  reading: Reading,
  code: Code,
  path: JSONPath,
  values: Filling<Code>,
  meant = path,
): void {
  const count = DIAGNOSTICS[code].severity === "error" ? "errors" : "remarks";
  reading[count] += 1;
  if (reading[count] > MAX_TOLD) return;
  const { file, line } = placeAt(reading, path);
  reading.problems.push(diagnose(code, values, { path: `${file}:${line}`, ...subjectOf(meant) }));
}

/** How many problems are not listed. Unlisted errors may switch hooks off. */
export function untoldIn({ source: { file }, errors, remarks }: Reading): Diagnostic[] {
  return [
    ...(errors > MAX_TOLD
      ? [diagnose("config-more-errors", { count: errors - MAX_TOLD }, { path: file, about: "hooks" })]
      : []),
    ...(remarks > MAX_TOLD
      ? [diagnose("config-more-warnings", { count: remarks - MAX_TOLD }, { path: file })]
      : []),
  ];
}

function subjectOf([top, name]: JSONPath): Pick<Diagnostic, "about" | "event"> {
  if (top !== "hooks") return {};
  return { about: "hooks", ...(typeof name === "string" && isEventName(name) && { event: name }) };
}

export function placeAt({ source, tree }: Reading, path: JSONPath): HookSource {
  const { file, layer, pluginRoot } = source;
  return {
    file,
    layer,
    line: tree.lineAt(path),
    path: showPath(path),
    ...(pluginRoot !== undefined && { pluginRoot }),
  };
}

/** A value as the file has it, with its inside: unlike a hook's output, a file that was read has bounded depth. */
export function asWritten(value: unknown): string {
  return typeof value === "object" ? shorten(JSON.stringify(value), 60) : brief(value);
}

/** The words to write instead, for common mistakes. A path is `[hooks, Event, 0, hooks, 0, field]`. */
function adviceFor(path: JSONPath, got: unknown): string {
  const field = path.at(-1);
  const shape = SHAPES[path.length];
  if (path[0] === "hooks" && shape !== undefined && field !== "matcher" && field !== "sequential")
    return shape(String(field), got) ?? SCHEMA;
  if (field === "matcher" && Array.isArray(got)) return `Write ${JSON.stringify(got.join("|"))}.`;
  if (field === "timeout") return timeoutAdvice(got);
  if (field === "type" && got === undefined) return 'Add "type": "command".';
  return SCHEMA;
}

/** A longer command is not repeated in a message. */
const MAX_COMMAND = 200;

const SCHEMA = "`belay schema --config` prints what is accepted.";

/** The shape of "hooks" by depth. */
const SHAPES: Readonly<Record<number, (name: string, got: unknown) => string | undefined>> = {
  1: () => 'Write a list per event: "hooks": {"Event": [ … ]}. `belay schema` names the events.',
  2: (event) => `Write a list of groups: "${event}": [{"hooks": [ … ]}].`,
  3: () => 'Write a group: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".',
  4: () => 'Write a list: "hooks": [{"type": "command", "command": "…"}].',
  5: (_, got) =>
    typeof got === "string" && got.length <= MAX_COMMAND
      ? `Write {"type": "command", "command": ${JSON.stringify(got)}}.`
      : undefined,
};

function timeoutAdvice(got: unknown): string {
  if (typeof got === "string") return Number(got) > 0 ? `Write ${Number(got)}, without quotes.` : SCHEMA;
  if (typeof got !== "number") return SCHEMA;
  return got >= 1
    ? `\`timeout\` is in seconds: write ${got / 1000} if it was meant in milliseconds.`
    : "Write seconds, or leave it out for the default: a hook always has a limit.";
}
