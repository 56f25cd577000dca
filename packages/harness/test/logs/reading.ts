import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EventRecord } from "@belay/core";
import {
  HEAD,
  type LogEntry,
  type LogFlaw,
  type LoggingAgent,
  loggingAgents,
  logReader,
  recordMaker,
} from "@belay/harness";

const LOGS = fileURLToPath(new URL("../../../../fixtures/logs/", import.meta.url));

/** What a log says, line by line. */
export function entriesIn(
  agent: string,
  text: string,
  skims = false,
  path = "log.jsonl",
): (LogEntry | LogFlaw)[] {
  const found = loggingAgents.find(({ name }) => name === agent);
  if (!found) throw new Error(`no logs are read of ${agent}`);
  return text
    .split("\n")
    .filter(
      (line) =>
        line !== "" &&
        found.log.matters({ head: line.slice(0, HEAD), has: (one) => line.includes(one) }, skims),
    )
    .flatMap(logReader(found, path));
}

export function fixture(agent: string, path: string): string {
  return readFileSync(`${LOGS}${agent}/${path}`, "utf8");
}

/** An entry on one line: its kind, then what it says, without what all entries have. */
export function brief(entry: LogEntry | LogFlaw): string {
  const { kind, ...rest } = entry;
  const { session: _s, time: _t, cwd: _c, line: _l, ...said } = rest as Partial<LogEntry>;
  return [kind, ...Object.entries(said).map(([name, value]) => `${name}=${text(value)}`)].join(" ");
}

function text(value: unknown): string {
  const whole = typeof value === "string" ? value.trim() : JSON.stringify(value);
  return whole.length > 60 ? `${whole.slice(0, 59)}…` : whole;
}

/** A log as records of events. */
export function recordsIn(agent: string, text: string, skims = false): EventRecord[] {
  const harness = loggingAgents.find(({ name }) => name === agent) as LoggingAgent;
  const { add, end } = recordMaker(harness, "/log.jsonl");
  const entries = entriesIn(agent, text, skims) as LogEntry[];
  return [...entries.flatMap(add), ...end()];
}

/** A record on one line: what was decided, by whom, and the runs. */
export const briefRecord = ({ event, payload, outcome, hooks, refusedBy }: EventRecord) =>
  [
    event,
    payload.tool_name,
    outcome.decision.kind,
    ...(refusedBy
      ? [`by ${refusedBy} ${outcome.decision.hook ?? ""}: ${outcome.decision.reason ?? ""}`.trim()]
      : []),
    ...hooks.map(({ name, run }) => `| ${name} ${run.executionTime} ms`),
  ]
    .filter((part) => part !== undefined)
    .join(" ");
