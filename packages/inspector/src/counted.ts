import { type EventRecord, isObject, parse, ruleFor, type Verdict } from "@belay/core";

/** A hook's JSON, and which of its fields made a difference. */
export interface Counted {
  readonly json: Readonly<Record<string, unknown>>;
  /** Names, those inside hookSpecificOutput with it before a dot; absent when it is too long to find out. */
  readonly fields?: ReadonlySet<string>;
}

const INNER = "hookSpecificOutput";
/** Characters and fields: each field is one more reading of the whole. */
const MAX_TEXT = 20_000;
const MAX_FIELDS = 40;

type RecordedHook = EventRecord["hooks"][number];

/** Undefined where stdout is not one JSON object. A field counted when the verdict would be another without it. */
export function countedFields(event: EventRecord["event"], hook: RecordedHook): Counted | undefined {
  const json = objectIn(hook.run.stdout);
  if (!json) return undefined;
  const ways = waysIn(json);
  if (hook.run.stdout.length > MAX_TEXT || ways.length > MAX_FIELDS) return { json };
  const rule = ruleFor(event, hook.dialect);
  const read = (value: object) =>
    opinionOf(parse(hook, { ...hook.run, stdout: JSON.stringify(value) }, rule));
  const whole = read(json);
  return { json, fields: new Set(ways.filter((way) => read(without(json, way)) !== whole)) };
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

/** What it says, without what the author is told about how it was said. */
function opinionOf({ diagnostics: _, ...verdict }: Verdict): string {
  return JSON.stringify(verdict);
}
