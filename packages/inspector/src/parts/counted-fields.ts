import {
  type Addition,
  type EventRecord,
  parse,
  type RecordedHook,
  type RunReport,
  ruleFor,
  type Verdict,
} from "@belay/core";
import { findObjects, isObject, OUR_FIELDS } from "@belay/core/internal";

/** A hook's JSON, and which of its fields made a difference. */
export interface Counted {
  readonly json: Readonly<Record<string, unknown>>;
  /** Names of fields, inside of hookSpecificOutput as "hookSpecificOutput.NAME"; absent when the output is too long to find out. */
  readonly fields?: ReadonlySet<string>;
  /** The fields that changed only parts of the verdict that did not count. */
  readonly idle?: ReadonlySet<string>;
}

const INNER = "hookSpecificOutput";
/** Each field costs one more reading of the whole output. */
const MAX_TEXT = 20_000;
const MAX_FIELDS = 40;

/** A part of a verdict; of its texts, those of one kind. */
export type VerdictPart = Exclude<keyof Verdict, "parts"> | Verdict["parts"][number]["kind"];

/** An object in what a hook printed, and where it stands there. */
interface Printed {
  readonly json: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly end: number;
}

/** The JSON objects of a hook's stdout; none where it is text. A field counted if the verdict differs without it. */
export function countedFields(
  event: EventRecord["event"],
  hook: RecordedHook,
  read: RunReport["read"],
  uncounted: ReadonlySet<VerdictPart> = new Set(),
): readonly Counted[] {
  const { stdout } = hook.run;
  const objects = read === "mixed" ? answersIn(stdout) : wholeOutput(stdout);
  const paths = objects.map(({ json }) => pathsIn(json));
  if (stdout.length > MAX_TEXT || paths.flat().length > MAX_FIELDS)
    return read === "mixed" ? [] : objects.map(({ json }) => ({ json }));
  const rule = ruleFor(event, hook.dialect, hook.simulated);
  const verdictWith = ({ start, end }: Printed, value: object) => {
    const text = stdout.slice(0, start) + JSON.stringify(value) + stdout.slice(end);
    return parse(hook, { ...hook.run, stdout: text }, rule);
  };
  return objects.map((printed, at) => {
    const { json } = printed;
    const whole = verdictWith(printed, json);
    const changed = new Map(
      paths[at]?.map((path) => [path, changedIn(whole, verdictWith(printed, without(json, path)))]),
    );
    const fields = [...changed.keys()].filter((path) => changed.get(path)?.length !== 0);
    const isIdle = (part: VerdictPart) => hook.mode === "observe" || uncounted.has(part);
    const idle = fields.filter((path) => changed.get(path)?.every(isIdle));
    return { json, fields: new Set(fields), idle: new Set(idle) };
  });
}

/**
 * The parts of a hook's verdict that the decision left out: an overruled verdict, an allow of another input, a rewrite that
 * was replaced or that a refusal does not carry, words for an agent that is told nothing.
 */
export function uncountedParts(
  record: EventRecord,
  reports: readonly RunReport[],
  at: number,
): ReadonlySet<VerdictPart> {
  const { outcome } = record;
  const { hook: name, verdict } = reports[at] as RunReport;
  const told = outcome.diagnostics.filter(({ hook }) => hook === name);
  const parts: VerdictPart[] = [];
  const isVoided = told.some(({ code }) => code === "allow-voided");
  if (isVoided || verdict !== outcome.decision.kind) parts.push("kind", "reason");
  if (isVoided) parts.push("permission-reason");
  if (isReplaced(record, reports, at) || isDropped(record, at, "rewrite"))
    parts.push("updatedInput", "updatedPrompt");
  if (isDropped(record, at, "context")) parts.push("context");
  if (isDropped(record, at, "message")) parts.push("system");
  return new Set(parts);
}

/** True if nobody gets what a hook adds. A rewrite that another one replaced is told by `isReplaced`. */
export function isDropped({ outcome, hooks }: EventRecord, at: number, what: Addition): boolean {
  const name = hooks[at]?.name;
  const heard = outcome.messages.filter(({ hook }) => hook === name);
  if (what === "message") return !heard.some(({ block }) => block.type === "warn");
  if (what === "context")
    return !heard.some(({ to, block }) => to === "agent" && (block.type === "hook" || block.type === "text"));
  const isCarried = outcome.updatedInput !== undefined || outcome.updatedPrompt !== undefined;
  return !isCarried && !hooks.some(({ saw }) => saw === at);
}

/** True if a later rewrite replaced that of a hook. Both hooks have the diagnostic. */
export function isReplaced({ outcome }: EventRecord, reports: readonly RunReport[], at: number): boolean {
  const name = reports[at]?.hook;
  const isTold = outcome.diagnostics.some(({ hook, code }) => hook === name && code === "rewrite-lost");
  return isTold && at !== lastRewriter(reports);
}

/** The hook whose rewrite stands; -1 if there is none. */
export function lastRewriter(reports: readonly RunReport[]): number {
  return reports.findLastIndex(({ adds, observed }) => !observed && adds?.includes("rewrite"));
}

function wholeOutput(stdout: string): Printed[] {
  const json = objectIn(stdout);
  return json ? [{ json, start: 0, end: stdout.length }] : [];
}

/** The objects among other text that may be an answer. */
function answersIn(stdout: string): Printed[] {
  if (stdout.length > MAX_TEXT) return [];
  return findObjects(stdout, false).flatMap(({ json: text, start, end }) => {
    const json = objectIn(text);
    return json && Object.keys(json).some((name) => OUR_FIELDS.has(name)) ? [{ json, start, end }] : [];
  });
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function pathsIn(json: Readonly<Record<string, unknown>>): string[] {
  const inner = json[INNER];
  const names = Object.keys(json).filter((name) => name !== INNER || !isObject(inner));
  return isObject(inner) ? [...names, ...Object.keys(inner).map((name) => `${INNER}.${name}`)] : names;
}

function without(json: Readonly<Record<string, unknown>>, path: string): object {
  const copy: Record<string, unknown> = { ...json };
  const inner = json[INNER];
  if (path.startsWith(`${INNER}.`) && isObject(inner)) {
    const kept: Record<string, unknown> = { ...inner };
    delete kept[path.slice(INNER.length + 1)];
    copy[INNER] = kept;
  } else delete copy[path];
  return copy;
}

/** The parts in which two verdicts differ, diagnostics aside. */
function changedIn(one: Verdict, other: Verdict): VerdictPart[] {
  const [before, after] = [contentOf(one), contentOf(other)];
  const parts = Object.keys({ ...before, ...after }) as VerdictPart[];
  return parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
}

function contentOf({ parts, diagnostics: _, ...rest }: Verdict): Partial<Record<VerdictPart, unknown>> {
  const texts = parts.map(({ kind }) => [kind, parts.filter((part) => part.kind === kind)]);
  return { ...rest, ...Object.fromEntries(texts) };
}
