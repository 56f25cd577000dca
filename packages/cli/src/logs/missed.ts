import { isEventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import type { Missed } from "./count.ts";

/*
 * Which hooks did not fire where they were due. A log does not say which hooks were configured. But a hook that leaves a run at
 * nearly every call of a tool was due at the others too: a session of the same project, within the time in which the hook was
 * seen, that has such calls and no run of it has gone without. A hook that had nothing to say there looks the same.
 */

/** The calls and the runs of one session, or of one subagent. */
export interface CallsOfUnit {
  readonly subagent: boolean;
  readonly project: string;
  readonly from: string;
  to: string;
  readonly tools: Map<string, { calls: number; failed: number }>;
  /** By event, tool and hook. */
  readonly hooks: Map<string, number>;
}

/** Of the calls in sessions where a hook ran, the share that it has to have run at. */
const REGULAR = 0.9;
const LEAST_CALLS = 10;

export function missedIn(units: readonly CallsOfUnit[]): Missed[] {
  const keys = new Set(units.flatMap(({ hooks }) => [...hooks.keys()]));
  return [...keys].flatMap((key) => missedBy(key, units) ?? []).sort((a, b) => b.calls - a.calls);
}

function missedBy(key: string, units: readonly CallsOfUnit[]): Missed | undefined {
  const [event = "", tool = "", ...words] = key.split(" ");
  if (!isEventName(event)) return undefined;
  const { phase, input } = eventRow(event);
  const isAfter = "tool_response" in input;
  if (!isAfter && phase !== "before a tool call") return undefined;
  const due = ({ tools }: CallsOfUnit) => {
    const { calls = 0, failed = 0 } = tools.get(tool) ?? {};
    return isAfter ? calls - failed : calls;
  };
  const saw = units.filter(({ hooks }) => hooks.has(key));
  const sum = (count: (unit: CallsOfUnit) => number, of = saw) =>
    of.reduce((total, unit) => total + count(unit), 0);
  const calls = sum(due);
  if (calls < LEAST_CALLS || sum(({ hooks }) => hooks.get(key) ?? 0) < REGULAR * calls) return undefined;
  const projects = new Set(saw.map(({ project }) => project));
  const [from = ""] = saw.map((unit) => unit.from).sort();
  const to =
    saw
      .map((unit) => unit.to)
      .sort()
      .at(-1) ?? "";
  const without = units.filter(
    (unit) =>
      !unit.hooks.has(key) &&
      due(unit) > 0 &&
      projects.has(unit.project) &&
      unit.to >= from &&
      unit.from <= to,
  );
  if (without.length === 0) return undefined;
  return {
    hook: words.join(" "),
    event,
    tool,
    sessions: without.length,
    subagents: without.filter(({ subagent }) => subagent).length,
    calls: sum(due, without),
  };
}
