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
  /** For a file without a "dialect" key; DEFAULT_DIALECT if absent. */
  readonly fallbackDialect?: DialectName;
}

/** One pass over one file: problems are collected, never thrown. */
export interface Reading {
  readonly source: ConfigFile;
  readonly tree: Jsonc;
  readonly patterns: PatternEngine | undefined;
  readonly problems: Diagnostic[];
  /** How many errors there were, those included that nobody is told; and other problems. */
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

/** A field that others read, and the one of ours that says the opposite. */
const OPPOSITES = new Map([["disabled", "enabled"]]);

/** Fields that say something to people, or to another agent's screen. */
const NOTES = /^(?:[_$/].*|comment|description|id|statusMessage)$/;

/** Names each field that is neither known, nor `said` already, nor a note. */
export function warnUnknown(
  reading: Reading,
  object: Record<string, unknown>,
  known: readonly string[],
  path: JSONPath,
  said: readonly string[] = [],
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || said.includes(key) || NOTES.test(key)) continue;
    const opposite = known.find((name) => name === OPPOSITES.get(key));
    const meant = opposite ?? nearest(key, known);
    note(reading, meant ? "config-misspelt-field" : "config-unknown-field", [...path, key], {
      path: showPath([...path, key]),
      guess: asGuess(meant),
      advice: adviceOn(meant, opposite),
    });
  }
}

function adviceOn(meant: string | undefined, opposite: string | undefined): string {
  if (opposite !== undefined) return `Write "${opposite}": false instead; as it is, the hook runs.`;
  return meant === undefined
    ? "Belay does not read it; leave it if your agent does, else remove it."
    : `Rename it to \`${meant}\`.`;
}

/** Something that does not count because of this: an entry, or a setting of the whole file; `words` are those it may be. */
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

/** Errors of one file, and other problems. Nobody reads more, and thousands take their time to be shown. */
const MAX_TOLD = 1000;

/** `meant` is where that should have stood, if not where it stands. */
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

/** How many are not told. Behind them hooks may be off of which nobody hears. */
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

/** A value as the file has it: unlike a hook's output, it was walked already, and its author knows it by its inside. */
export function asWritten(value: unknown): string {
  return typeof value === "object" ? shorten(JSON.stringify(value), 60) : brief(value);
}

/** The mistakes people make in a config, with the words to write instead. `[hooks, Event, 0, hooks, 0, field]` is a path. */
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

/** A longer text is no command that its author would look for in a message. */
const MAX_COMMAND = 200;

const SCHEMA = "`belay schema --config` prints what is accepted.";

/** What stands at each depth of "hooks". */
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
