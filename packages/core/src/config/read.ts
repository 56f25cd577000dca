import { isObject } from "../json.ts";
import { diagnose } from "../tables/diagnostics/index.ts";
import { DEFAULT_DIALECT, DIALECTS, type DialectName } from "../tables/dialects.ts";
import { EVENT_NAMES, type EventName, isEventName, isForeignEvent } from "../tables/events.ts";
import { asGuess, messageOf, nearest } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { readEntry } from "./entry.ts";
import { type Hook, type Layer, placeOf } from "./hook.ts";
import { type JSONPath, parseJsonc, showPath } from "./jsonc.ts";
import { compileMatcher, type Matcher, type PatternEngine, type Replacer } from "./matcher.ts";
import type { Permissions } from "./permission-rule.ts";
import { readPermissions } from "./permissions.ts";
import {
  bad,
  type ConfigFile,
  note,
  placeAt,
  type Reading,
  takeFields,
  untoldIn,
  warnUnknown,
} from "./reading.ts";
import { FILE_FIELDS, GROUP_FIELDS } from "./schema.ts";

export type { ConfigFile } from "./reading.ts";

/** What a config file says. One bad entry never takes another with it. */
export interface Config {
  readonly file: string;
  readonly layer: Layer;
  readonly dialect: DialectName;
  readonly hooks: readonly Hook[];
  readonly allowedHttpHookUrls?: readonly string[];
  /** What the user wants replaced in the journal. */
  readonly redact?: readonly Replacer[];
  /** Where it switches hooks off, if it does: "file:line". */
  readonly offAt?: string;
  /** The first line, if any, at which it is more than plain JSON; absent where it could not be read. */
  extendedAt?(): number | undefined;
  /** Of Belay's own files: other systems have rules of their own in theirs. */
  readonly permissions?: Permissions;
  /** Every problem found, each with its place. */
  readonly problems: readonly Diagnostic[];
  /** The file as a whole could not be read: nothing of it is in force. */
  readonly broken: boolean;
}

/** Whether a config was read without the pattern engine that it needs: read it again with one. */
export function lacksPatterns({ hooks, redact }: Config, patterns: PatternEngine | undefined): boolean {
  const isNeeded = redact !== undefined || hooks.some(({ matcher }) => matcher.kind === "unsafe-pattern");
  return patterns === undefined && isNeeded;
}

/** Reads a config file: JSON with comments and trailing commas. Never throws, whatever is in it. */
export function readConfig(source: ConfigFile, patterns?: PatternEngine): Config {
  try {
    return readTree(source, patterns);
  } catch (error) {
    // The parser descends once per level, and so does everything that walks what it found.
    if (error instanceof RangeError) return unreadable(source, "it is nested too deeply", 1);
    throw error;
  }
}

const CORRECT = "Correct it there, or remove the file.";
const WRITE_AN_OBJECT = 'Write an object: {"hooks": { … }}. `belay schema --config` says what it holds.';

function unreadable(source: ConfigFile, detail: string, line: number, advice = CORRECT): Config {
  const { file, layer, dialect = DEFAULT_DIALECT } = source;
  const problem = diagnose("config-unreadable", { file, detail, advice }, { path: `${file}:${line}` });
  return { file, layer, dialect, hooks: [], problems: [problem], broken: true };
}

function readTree(source: ConfigFile, patterns: PatternEngine | undefined): Config {
  const tree = parseJsonc(source.text);
  const { file, layer } = source;
  const { value, error } = tree;
  if (error) {
    const { detail, line, column, near } = error;
    const what = `${detail} on line ${line}, column ${column}${near === "" ? "" : `: ${near}`}`;
    return unreadable(source, what, line);
  }
  if (!isObject(value)) return unreadable(source, "it is not a JSON object", 1, WRITE_AN_OBJECT);
  const reading: Reading = { source, tree, patterns, problems: [], errors: 0, remarks: 0 };
  for (const { path, lines } of tree.repeated) {
    note(reading, "config-repeated-key", path, {
      path: showPath(path),
      first: `${lines[0]}`,
      last: `${lines[1]}`,
    });
  }
  const { permissions: _, ...plain } = FILE_FIELDS;
  const fields = takeFields(reading, value, plain, []);
  const dialect = source.dialect ?? fields.dialect ?? source.fallbackDialect ?? DEFAULT_DIALECT;
  for (const key of Object.keys(value)) {
    if (isForeignEvent(key) || !(isEventName(key) || holdsGroups(value[key]))) continue;
    const event = nearest(key.slice(key.lastIndexOf(".") + 1), EVENT_NAMES); // "hooks.PreToolUse" too
    if (event !== undefined) note(reading, "config-event-outside", [key], { key, event }, ["hooks", event]);
  }
  noteMisspelt(reading, value);
  const hooks = readEvents(reading, value.hooks, dialect);
  const offAt = readSwitch(reading, fields.disableAllHooks, dialect);
  const urls = fields.allowedHttpHookUrls;
  const redact = fields.redact?.flatMap((pattern, index) => readRedact(reading, pattern, index));
  const isOwn = source.dialect === undefined && source.pluginRoot === undefined;
  const permissions = isOwn ? readPermissions(reading, value) : undefined;
  const problems = [...reading.problems, ...untoldIn(reading)];
  return {
    file,
    layer,
    dialect,
    hooks,
    ...(urls && { allowedHttpHookUrls: urls }),
    ...(redact && { redact }),
    ...(offAt !== undefined && { offAt }),
    extendedAt: tree.extendedAt,
    ...(permissions && { permissions }),
    problems,
    broken: false,
  };
}

function readEvents(reading: Reading, hooks: unknown, dialect: DialectName): Hook[] {
  if (hooks === undefined) return [];
  if (!isObject(hooks)) {
    bad(reading, ["hooks"], "an object with a list per event", hooks);
    return [];
  }
  return Object.entries(hooks).flatMap(([name, groups]) => {
    const path = ["hooks", name];
    if (isForeignEvent(name)) {
      note(reading, "config-foreign-event", path, { name });
      return [];
    }
    if (!isEventName(name)) {
      noteUnknownEvent(reading, name, groups, dialect);
      return [];
    }
    return readGroups(reading, groups, name, dialect, path);
  });
}

/** What stands under it is off, and only read for its problems; not where it may be no hooks at all, such as a comment. */
function noteUnknownEvent(reading: Reading, name: string, groups: unknown, dialect: DialectName): void {
  const path = ["hooks", name];
  const meant = nearest(name, EVENT_NAMES);
  note(reading, "config-unknown-event", path, {
    name: JSON.stringify(name),
    guess: asGuess(meant),
    advice: meant ?? "one of `belay schema`",
  });
  const event = meant ?? (holdsGroups(groups) ? EVENT_NAMES[0] : undefined);
  if (event) readGroups(reading, groups, event, dialect, path);
}

function readGroups(
  reading: Reading,
  groups: unknown,
  event: EventName,
  dialect: DialectName,
  path: JSONPath,
): Hook[] {
  if (!Array.isArray(groups)) {
    bad(reading, path, "a list of groups", groups);
    return [];
  }
  return groups.flatMap((group: unknown, index) =>
    readGroup(reading, group, event, dialect, [...path, index]),
  );
}

function readGroup(
  reading: Reading,
  group: unknown,
  event: EventName,
  dialect: DialectName,
  path: JSONPath,
): Hook[] {
  if (!isObject(group)) {
    bad(reading, path, "a group: { matcher, hooks }", group);
    return [];
  }
  const { hooks } = group;
  const isEmpty = [hooks ?? []].flat().length === 0;
  const stray = Object.hasOwn(group, "command") || isEmpty ? ["type", "command"] : [];
  if (stray.some((name) => Object.hasOwn(group, name))) {
    const flat = isEmpty ? path : [...path, "command"];
    note(reading, "config-flat-entry", flat, { path: showPath(flat) });
    if (isEmpty) return [];
  }
  const before = reading.errors;
  const fields = takeFields(reading, group, GROUP_FIELDS, path);
  if (!Array.isArray(hooks)) bad(reading, [...path, "hooks"], "a list of hooks", hooks);
  // Said of a group that is off as well: a misspelt field is why another one is missing.
  warnUnknown(reading, group, [...Object.keys(GROUP_FIELDS), "hooks"], path, stray);
  const matcher = readMatcher(reading, fields.matcher ?? "", [...path, "matcher"]);
  const isSound = reading.errors === before;
  if (!Array.isArray(hooks)) return [];
  if (hooks.length === 0) note(reading, "config-empty-group", path, { path: showPath(path) });
  const place = { event, dialect, matcher, sequential: fields.sequential === true };
  // Of a group that is off as well: what is wrong in it would come up only once that is corrected.
  const read = hooks.flatMap((entry: unknown, index) => {
    const hook = readEntry(reading, entry, place, [...path, "hooks", index]);
    return hook ? [hook] : [];
  });
  return isSound ? read : [];
}

/** One that matches nothing where it is no pattern, which is an error. */
/** Without the pattern engine nothing is replaced: the file is read again with one. */
function readRedact(reading: Reading, pattern: string, index: number): Replacer[] {
  try {
    return reading.patterns ? [reading.patterns.replacer(pattern)] : [];
  } catch (error) {
    bad(reading, ["redact", index], `a pattern of RE2 (${messageOf(error)})`, pattern);
    return [];
  }
}

function readMatcher(reading: Reading, source: string, path: JSONPath): Matcher {
  const quoted = JSON.stringify(source);
  try {
    const matcher = compileMatcher(source, reading.patterns);
    if (matcher.kind === "unsafe-pattern" && reading.patterns) {
      const detail = "lookaround or back-references";
      note(reading, "config-matcher-fallback", path, { matcher: quoted, detail });
    }
    return matcher;
  } catch (error) {
    note(reading, "config-bad-matcher", path, {
      path: showPath(path),
      matcher: quoted,
      detail: messageOf(error),
    });
    return { source, kind: "names", test: () => false };
  }
}

/** "disabledHooks", "hooks.old": whoever wrote it knows that they are off. */
const PUT_ASIDE = /\b(?:disabled|unused|backup|bak|old|off)\b/i;

/** Other fields belong to the agent. A near miss of ours would silently mean another dialect, or no hooks at all; so would hooks by any other name. */
function noteMisspelt(reading: Reading, value: Record<string, unknown>): void {
  const known = [...Object.keys(FILE_FIELDS), "hooks"];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    const isComment = !/^[a-z]/i.test(key); // "_hooks", "//hooks"
    const off = isComment ? undefined : hooksUnder(key, value[key], near);
    const meant = off ? "hooks" : near;
    if (meant === undefined) continue;
    const path = off ?? [key];
    const isMisplaced = off && (off.length > 1 || Object.hasOwn(value, "hooks"));
    const values = {
      path: showPath(path),
      guess: path.at(-1) === meant ? "" : asGuess(meant),
      advice: isMisplaced
        ? "Move what it holds into `hooks` at the top of the file."
        : `Rename it to \`${meant}\`.`,
    };
    const isMistake = off && !PUT_ASIDE.test(inWords(key));
    note(reading, isMistake ? "config-misspelt-hooks" : "config-misspelt-field", path, values, [meant]);
  }
}

/** "hooks Off" for "hooksOff" and "hooks_off". */
const inWords = (name: string): string => name.replaceAll("_", " ").replace(/([a-z])(?=[A-Z])/g, "$1 ");

/** Where hooks stand by another name, or one level too deep. */
function hooksUnder(key: string, value: unknown, near: string | undefined): JSONPath | undefined {
  if (holdsEvents(value, near === "hooks")) return [key];
  return isObject(value) && holdsEvents(value.hooks) ? [key, "hooks"] : undefined;
}

/** Whether it may be what stands under an event: the agent has lists of its own. */
function holdsGroups(value: unknown): boolean {
  const has = (one: unknown) =>
    isObject(one) && ["hooks", "command"].some((name) => Object.hasOwn(one, name));
  return Array.isArray(value) && value.some(has);
}

/** Whether it may be hooks, or a list of them, by the names in it; where its own is not near, by what they hold as well. */
function holdsEvents(value: unknown, isNear = false): boolean {
  return [value]
    .flat()
    .some(
      (one) =>
        isObject(one) &&
        Object.keys(one).some((name) =>
          isNear ? nearest(name, EVENT_NAMES) : isEventName(name) && holdsGroups(one[name]),
        ),
    );
}

/*
 * "disableAllHooks": true. A file that comes with a project, or was named, speaks for its own hooks; of the user's own hooks
 * only the user's file does.
 */

interface Reach {
  /** Layers it switches off besides its own file; absent: none. */
  readonly layers?: readonly Layer[];
  readonly words: string;
}

const OWN_FILE: Reach = { words: "the hooks of this file are" };

const REACH: Readonly<Record<Layer, Reach>> = {
  user: { layers: ["project", "local", "session"], words: "all hooks are" },
  local: { layers: ["project"], words: "the hooks of this file and of the project's settings.json are" },
  project: OWN_FILE,
  session: OWN_FILE,
  config: OWN_FILE,
  plugin: OWN_FILE,
};

/** Where a file says that its hooks are off, if it does and its dialect knows the field; either way it is said. */
function readSwitch(reading: Reading, value: unknown, dialect: DialectName): string | undefined {
  if (value !== true) return undefined;
  const path = ["disableAllHooks"];
  if (!DIALECTS[dialect].filesSwitchOff) {
    note(reading, "config-switch-ignored", path, { dialect });
    return undefined;
  }
  note(reading, "config-hooks-off", path, { whose: REACH[reading.source.layer].words });
  return placeOf(placeAt(reading, path));
}

/** The hooks of all files, in configured order; those that a file switches off are not enabled. */
export function hooksOf(configs: readonly Config[]): Hook[] {
  const switches = configs.filter(({ offAt }) => offAt !== undefined);
  return configs.flatMap(({ file, layer, hooks }) => {
    const found = switches.find((by) => by.file === file || REACH[by.layer].layers?.includes(layer));
    const offAt = found?.offAt;
    return offAt === undefined ? hooks : hooks.map((hook) => ({ ...hook, enabled: false, offAt }));
  });
}
