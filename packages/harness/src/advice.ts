import { COMMON_INPUT, type Diagnostic, diagnose, EVENTS, type EventName, type Hook } from "@belay/core";
import { whereOf } from "@belay/core/internal";
import { nativeName } from "./emulate.ts";
import type { Harness } from "./harness.ts";
import { HARNESSES } from "./registry.ts";

/** What a hook runs, as text: its command, and the scripts that it names. */
export interface Read {
  /** As messages name it. */
  readonly script: string;
  readonly text: string;
  /** "file:line" of its first line; absent for a command in the config. */
  readonly file?: string;
}

/** What of a hook means something else in a harness, or nothing. It reads text, and may be wrong about a script: warnings only. */
export function adviseAs(harness: Harness, hook: Hook, reads: readonly Read[]): Diagnostic[] {
  const { title: agent, name: page } = harness;
  const { event, handler, onFailure } = hook;
  const where = whereOf(hook);
  const native = nativeName(harness, event);
  if (native === undefined) return [diagnose("agent-no-event", { agent, event, page }, where)];
  const { fields, answers } = harness.events[native] ?? { fields: [] };
  const isSkipped = handler.type !== "command" && !harness.reads?.types?.includes(handler.type);
  if (isSkipped) return [diagnose("agent-skips-type", { agent, type: handler.type }, where)];
  const sent = new Set([...harness.fields, ...fields]);
  const missing = fieldsAt(event).filter((name) => !sent.has(name));
  const isGuard = onFailure === "block";
  return [
    ...(isGuard && Object.keys(answers ?? {}).length === 0
      ? [diagnose("agent-no-answer", { agent, event, page }, where)]
      : []),
    ...(isGuard && harness.reads?.failClosed !== "onFailure"
      ? [diagnose("agent-stays-open", { agent, advice: closing(harness) }, where)]
      : []),
    ...reads.flatMap(({ script, text, file }) => {
      const tell = (index: number) =>
        file === undefined ? where : { ...where, path: `${file}:${lineOf(text, index)}` };
      return [
        ...missing.flatMap((field) => {
          const index = readsField(text, field);
          return index === undefined
            ? []
            : [diagnose("agent-no-field", { script, field: `.${field}`, agent, event, page }, tell(index))];
        }),
        ...VARIABLES.filter((name) => !harness.variables.includes(name)).flatMap((name) => {
          const index = readsVariable(text, name);
          return index === undefined
            ? []
            : [diagnose("agent-no-variable", { script, variable: `$${name}`, agent }, tell(index))];
        }),
      ];
    }),
  ];
}

function closing({ title, reads }: Harness): string {
  return reads?.failClosed === undefined
    ? `No setting of ${title} closes this door; keep the hook quick and sound.`
    : `Write "${reads.failClosed}": true in the entry for ${title}.`;
}

/** Payload fields of an event that Belay sends, or some harness. */
function fieldsAt(event: EventName): string[] {
  const theirs = HARNESSES.flatMap(({ fields, events }) => {
    const rows = Object.values(events).filter((row) => row.event === event);
    return rows.length === 0 ? [] : [...fields, ...rows.flatMap((row) => row.fields)];
  });
  return [...new Set([...Object.keys({ ...COMMON_INPUT, ...EVENTS[event].input }), ...theirs])];
}

/** Variables that some harness sets. */
const VARIABLES = [...new Set(HARNESSES.flatMap(({ variables }) => variables))];

/** Where a script reads a field of the payload: `.field`, ["field"] or get("field"). */
function readsField(text: string, field: string): number | undefined {
  return new RegExp(`\\.${field}\\b(?!\\()|(?:\\[|get\\()["']${field}["']`).exec(text)?.index;
}

/** Where a script reads a variable that it does not set itself. */
function readsVariable(text: string, name: string): number | undefined {
  if (new RegExp(`(?:^|[\\s;])(?:export\\s+)?${name}=`).test(text)) return undefined;
  return new RegExp(
    `\\$(?:${name}\\b|\\{${name}\\b(?!:?-))|env(?:iron)?(?:\\.|\\.get\\(|\\[|\\()["']?${name}\\b`,
  ).exec(text)?.index;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
