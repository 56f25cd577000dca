import { type Addition, type EventRecord, parse, type RunReport, ruleFor, type Verdict } from "@belay/core";
import { findObjects, isObject, OUR_FIELDS } from "@belay/core/internal";

/** A hook's JSON, and which of its fields made a difference. */
export interface Counted {
  readonly json: Readonly<Record<string, unknown>>;
  /** Names, those inside hookSpecificOutput with it before a dot; absent when it is too long to find out. */
  readonly fields?: ReadonlySet<string>;
  /** Those of them that made a difference to its verdict alone: that part of it did not count. */
  readonly idle?: ReadonlySet<string>;
}

const INNER = "hookSpecificOutput";
/** Characters and fields: each field is one more reading of the whole. */
const MAX_TEXT = 20_000;
const MAX_FIELDS = 40;

/** A part of a verdict; of its texts, those of one kind. */
export type VerdictPart = Exclude<keyof Verdict, "parts"> | Verdict["parts"][number]["kind"];

type RecordedHook = EventRecord["hooks"][number];

/** An object in what a hook printed, and where it stands there. */
interface Printed {
  readonly json: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly end: number;
}

/** The JSON objects that stdout was read by: none where it is text. A field counted when the verdict would be another without it. */
export function countedFields(
  event: EventRecord["event"],
  hook: RecordedHook,
  read: RunReport["read"],
  uncounted: ReadonlySet<VerdictPart> = new Set(),
): readonly Counted[] {
  const { stdout } = hook.run;
  const objects = read === "mixed" ? answersAmong(stdout) : wholeIn(stdout);
  const ways = objects.map(({ json }) => waysIn(json));
  if (stdout.length > MAX_TEXT || ways.flat().length > MAX_FIELDS)
    return read === "mixed" ? [] : objects.map(({ json }) => ({ json }));
  const rule = ruleFor(event, hook.dialect);
  const verdictWith = ({ start, end }: Printed, value: object) => {
    const text = stdout.slice(0, start) + JSON.stringify(value) + stdout.slice(end);
    return parse(hook, { ...hook.run, stdout: text }, rule);
  };
  return objects.map((printed, at) => {
    const { json } = printed;
    const whole = verdictWith(printed, json);
    const changed = new Map(
      ways[at]?.map((way) => [way, changedIn(whole, verdictWith(printed, without(json, way)))]),
    );
    const fields = [...changed.keys()].filter((way) => changed.get(way)?.length !== 0);
    const isIdle = (part: VerdictPart) => hook.mode === "observe" || uncounted.has(part);
    const idle = fields.filter((way) => changed.get(way)?.every(isIdle));
    return { json, fields: new Set(fields), idle: new Set(idle) };
  });
}

/**
 * The parts of a hook's verdict that the decision passed over: what a stricter one overruled, an allow of another input, a rewrite
 * that was replaced or that a refusal does not carry, words for an agent that is told nothing.
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

/** Whether something that a hook adds goes nowhere; of rewrites that replace each other, diagnostics tell. */
export function isDropped({ outcome, hooks }: EventRecord, at: number, what: Addition): boolean {
  const name = hooks[at]?.name;
  const heard = outcome.messages.filter(({ hook }) => hook === name);
  if (what === "message") return !heard.some(({ block }) => block.type === "warn");
  if (what === "context")
    return !heard.some(({ to, block }) => to === "agent" && (block.type === "hook" || block.type === "text"));
  const isCarried = outcome.updatedInput !== undefined || outcome.updatedPrompt !== undefined;
  return !isCarried && !hooks.some(({ saw }) => saw === at);
}

/** Whether another rewrite came in the place of a hook's. Both authors are told of it; the last one has it. */
export function isReplaced({ outcome }: EventRecord, reports: readonly RunReport[], at: number): boolean {
  const name = reports[at]?.hook;
  const isTold = outcome.diagnostics.some(({ hook, code }) => hook === name && code === "rewrite-lost");
  return isTold && at !== lastRewriter(reports);
}

/** Whose rewrite it is, if there is one. */
export function lastRewriter(reports: readonly RunReport[]): number {
  return reports.findLastIndex(({ adds, observed }) => !observed && adds?.includes("rewrite"));
}

function wholeIn(stdout: string): Printed[] {
  const json = objectIn(stdout);
  return json ? [{ json, start: 0, end: stdout.length }] : [];
}

/** Those that may be an answer; what others hold is text. */
function answersAmong(stdout: string): Printed[] {
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

function waysIn(json: Readonly<Record<string, unknown>>): string[] {
  const inner = json[INNER];
  const names = Object.keys(json).filter((name) => name !== INNER || !isObject(inner));
  return isObject(inner) ? [...names, ...Object.keys(inner).map((name) => `${INNER}.${name}`)] : names;
}

function without(json: Readonly<Record<string, unknown>>, way: string): object {
  const copy: Record<string, unknown> = { ...json };
  const inner = json[INNER];
  if (way.startsWith(`${INNER}.`) && isObject(inner)) {
    const kept: Record<string, unknown> = { ...inner };
    delete kept[way.slice(INNER.length + 1)];
    copy[INNER] = kept;
  } else delete copy[way];
  return copy;
}

/** Besides what the author is told about how it was said. */
function changedIn(one: Verdict, other: Verdict): VerdictPart[] {
  const [before, after] = [contentOf(one), contentOf(other)];
  const parts = Object.keys({ ...before, ...after }) as VerdictPart[];
  return parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
}

function contentOf({ parts, diagnostics: _, ...rest }: Verdict): Partial<Record<VerdictPart, unknown>> {
  const texts = parts.map(({ kind }) => [kind, parts.filter((part) => part.kind === kind)]);
  return { ...rest, ...Object.fromEntries(texts) };
}
