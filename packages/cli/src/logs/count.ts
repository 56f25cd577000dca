import type { HookRan, LogEntry, LoggingAgent, Returned } from "@belay/harness";
import { BELAY } from "../args/flags.ts";
import { histogram } from "../records/stats.ts";
import { type CallsOfUnit, missedIn } from "./missed.ts";

/** What one hook did and cost at one event, as far as the logs tell. Times are milliseconds. */
export interface LoggedHook {
  /** What it runs; absent where the log does not name it. */
  readonly hook?: string;
  readonly event: string;
  readonly runs: number;
  readonly failed: number;
  readonly refused: number;
  /** Runs of which the log has the time; without any there are no quantiles. */
  readonly timed: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  /** What the agent waited for it, and its share of all that was waited. */
  readonly waited: number;
  readonly share: number;
  /** Why it failed last. */
  readonly failure?: string;
}

export interface LoggedTool {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly denied: number;
}

/** Calls of a tool that one party refused: by hook, or by reason where the log does not name the hook. */
export interface Denial {
  readonly by: NonNullable<Returned["deniedBy"]>;
  readonly hook?: string;
  readonly tool: string;
  readonly calls: number;
  /** What was said of the last one. */
  readonly reason?: string;
}

/** A hook that left a run at every call of a tool, but none in some sessions. */
export interface Missed {
  readonly hook: string;
  readonly event: string;
  readonly tool: string;
  readonly sessions: number;
  /** Of them, those that are subagents. */
  readonly subagents: number;
  readonly calls: number;
}

export interface LogStats {
  readonly agent: string;
  readonly title: string;
  readonly files: number;
  readonly bytes: number;
  readonly first?: string;
  readonly last?: string;
  readonly sessions: number;
  readonly projects: number;
  readonly prompts: number;
  readonly calls: number;
  /** Of the calls, those that subagents made. */
  readonly bySubagents: number;
  readonly failed: number;
  readonly denied: number;
  readonly waited: number;
  readonly hooks: readonly LoggedHook[];
  readonly tools: readonly LoggedTool[];
  readonly denials: readonly Denial[];
  readonly missed: readonly Missed[];
  readonly gaps: readonly string[];
}

/** What is asked for of the counts; each absent: all. */
export interface Asked {
  readonly tool?: (name: string) => boolean;
  readonly event?: (name: string) => boolean;
  readonly hook?: (name: string) => boolean;
}

/** Names of tools by call, for what refers to a call later. More calls are never under way. */
const MAX_OPEN = 4096;
const MAX_DENIALS = 1000;

interface CountedHook {
  readonly hook: string | undefined;
  readonly event: string;
  readonly times: ReturnType<typeof histogram>;
  runs: number;
  failed: number;
  refused: number;
  waited: number;
  failure?: string | undefined;
}

/** What is held grows with the number of hooks, tools and sessions, not of calls. */
export function logCounter(agent: LoggingAgent, asked: Asked = {}) {
  const { name, title, log } = agent;
  const hooks = new Map<string, CountedHook>();
  const tools = new Map<string, { calls: number; failed: number; denied: number }>();
  const denials = new Map<string, Denial & { calls: number }>();
  const sessions = new Set<string>();
  const projects = new Set<string>();
  const toolOf = recent<string>();
  /** Of each moment, the slowest hook so far: the others ran beside it, and nobody waited for them. */
  const slowest = recent<{ hook: CountedHook; ms: number }>();
  const refusals = recent<true>();
  const units = new Map<string, CallsOfUnit>();
  const sums = { prompts: 0, calls: 0, bySubagents: 0, failed: 0, denied: 0, waited: 0, files: 0, bytes: 0 };
  let first: string | undefined;
  let last: string | undefined;
  const versions = new Set<string>();

  function unitOf({ session, subagent, time, cwd = "" }: LogEntry): CallsOfUnit {
    const key = `${session} ${subagent ?? ""}`;
    const unit = units.get(key) ?? {
      subagent: subagent !== undefined,
      project: cwd,
      from: time,
      to: time,
      tools: new Map(),
      hooks: new Map(),
    };
    units.set(key, unit);
    unit.to = time;
    return unit;
  }

  function hookEntry(hook: string | undefined, event: string): CountedHook {
    const key = `${event} ${hook ?? ""}`;
    const entry = hooks.get(key) ?? {
      hook,
      event,
      times: histogram(),
      runs: 0,
      failed: 0,
      refused: 0,
      waited: 0,
    };
    hooks.set(key, entry);
    return entry;
  }

  function addRun(ran: LogEntry & HookRan): void {
    const { event, hook, moment, ms, did, reason, background, together } = ran;
    const about = `${ran.session} ${moment}`;
    const tool = toolOf.get(about);
    if (did === "refuse") refusals.set(about, true);
    if (hook !== undefined && tool !== undefined) {
      const { hooks } = unitOf(ran);
      const key = `${event} ${tool} ${hook}`;
      hooks.set(key, (hooks.get(key) ?? 0) + 1);
    }
    if (!isAsked(event, hook, tool)) return;
    const entry = hookEntry(hook, event);
    entry.runs += 1;
    if (did === "refuse") entry.refused += 1;
    if (did === "fail") {
      entry.failed += 1;
      entry.failure = reason;
    }
    if (ms === undefined) return;
    entry.times.add(ms);
    if (background) return;
    if (together !== undefined) {
      entry.waited += ms / together;
      sums.waited += ms / together;
      return;
    }
    const key = `${event} ${about}`;
    const before = moment === undefined ? undefined : slowest.get(key);
    if (before && before.ms >= ms) return;
    if (before) before.hook.waited -= before.ms;
    entry.waited += ms;
    sums.waited += ms - (before?.ms ?? 0);
    if (moment !== undefined) slowest.set(key, { hook: entry, ms });
  }

  const isAsked = (event: string, hook: string | undefined, tool: string | undefined) =>
    (!asked.event || asked.event(event)) &&
    (!asked.hook || (hook !== undefined && asked.hook(hook))) &&
    (!asked.tool || (tool !== undefined && asked.tool(tool)));

  function addResult(result: LogEntry & Returned): void {
    const { id, failed, deniedBy: by, hook, event, reason } = result;
    const about = `${result.session} ${id}`;
    const tool = toolOf.get(about);
    if (tool === undefined || !failed) return;
    const unit = unitOf(result).tools.get(tool);
    if (unit) unit.failed += 1;
    // A hook that refused is a run of it, mostly without a line of its own.
    if (by === "hook" && event !== undefined && !refusals.get(about))
      addRun({
        ...result,
        kind: "hook",
        event,
        ...(hook !== undefined && { hook }),
        moment: id,
        did: "refuse",
      });
    const counted = tools.get(tool);
    if (!counted) return;
    if (by === undefined) {
      counted.failed += 1;
      sums.failed += 1;
      return;
    }
    counted.denied += 1;
    sums.denied += 1;
    const key = `${by} ${tool} ${hook ?? (by === "hook" ? reason : "")}`;
    const denial = denials.get(key) ?? { by, tool, calls: 0, ...(hook !== undefined && { hook }) };
    if (denials.size < MAX_DENIALS || denial.calls > 0)
      denials.set(key, { ...denial, calls: denial.calls + 1, ...(reason !== undefined && { reason }) });
  }

  return {
    addFile: (bytes: number) => {
      sums.files += 1;
      sums.bytes += bytes;
    },
    add: (entry: LogEntry) => {
      const { kind, session, time, cwd } = entry;
      sessions.add(session);
      if (cwd !== undefined) projects.add(cwd);
      if (first === undefined || time < first) first = time;
      if (last === undefined || time > last) last = time;
      if (kind === "hook") addRun(entry);
      else if (kind === "result") addResult(entry);
      else if (kind === "prompt") sums.prompts += 1;
      else if (kind === "start") versions.add(entry.version ?? "");
      else if (kind === "call") {
        const { id, tool, subagent } = entry;
        toolOf.set(`${session} ${id}`, tool);
        const unit = unitOf(entry).tools;
        const due = unit.get(tool) ?? { calls: 0, failed: 0 };
        unit.set(tool, due);
        due.calls += 1;
        if (asked.tool && !asked.tool(tool)) return;
        const counted = tools.get(tool) ?? { calls: 0, failed: 0, denied: 0 };
        tools.set(tool, counted);
        counted.calls += 1;
        sums.calls += 1;
        if (subagent !== undefined) sums.bySubagents += 1;
      }
    },
    stats: (seen: Seen): LogStats => ({
      agent: name,
      title,
      ...sums,
      ...(first !== undefined && last !== undefined && { first, last }),
      sessions: sessions.size,
      projects: projects.size,
      hooks: [...hooks.values()]
        .map((entry) => hookOf(entry, sums.waited))
        .sort((a, b) => b.waited - a.waited || b.runs - a.runs),
      tools: [...tools].map(([tool, counts]) => ({ tool, ...counts })).sort((a, b) => b.calls - a.calls),
      denials: [...denials.values()].sort((a, b) => b.calls - a.calls),
      missed: missedIn([...units.values()]).filter(({ event, hook, tool }) => isAsked(event, hook, tool)),
      gaps: [...doubtsOf(agent, seen, versions), ...log.gaps],
    }),
  };
}

/** Lines that were looked at, and those of them that may say something. */
interface Seen {
  readonly lines: number;
  readonly telling: number;
}

/** In logs that are read as they were written, at least one line in ten says something. */
const LEAST_SHARE = 0.01;
const LEAST_LINES = 500;

/** Why the numbers may be wrong: an agent that has changed its format. */
function doubtsOf(
  { name, title, tested }: LoggingAgent,
  { lines, telling }: Seen,
  versions: ReadonlySet<string>,
): string[] {
  const newer = [...versions].filter((version) => majorOf(version) > majorOf(tested.version));
  const since = `they are read as ${title} ${tested.version} writes them`;
  const doubts = [
    ...(newer.length > 0 ? [`Some of these logs are of ${title} ${newer.sort().at(-1)}; ${since}.`] : []),
    ...(lines >= LEAST_LINES && telling < LEAST_SHARE * lines
      ? [`Hardly any line of these logs says something: the format may have changed; ${since}.`]
      : []),
  ];
  const next = `If the numbers look wrong, a hook can write down what is fired. Next: ${BELAY} record ${name}`;
  return doubts.length > 0 ? [...doubts, next] : [];
}

const majorOf = (version: string) => Number.parseInt(version, 10) || 0;

function hookOf(
  { hook, event, times, waited, runs, failed, refused, failure }: CountedHook,
  total: number,
): LoggedHook {
  return {
    ...(hook !== undefined && { hook }),
    event,
    runs,
    failed,
    refused,
    timed: times.count,
    ...(times.count > 0 && {
      p50: times.quantile(0.5),
      p95: times.quantile(0.95),
      p99: times.quantile(0.99),
    }),
    waited,
    share: total > 0 ? waited / total : 0,
    ...(failure !== undefined && { failure }),
  };
}

/** The last of what was put in. */
function recent<T>() {
  const kept = new Map<string, T>();
  return {
    get: (key: string) => kept.get(key),
    set: (key: string, value: T) => {
      kept.delete(key);
      kept.set(key, value);
      if (kept.size > MAX_OPEN) kept.delete(kept.keys().next().value as string);
    },
  };
}
