import {
  type Decision,
  type Denier,
  type DialectName,
  type EventName,
  type EventRecord,
  isEventName,
  type RecordedHook,
  replay,
} from "@belay/core";
import { eventRow } from "@belay/core/internal";
import type { Harness } from "../harness.ts";
import { given } from "./line.ts";
import type { Called, HookRan, LogEntry, Returned, Said } from "./log.ts";

/*
 * Entries of a session log as records of events, so that a log is read like a journal. What a log says is spread over lines: a
 * record waits for what belongs to it, until its turn is over or too many wait.
 *
 * The decision is the one that the log tells. A run without a time is no Run: what it decided is in the record, and it is not
 * among the hooks.
 */

const START = "SessionStart";
const PROMPT = "UserPromptSubmit";
const BEFORE = "PreToolUse";
const AFTER = "PostToolUse";
const AFTER_FAILURE = "PostToolUseFailure";
const STOP = "Stop";
const SUBAGENT_STOP = "SubagentStop";

/** More events are never under way at once. */
const MAX_OPEN = 64;
const MAX_CALLS = 1024;

interface Open {
  readonly event: EventName;
  readonly said: Said;
  readonly payload: Record<string, unknown>;
  readonly runs: HookRan[];
  /** Of events that are about no call: the moment of the hooks that answered. */
  moment?: string | undefined;
  result?: Returned;
}

/** What is left of a hook's output has the words of Claude Code. */
const DIALECT: DialectName = "claude-code";

/** Makes records of the entries of one file, in the order in which their events fired. */
export function recordMaker({ name, title, events }: Harness, path: string) {
  const open = new Map<string, Open>();
  const calls = new Map<string, Called>();
  const hasFailures = Object.values(events).some(({ event }) => event === AFTER_FAILURE);
  let made = 0;

  function begin(key: string, event: EventName, said: Said, fields: Record<string, unknown>): Open {
    const { session, cwd = "", subagent } = said;
    const common = { session_id: session, transcript_path: path, cwd, hook_event_name: event };
    const payload = { ...common, ...given({ agent_id: subagent }), ...fields };
    const begun: Open = { event, said, payload, runs: [] };
    open.set(key, begun);
    return begun;
  }

  function close(isDone: (event: Open, place: number) => boolean): EventRecord[] {
    const closed = [...open].filter(([, event], place) => isDone(event, place));
    for (const [key] of closed) open.delete(key);
    return closed.map(([, event]) => toRecord(event));
  }

  function toRecord({ event, said, payload, runs, result }: Open): EventRecord {
    made += 1;
    const { session, time, cwd = "", line } = said;
    const hooks = runs.flatMap((ran) => recorded(ran, title));
    const facts = { event, dialect: DIALECT, hooks, context: {}, extra: [] };
    const { runs: _runs, ...read } = replay(facts);
    const id = `${line ?? session}.${made}`;
    const fate = fateOf(event, read, runs, result);
    return { version: 1, id, time, session, cwd, ...facts, payload, agent: name, ...fate };
  }

  function callFields({ id, tool, input, native }: Called): Record<string, unknown> {
    return {
      tool_name: tool,
      tool_input: input,
      tool_use_id: id,
      ...(native && { native: { tool_name: native.tool, tool_input: native.input } }),
    };
  }

  /** A prompt of which the hooks have run, and the log has not said what it is. */
  function unspoken({ subagent }: Said): Open | undefined {
    return [...open.values()].find(
      ({ event, said, payload }) =>
        event === PROMPT && said.subagent === subagent && payload.prompt === undefined,
    );
  }

  function addResult(result: LogEntry & Returned): void {
    const { id, failed, deniedBy, output, reason, event: at = BEFORE } = result;
    const call = calls.get(id);
    const decided = open.get(`${at} ${id}`) ?? open.get(`${BEFORE} ${id}`);
    if (!call || !decided) return;
    decided.result = result;
    if (deniedBy !== undefined) return;
    const event = failed && hasFailures ? AFTER_FAILURE : AFTER;
    const said = event === AFTER ? { tool_response: output } : { error: reason ?? wordsOf(output) };
    const key = `${event} ${id}`;
    const after = open.get(key) ?? begin(key, event, result, callFields(call));
    Object.assign(after.payload, said);
  }

  function addRun(ran: LogEntry & HookRan): void {
    const { event, moment } = ran;
    if (!isEventName(event)) return;
    const call = moment === undefined ? undefined : calls.get(moment);
    if (call) {
      const key = `${event} ${call.id}`;
      (open.get(key) ?? begin(key, event, ran, callFields(call))).runs.push(ran);
      return;
    }
    const waiting = [...open.values()].findLast(
      (one) => one.event === event && one.said.subagent === ran.subagent && (one.moment ?? moment) === moment,
    );
    if (!waiting && ran.ms === undefined && ran.did === "pass") return;
    made += 1;
    const found = waiting ?? begin(`${event} .${made}`, event, ran, {});
    found.moment = moment;
    found.runs.push(ran);
  }

  return {
    add: (entry: LogEntry): EventRecord[] => {
      const { kind } = entry;
      const isNewTurn = kind === "prompt" || kind === "stop";
      const least = open.size - MAX_OPEN;
      const asked = kind === "prompt" ? unspoken(entry) : undefined;
      const closed = close((one, place) =>
        isNewTurn ? one !== asked && one.said.subagent === entry.subagent : place < least,
      );
      if (kind === "start") begin(START, START, entry, given({ source: entry.source }));
      else if (kind === "prompt") {
        const { payload } = asked ?? begin(PROMPT, PROMPT, entry, {});
        payload.prompt = entry.text;
      } else if (kind === "stop") {
        const event = entry.subagent === undefined ? STOP : SUBAGENT_STOP;
        begin(`${event} ${entry.subagent}`, event, entry, {});
      } else if (kind === "call") {
        calls.set(entry.id, entry);
        if (calls.size > MAX_CALLS) calls.delete(calls.keys().next().value as string);
        begin(`${BEFORE} ${entry.id}`, BEFORE, entry, callFields(entry));
      } else if (kind === "result") addResult(entry);
      else addRun(entry);
      return closed;
    },
    end: (): EventRecord[] => close(() => true),
  };
}

function recorded(ran: HookRan, source: string): RecordedHook[] {
  const { hook = "(not named)", ms, exitCode, stdout = "", stderr = "", cut, reason = "" } = ran;
  if (ms === undefined) return [];
  const run = { stdout, stderr, executionTime: ms, timedOut: cut === "timeout", truncated: false };
  return [
    {
      name: hook,
      onFailure: "continue",
      mode: "enforce",
      source,
      dialect: DIALECT,
      type: "command",
      run: { ...run, ...given({ exitCode }), ...(cut && { failure: { kind: cut, detail: reason } }) },
    },
  ];
}

/** What became of an event: what the log tells, and for the rest what the hooks said. */
function fateOf(
  event: EventName,
  outcome: EventRecord["outcome"],
  runs: readonly HookRan[],
  result: Returned | undefined,
): Pick<EventRecord, "outcome" | "refusedBy"> {
  const refusal = runs.find(({ did }) => did === "refuse");
  const refusedBy: Denier | undefined = result ? result.deniedBy : refusal && "hook";
  const row = eventRow(event);
  if (refusedBy === undefined) {
    const ran = result !== undefined && (outcome.blocked || outcome.decision.kind === "ask");
    return {
      outcome: ran ? { ...outcome, blocked: false, action: "continue", decision: { kind: "none" } } : outcome,
    };
  }
  if (row.exit2 === "notice") return { outcome };
  const { reason, hook } = result ?? refusal ?? {};
  const decision: Decision = {
    kind: typeof row.exit2 === "string" ? row.exit2 : "block",
    ...given({ reason: reason ?? outcome.decision.reason, hook: hook ?? outcome.decision.hook }),
  };
  return { outcome: { ...outcome, blocked: true, action: row.blockedAction, decision }, refusedBy };
}

function wordsOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}
