import { isObject } from "../json.ts";
import { diagnose } from "../tables/diagnostics/index.ts";
import { DEFAULT_DIALECT, DIALECTS, type DialectName, dialectRow, hasLetter } from "../tables/dialects.ts";
import { EVENT_NAMES, type EventName, isEventName } from "../tables/events.ts";
import { ruleFor } from "../tables/rules.ts";
import { asGuess, messageOf, nearest, quote } from "../text.ts";
import type { Diagnostic } from "../types.ts";
import { readEntry } from "./entry.ts";
import { type Hook, LAYERS, type Layer, placeOf } from "./hook.ts";
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
} from "./problems.ts";
import { FILE_FIELDS, GROUP_FIELDS } from "./schema.ts";

export type { ConfigFile } from "./problems.ts";

/** What a config file says. A bad entry switches off itself alone. */
export interface Config {
  readonly file: string;
  readonly layer: Layer;
  readonly dialect: DialectName;
  readonly hooks: readonly Hook[];
  readonly allowedHttpHookUrls?: readonly string[];
  /** What the user wants replaced in the journal. */
  readonly redact?: readonly Replacer[];
  /** What `--as all` means. */
  readonly agents?: readonly string[];
  /** Where it switches hooks off, if it does: "file:line". */
  readonly offAt?: string;
  /** It is read to the letter of a real system, in which that switches off the hooks of every file. */
  readonly simulated?: true;
  /** The first line, if any, that is not plain JSON; absent where the file could not be read. */
  extendedAt?(): number | undefined;
  /** From Belay's own files only: the files of other systems have rules of their own. */
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
    const [first, last] = lines;
    note(reading, "config-repeated-key", path, { path: showPath(path), first, last });
  }
  const { permissions: _, ...plain } = FILE_FIELDS;
  const fields = takeFields(reading, value, plain, []);
  const dialect = source.dialect ?? fields.dialect ?? source.fallbackDialect ?? DEFAULT_DIALECT;
  for (const key of Object.keys(value)) {
    if (!isEventName(key) && !holdsGroups(value[key])) continue;
    const event = nearest(key.slice(key.lastIndexOf(".") + 1), EVENT_NAMES); // "hooks.PreToolUse" too
    if (event !== undefined) note(reading, "config-event-outside", [key], { key, event }, ["hooks", event]);
  }
  noteMisspelt(reading, value);
  const read = readEvents(reading, value.hooks, dialect);
  const hooks = isVoid(reading, dialect) ? [] : read;
  const offAt = readSwitch(reading, fields.disableAllHooks, dialect);
  const urls = fields.allowedHttpHookUrls;
  const redact = fields.redact?.flatMap((pattern, index) => readRedact(reading, pattern, index));
  const isOwn = source.dialect === undefined && source.pluginRoot === undefined;
  // In the files of other systems the name is taken.
  const agents = isOwn && Array.isArray(value.agents) ? value.agents.map(String) : undefined;
  const permissions = isOwn ? readPermissions(reading, value) : undefined;
  const problems = [...reading.problems, ...untoldIn(reading)];
  return {
    file,
    layer,
    dialect,
    hooks,
    ...(urls && { allowedHttpHookUrls: urls }),
    ...(redact && { redact }),
    ...(agents && { agents }),
    ...(offAt !== undefined && { offAt }),
    ...(isSimulated(source, dialect) && { simulated: true as const }),
    extendedAt: tree.extendedAt,
    ...(permissions && { permissions }),
    problems,
    broken: false,
  };
}

function isSimulated({ simulate = false }: ConfigFile, dialect: DialectName): boolean {
  return simulate && hasLetter(dialect);
}

/** What cannot be loaded. A pattern that cannot be compiled is none of it. */
const BAD_ENTRY: readonly string[] = ["config-bad-entry", "config-flat-entry", "config-unsupported-type"];

/** Whether the system that is simulated reads nothing of the file (design §7). The user is told why. */
function isVoid(reading: Reading, dialect: DialectName): boolean {
  const { source, tree, problems } = reading;
  const { title, dropsBadFile } = dialectRow(dialect, source.simulate);
  if (!dropsBadFile) return false;
  const line = tree.extendedAt();
  const bad = problems.find(
    ({ code, about, event }) =>
      BAD_ENTRY.includes(code) &&
      (about !== "hooks" || (event !== undefined && ruleFor(event, dialect, true).refusal === "deny")),
  );
  const path = line === undefined ? bad?.path : `${source.file}:${line}`;
  if (path === undefined) return false;
  const why = line === undefined ? (bad?.message ?? "") : "a comment, or a comma too many, is no JSON";
  problems.unshift(
    diagnose("config-file-void", { agent: title, file: source.file, why }, { path, about: "hooks" }),
  );
  return true;
}

function readEvents(reading: Reading, hooks: unknown, dialect: DialectName): Hook[] {
  if (hooks === undefined) return [];
  if (!isObject(hooks)) {
    bad(reading, ["hooks"], "an object with a list per event", hooks);
    return [];
  }
  return Object.entries(hooks).flatMap(([name, groups]) => {
    const path = ["hooks", name];
    if (!isEventName(name)) {
      noteUnknownEvent(reading, name, groups, dialect);
      return [];
    }
    return readGroups(reading, groups, name, dialect, path);
  });
}

/** The hooks under an unknown event are off, and are read for their problems only. A comment may look like an event: it is not read. */
function noteUnknownEvent(reading: Reading, name: string, groups: unknown, dialect: DialectName): void {
  const path = ["hooks", name];
  const meant = nearest(name, EVENT_NAMES);
  note(reading, "config-unknown-event", path, {
    name: quote(name),
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
  if (groups === null && isSimulated(reading.source, dialect)) return [];
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
  // Also for a group that is off: a misspelt field is why another one is missing.
  warnUnknown(reading, group, [...Object.keys(GROUP_FIELDS), "hooks"], path, stray);
  const matcher = readMatcher(reading, fields.matcher ?? "", [...path, "matcher"]);
  const isSound = reading.errors === before;
  if (!Array.isArray(hooks)) return [];
  if (hooks.length === 0) note(reading, "config-empty-group", path, { path: showPath(path) });
  const simulated = isSimulated(reading.source, dialect);
  const place = { event, dialect, matcher, sequential: fields.sequential === true, simulated };
  // Also for a group that is off: its author sees all problems at once.
  const read = hooks.flatMap((entry: unknown, index) => {
    const hook = readEntry(reading, entry, place, [...path, "hooks", index]);
    return hook ? [hook] : [];
  });
  return isSound ? read : [];
}

/** Without the pattern engine nothing is replaced: the file is read again with one. */
function readRedact(reading: Reading, pattern: string, index: number): Replacer[] {
  try {
    return reading.patterns ? [reading.patterns.replacer(pattern)] : [];
  } catch (error) {
    bad(reading, ["redact", index], `a pattern of RE2 (${messageOf(error)})`, pattern);
    return [];
  }
}

/** A matcher that cannot be compiled is an error, and matches nothing. */
function readMatcher(reading: Reading, source: string, path: JSONPath): Matcher {
  const quoted = quote(source);
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

/** "disabledHooks", "hooks.old": the author knows that these hooks are off. */
const PUT_ASIDE = /\b(?:disabled|unused|backup|bak|old|off)\b/i;

/** Names near misses of our fields, and hooks under another name or one level too deep. Other fields belong to the agent. */
function noteMisspelt(reading: Reading, value: Record<string, unknown>): void {
  const known = [...Object.keys(FILE_FIELDS), "hooks"];
  for (const [key, held] of Object.entries(value)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    const isComment = !/^[a-z]/i.test(key); // "_hooks", "//hooks"
    const isDeeper = isObject(held) && holdsEvents(held.hooks);
    if (!isComment && (isDeeper || holdsEvents(held, near === "hooks"))) {
      const inWords = key.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, " "); // "hooks Off" for "hooksOff"
      const code = PUT_ASIDE.test(inWords) ? "config-misspelt-field" : "config-misspelt-hooks";
      const path = isDeeper ? [key, "hooks"] : [key];
      const advice = "Move what it holds into `hooks` at the top of the file.";
      const guess = isDeeper ? "" : asGuess("hooks");
      note(reading, code, path, { path: showPath(path), guess, advice }, ["hooks"]);
    } else if (near !== undefined) {
      const advice = `Rename it to \`${near}\`.`;
      note(reading, "config-misspelt-field", [key], { path: key, guess: asGuess(near), advice }, [near]);
    }
  }
}

/** True for a list of groups, or of hooks that lack their group. The agent has lists of its own. */
function holdsGroups(value: unknown): boolean {
  const has = (one: unknown) =>
    isObject(one) && ["hooks", "command"].some((name) => Object.hasOwn(one, name));
  return Array.isArray(value) && value.some(has);
}

/** True for an object, or a list of objects, with hooks by event. If its name is near "hooks", names near events are enough. */
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

/** Whose hooks a switch turns off, by how many other layers it reaches. */
const WHOSE = ["the hooks of this file are", "the hooks of this file and of the project's settings.json are"];

/** The place of disableAllHooks, if it is true and the dialect reads it. The user is told either way. */
function readSwitch(reading: Reading, value: unknown, dialect: DialectName): string | undefined {
  if (value !== true) return undefined;
  const path = ["disableAllHooks"];
  if (!DIALECTS[dialect].filesSwitchOff) {
    note(reading, "config-switch-ignored", path, { dialect });
    return undefined;
  }
  const { switchesOff } = LAYERS[reading.source.layer];
  const whose = isSimulated(reading.source, dialect) ? undefined : WHOSE[switchesOff.length];
  note(reading, "config-hooks-off", path, { whose: whose ?? "all hooks are" });
  return placeOf(placeAt(reading, path));
}

/** The hooks of all files, in configured order; those that a file switches off are not enabled. */
export function hooksOf(configs: readonly Config[]): Hook[] {
  const switches = configs.filter(({ offAt }) => offAt !== undefined);
  return configs.flatMap(({ file, layer, hooks }) => {
    const found = switches.find(
      (by) => by.file === file || by.simulated || LAYERS[by.layer].switchesOff.includes(layer),
    );
    const offAt = found?.offAt;
    return offAt === undefined ? hooks : hooks.map((hook) => ({ ...hook, enabled: false, offAt }));
  });
}
