import { inOrder, isObject, type JsonObject } from "../json.ts";
import { DIALECTS, type DialectName, dialectRow } from "../tables/dialects.ts";
import type { EventName } from "../tables/events.ts";
import { alternatives, nearest, quote, shellWord, shorten } from "../text.ts";
import { conditionOf, takesCondition } from "./condition.ts";
import { type Handler, type Hook, isInBackground } from "./hook.ts";
import { type JSONPath, showPath } from "./jsonc.ts";
import type { Matcher } from "./matcher.ts";
import { asWritten, bad, note, placeAt, type Reading, takeFields, warnUnknown } from "./problems.ts";
import {
  ASYNC_TIMEOUT_SECONDS,
  ENTRY_FIELDS,
  HANDLER_TYPES,
  type HandlerType,
  OWN_TYPES,
  PROMPT_TIMEOUT_SECONDS,
  TYPE_FIELDS,
} from "./schema.ts";
import { UNREAD_FIELDS, unreadIn, unreadValues } from "./unread-fields.ts";

/** What an entry gets from its group. */
export interface GroupPlace {
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly matcher: Matcher;
  readonly sequential: boolean;
  readonly simulated: boolean;
}

/** Whatever stands in an `if`, its hook is not off for it, but where a system is simulated for which it is. */
const { if: _, ...COMMON_FIELDS } = ENTRY_FIELDS;

function defaultTimeout(handler: Handler, { dialect, simulated }: GroupPlace): number {
  if (isInBackground(handler)) return ASYNC_TIMEOUT_SECONDS;
  return handler.type === "prompt" ? PROMPT_TIMEOUT_SECONDS : dialectRow(dialect, simulated).timeout;
}

/** Why a fault of a hook cannot refuse anything, if it cannot. */
function whyNoGuard(handler: Handler): string | undefined {
  if (isInBackground(handler)) return "nobody waits for an async hook";
  return OWN_TYPES.includes(handler.type) ? undefined : `hooks of type ${handler.type} have no onFailure`;
}

const EVERY_FIELD = [ENTRY_FIELDS, ...Object.values(TYPE_FIELDS)].flatMap((fields) => Object.keys(fields));

/** One hook with every field filled in, or undefined when the entry is unsound. */
export function readEntry(
  reading: Reading,
  entry: unknown,
  group: GroupPlace,
  path: JSONPath,
): Hook | undefined {
  if (!isObject(entry)) {
    bad(reading, path, "a hook: { type, … }", entry);
    return undefined;
  }
  const type = readType(reading, entry, path);
  if (type === undefined) {
    if (entry.type === undefined) noteFields(reading, entry, EVERY_FIELD, path, group.dialect);
    return undefined;
  }
  const before = reading.errors;
  const specific = takeFields(reading, entry, TYPE_FIELDS[type], path);
  const common = takeFields(reading, entry, group.simulated ? ENTRY_FIELDS : COMMON_FIELDS, path);
  const isSound = reading.errors === before;
  const known = [...Object.keys(ENTRY_FIELDS), ...Object.keys(TYPE_FIELDS[type])];
  const ignored = noteFields(reading, entry, known, path, group.dialect);
  if (!isSound) return undefined;
  const { event, dialect, matcher, sequential, simulated } = group;
  const condition = readCondition(reading, entry.if, group, path);
  const handler = toHandler(type, specific);
  const why = whyNoGuard(handler);
  if (why !== undefined && common.onFailure === "block")
    note(reading, "config-no-effect", [...path, "onFailure"], { where: `on ${event}`, why });
  const source = placeAt(reading, path);
  // Named one by one: hooks that are spread together differ in shape, and matching thousands of them is five times slower.
  return {
    event,
    dialect,
    matcher,
    condition,
    sequential,
    handler,
    name: common.name ?? defaultName(group.event, handler, path),
    timeoutMs: (common.timeout ?? defaultTimeout(handler, group)) * 1000,
    onFailure: (why === undefined && common.onFailure) || "continue",
    mode: common.mode ?? "enforce",
    simulated,
    enabled: common.enabled ?? true,
    once: (DIALECTS[dialect].onceCounts && common.once) || false,
    statusMessage: common.statusMessage || undefined,
    files: common.files ?? [],
    source,
    ignored,
    group: `${source.file}#${showPath(path.slice(0, 3))}`,
    identity: identityOf(reading, entry, group.dialect),
  };
}

function readCondition(reading: Reading, value: unknown, { event, simulated }: GroupPlace, path: JSONPath) {
  const condition = conditionOf(value, event, reading.source.home, simulated);
  const at = [...path, "if"];
  if (condition?.problem !== undefined && !condition.fits({})) {
    note(reading, "config-if-no-rule", at, { rule: asWritten(value), detail: condition.problem });
    return condition;
  }
  if (condition?.problem !== undefined)
    note(reading, "config-bad-if", at, { rule: asWritten(value), detail: condition.problem });
  else if (condition && !takesCondition(event)) note(reading, "config-if-never", at, { event });
  return condition;
}

/** Notes fields that are not read, and returns those of other systems. An entry that is off has the notes too: a misspelt field is why another one is missing. */
function noteFields(
  reading: Reading,
  entry: JsonObject,
  known: readonly string[],
  path: JSONPath,
  dialect: DialectName,
): string[] {
  const ignored = unreadIn(entry, known, DIALECTS[dialect]);
  for (const field of ignored) note(reading, "config-ignored-field", [...path, field], unreadValues(field));
  warnUnknown(reading, entry, ["type", ...known], path, UNREAD_FIELDS);
  return ignored;
}

function readType(reading: Reading, entry: JsonObject, path: JSONPath): HandlerType | undefined {
  const { type } = entry;
  if (typeof type === "string" && Object.hasOwn(TYPE_FIELDS, type)) return type as HandlerType;
  if (typeof type === "string" && nearest(type, HANDLER_TYPES) === undefined) {
    const values = { path: showPath(path), type: quote(type) };
    note(reading, "config-unsupported-type", [...path, "type"], values);
    return undefined;
  }
  bad(reading, [...path, "type"], alternatives(OWN_TYPES), type, HANDLER_TYPES);
  return undefined;
}

const HANDLER_DEFAULTS: Record<string, unknown> = { exitcode: 0, headers: {}, allowedEnvVars: [] };

function toHandler(type: HandlerType, fields: Record<string, unknown>): Handler {
  const filled = Object.keys(TYPE_FIELDS[type]).map(
    (name) => [name, fields[name] ?? HANDLER_DEFAULTS[name]] as const,
  );
  return { type, ...Object.fromEntries(filled.filter(([, value]) => value !== undefined)) } as Handler;
}

/** A hook without a name is named after its event, position and command. */
function defaultName(event: EventName, handler: Handler, path: JSONPath): string {
  const short = withoutFolders(whatRuns(handler));
  return `${event}[${String(path[2])}.${String(path[4])}] ${shorten(short, 40)}`;
}

/** python3 "$PROJECT"/hooks/guard.py --strict → python3 guard.py --strict */
function withoutFolders(command: string): string {
  const words = command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  return words
    .map((word, index) => {
      const isFile = index === 0 || /\/[^/]+\.\w+["']?$/.test(word);
      return isFile && !word.includes("://") ? word.replace(/^.*\//, "").replaceAll(/["']/g, "") : word;
    })
    .join(" ");
}

/** The command, URL, module or question of a hook, in one string; a program with its arguments as a shell would take them. */
export function whatRuns(handler: Handler): string {
  switch (handler.type) {
    case "command":
      return handler.args ? [handler.command, ...handler.args].map(shellWord).join(" ") : handler.command;
    case "http":
      return handler.url;
    case "module":
      return handler.module;
    case "prompt":
    case "agent":
      return handler.prompt;
    case "mcp_tool":
      return `${handler.server} ${handler.tool}`;
    case "json":
      return "json";
  }
}

/** Equal for entries with equal fields, in any order of their keys. */
function identityOf({ source }: Reading, entry: JsonObject, dialect: DialectName): string {
  const relativeTo = entry.type === "module" ? source.file : "";
  return JSON.stringify([dialect, source.pluginRoot ?? "", relativeTo, inOrder(entry)]);
}

/** The dialect and all fields of the entry that an identity was made of. */
export function identityFields(identity: string): Readonly<Record<string, unknown>> {
  const [dialect, , , entry] = JSON.parse(identity) as [DialectName, string, string, Record<string, unknown>];
  return { dialect, ...entry };
}
