import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import * as v from "valibot";
import {
  ENTRY_FIELDS,
  FILE_FIELDS,
  GROUP_FIELDS,
  HANDLER_TYPES,
  type HandlerType,
  TYPE_FIELDS,
} from "./config-schema.ts";
import { type DiagnosticCode, diagnose } from "./diagnostics.ts";
import { DEFAULT_DIALECT, type DialectName } from "./dialects.ts";
import { EVENT_NAMES, type EventName, isEventName } from "./events.ts";
import type { Handler, Hook, HookSource, Layer } from "./hook.ts";
import { compileMatcher, isPattern, type Matcher, type PatternEngine } from "./matcher.ts";
import { didYouMean, nearest } from "./suggest.ts";
import type { Diagnostic } from "./types.ts";

/** A config file before anything is known of it. */
export interface ConfigFile {
  readonly file: string;
  readonly layer: Layer;
  readonly text: string;
  readonly pluginRoot?: string;
  /** Overrides the file's own "dialect" key. */
  readonly dialect?: DialectName;
}

/** What a config file says. One bad entry never takes another with it. */
export interface Config {
  readonly file: string;
  readonly layer: Layer;
  readonly dialect: DialectName;
  readonly hooks: readonly Hook[];
  readonly allowedHttpHookUrls?: readonly string[];
  /** Every problem found, each with its place. */
  readonly problems: readonly Diagnostic[];
  /** The file as a whole could not be read: nothing of it is in force. */
  readonly broken: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

/** Whether reading this text needs the pattern engine; a guess on the safe side, without parsing. */
export function mayHavePatterns(text: string): boolean {
  for (const [, source] of text.matchAll(/"matcher"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) {
    if (isPattern(source ?? "")) return true;
  }
  return false;
}

/** Reads a config file: JSON with comments and trailing commas. */
export function readConfig(source: ConfigFile, patterns?: PatternEngine): Config {
  const reader = new Reader(source, patterns);
  return reader.read();
}

/** One pass over one file; a class only because every step needs the tree, the place and the list of problems. */
class Reader {
  private readonly problems: Diagnostic[] = [];
  private readonly root: Node | undefined;
  private readonly errors: ParseError[] = [];
  private readonly lineStarts: readonly number[];

  constructor(
    private readonly source: ConfigFile,
    private readonly patterns: PatternEngine | undefined,
  ) {
    this.root = parseTree(source.text, this.errors, { allowTrailingComma: true });
    this.lineStarts = lineStarts(source.text);
  }

  read(): Config {
    const { file, layer } = this.source;
    const broken = this.brokenBecause();
    if (broken !== undefined) {
      const problem = diagnose("config-unreadable", { file, detail: broken.detail }, { path: broken.path });
      return {
        file,
        layer,
        dialect: this.source.dialect ?? DEFAULT_DIALECT,
        hooks: [],
        problems: [problem],
        broken: true,
      };
    }
    const value = getNodeValue(this.root as Node) as Record<string, unknown>;
    const fields = this.fields(value, FILE_FIELDS, []);
    const dialect = this.source.dialect ?? (fields.dialect as DialectName | undefined) ?? DEFAULT_DIALECT;
    this.warnOfMisspeltHooks(value);
    const hooks = this.events(value.hooks, dialect);
    const urls = fields.allowedHttpHookUrls as string[] | undefined;
    return {
      file,
      layer,
      dialect,
      hooks,
      ...(urls && { allowedHttpHookUrls: urls }),
      problems: this.problems,
      broken: false,
    };
  }

  private brokenBecause(): { detail: string; path: string } | undefined {
    const { file } = this.source;
    const [error] = this.errors;
    if (error) {
      const detail = `${readableError(error)} on line ${this.line(error.offset)}`;
      return { detail, path: `${file}:${this.line(error.offset)}` };
    }
    if (this.root?.type !== "object") return { detail: "it is not a JSON object", path: `${file}:1` };
    return undefined;
  }

  private events(hooks: unknown, dialect: DialectName): Hook[] {
    if (hooks === undefined) return [];
    if (!isObject(hooks)) {
      this.bad(["hooks"], "an object with a list per event", hooks);
      return [];
    }
    return Object.entries(hooks).flatMap(([name, groups]) => {
      const path = ["hooks", name];
      if (!isEventName(name)) {
        this.problem("config-unknown-event", path, {
          name: JSON.stringify(name),
          guess: didYouMean(name, EVENT_NAMES),
        });
        return [];
      }
      if (!Array.isArray(groups)) {
        this.bad(path, "a list of groups", groups);
        return [];
      }
      return groups.flatMap((group: unknown, index) => this.group(group, name, dialect, [...path, index]));
    });
  }

  private group(group: unknown, event: EventName, dialect: DialectName, path: JSONPath): Hook[] {
    if (!isObject(group)) {
      this.bad(path, "a group: { matcher, hooks }", group);
      return [];
    }
    if (!Object.hasOwn(group, "hooks") && (Object.hasOwn(group, "type") || Object.hasOwn(group, "command"))) {
      this.problem("config-flat-entry", path, { path: show(path) });
      return [];
    }
    const before = this.problems.length;
    const fields = this.fields(group, GROUP_FIELDS, path);
    this.unknown(group, [...Object.keys(GROUP_FIELDS), "hooks"], path);
    if (!Array.isArray(group.hooks)) {
      this.bad([...path, "hooks"], "a list of hooks", group.hooks);
      return [];
    }
    const matcher = this.matcher((fields.matcher as string | undefined) ?? "", [...path, "matcher"]);
    if (matcher === undefined || this.problems.slice(before).some((p) => p.code === "config-bad-entry"))
      return [];
    const sequential = fields.sequential === true;
    return group.hooks.flatMap((entry: unknown, index) => {
      const hook = this.entry(entry, event, dialect, matcher, sequential, [...path, "hooks", index]);
      return hook ? [hook] : [];
    });
  }

  private matcher(source: string, path: JSONPath): Matcher | undefined {
    try {
      const matcher = compileMatcher(source, this.patterns);
      if (matcher.kind === "unsafe-pattern" && this.patterns) {
        this.problem("config-matcher-fallback", path, {
          matcher: JSON.stringify(source),
          detail: "lookaround or back-references",
        });
      }
      return matcher;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.problem("config-bad-matcher", path, { path: show(path), matcher: JSON.stringify(source), detail });
      return undefined;
    }
  }

  private entry(
    entry: unknown,
    event: EventName,
    dialect: DialectName,
    matcher: Matcher,
    sequential: boolean,
    path: JSONPath,
  ): Hook | undefined {
    if (!isObject(entry)) return this.bad(path, "a hook: { type, … }", entry);
    const type = this.typeOf(entry, path);
    if (type === undefined) return undefined;
    const before = this.problems.length;
    const specific = this.fields(entry, TYPE_FIELDS[type], path);
    const common = this.fields(entry, ENTRY_FIELDS, path);
    if (this.problems.length > before) return undefined;
    this.unknown(entry, ["type", ...Object.keys(ENTRY_FIELDS), ...Object.keys(TYPE_FIELDS[type])], path);
    const handler = toHandler(type, specific);
    const source = this.place(path);
    return {
      event,
      dialect,
      matcher,
      handler,
      name: (common.name as string | undefined) ?? defaultName(event, handler, path),
      timeoutMs: ((common.timeout as number | undefined) ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      onFailure: (common.onFailure as Hook["onFailure"] | undefined) ?? "continue",
      mode: (common.mode as Hook["mode"] | undefined) ?? "enforce",
      enabled: common.enabled !== false,
      source,
      group: `${source.file}#${show(path.slice(0, 3))}`,
      sequential,
      identity: identityOf(entry, dialect, this.source),
    };
  }

  private typeOf(entry: Record<string, unknown>, path: JSONPath): HandlerType | undefined {
    const { type } = entry;
    if (typeof type === "string" && Object.hasOwn(TYPE_FIELDS, type)) return type as HandlerType;
    const guess = typeof type === "string" ? nearest(type, HANDLER_TYPES) : undefined;
    if (typeof type === "string" && guess === undefined) {
      this.problem("config-unsupported-type", [...path, "type"], {
        path: show(path),
        type: JSON.stringify(type),
      });
      return undefined;
    }
    this.bad([...path, "type"], HANDLER_TYPES.map((name) => JSON.stringify(name)).join(" | "), type, guess);
    return undefined;
  }

  /** The sound fields of an object; each unsound one is a problem of its own. */
  private fields(from: Record<string, unknown>, schemas: Record<string, v.GenericSchema>, path: JSONPath) {
    const values: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      const value = Object.hasOwn(from, name) ? from[name] : undefined;
      const result = v.safeParse(schema, value);
      if (result.success) values[name] = value;
      else {
        const [issue] = result.issues;
        const below = (issue.path ?? []).map((item) => item.key as string | number);
        this.bad([...path, name, ...below], issue.expected ?? issue.message, issue.input);
      }
    }
    return values;
  }

  private unknown(object: Record<string, unknown>, known: readonly string[], path: JSONPath): void {
    for (const key of Object.keys(object)) {
      if (known.includes(key)) continue;
      const meant = nearest(key, known);
      this.problem("config-unknown-field", [...path, key], {
        path: show([...path, key]),
        guess: meant ? ` (did you mean ${meant}?)` : "",
        advice: meant
          ? `Rename it to \`${meant}\`.`
          : `Remove it, or see docs/configuration.md for what Belay reads.`,
      });
    }
  }

  /** "hook" or "Hooks" at the top would silently mean no hooks at all. */
  private warnOfMisspeltHooks(value: Record<string, unknown>): void {
    if (Object.hasOwn(value, "hooks")) return;
    const misspelt = Object.keys(value).find(
      (key) => nearest(key, ["hooks"]) !== undefined || isEventName(key),
    );
    if (misspelt === undefined) return;
    const advice = isEventName(misspelt) ? 'Put it inside "hooks": { … }.' : "Rename it to `hooks`.";
    this.problem("config-unknown-field", [misspelt], {
      path: misspelt,
      guess: " (did you mean hooks?)",
      advice,
    });
  }

  private bad(path: JSONPath, expected: string, got: unknown, guess?: string): undefined {
    const advice = guess
      ? `Did you mean ${JSON.stringify(guess)}?`
      : "`belay schema --config` prints what is accepted.";
    this.problem("config-bad-entry", path, { path: show(path), expected, got: brief(got), advice });
  }

  private problem(code: DiagnosticCode, path: JSONPath, values: Record<string, string>): void {
    const place = this.place(path);
    this.problems.push(diagnose(code, values, { path: `${place.file}:${place.line}` }));
  }

  private place(path: JSONPath): HookSource {
    const { file, layer, pluginRoot } = this.source;
    const node = this.nearestNode(path);
    const line = this.line(node?.offset ?? 0);
    return { file, layer, line, path: show(path), ...(pluginRoot !== undefined && { pluginRoot }) };
  }

  /** The node at a path, or the closest one above it that exists. */
  private nearestNode(path: JSONPath): Node | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = this.root && findNodeAtLocation(this.root, path.slice(0, length));
      if (node) return node;
    }
    return undefined;
  }

  private line(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function readableError(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

function toHandler(type: HandlerType, fields: Record<string, unknown>): Handler {
  const defaults = { exitcode: 0, headers: {}, allowedEnvVars: [] };
  const known = Object.keys(TYPE_FIELDS[type]);
  const filled = known.map((name) => [name, fields[name] ?? defaults[name as keyof typeof defaults]]);
  return { type, ...Object.fromEntries(filled) } as Handler;
}

function defaultName(event: EventName, handler: Handler, path: JSONPath): string {
  const what =
    handler.type === "command"
      ? handler.command
      : handler.type === "http"
        ? handler.url
        : handler.type === "module"
          ? handler.module
          : "json";
  const short = what.replaceAll(/\s+/g, " ").trim();
  return `${event}[${String(path[2])}.${String(path[4])}] ${short.length > 40 ? `${short.slice(0, 39)}…` : short}`;
}

/** Equal for entries that say the same in every field, whatever the order of their keys. */
function identityOf(entry: Record<string, unknown>, dialect: DialectName, source: ConfigFile): string {
  const base = entry.type === "module" ? source.file : "";
  return JSON.stringify([dialect, source.pluginRoot ?? "", base, canonical(entry)]);
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, canonical(value[key])]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** hooks.PreToolUse[0].hooks[1].timeout */
function show(path: JSONPath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}

function brief(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
