import { EVENTS, type EventName, type Run } from "@belay/core";
import { eventRow, toolNamed } from "@belay/core/internal";
import { isEnding } from "./abilities.ts";
import { renamed } from "./decode.ts";
import type { Emulated, Harness, HarnessEvent, HookRun, Loss, Meaning } from "./harness.ts";
import { fold } from "./read/fold.ts";
import { meantBy } from "./read/meant.ts";
import { type Reading, readRun } from "./read/read-run.ts";
import type { Answers, Flaw } from "./read/reads.ts";

/** One event with what its hooks did, in configured order. */
export interface Occasion {
  readonly event: EventName;
  /** What the harness calls it in the config that names the hooks; its own first name for it if absent. */
  readonly native?: string;
  /** Our name of the tool, and its input. */
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly hooks: readonly HookRun[];
  /** Indexes of the hooks in the order in which they finished; by their times if absent. */
  readonly finished?: readonly number[];
}

/** What a harness calls one of our events. A name that is ours goes first: a hook written for it keeps its name. */
export function nativeName({ events }: Harness, event: EventName): string | undefined {
  if (events[event]?.event === event) return event;
  return Object.keys(events).find((name) => events[name]?.event === event);
}

/** Says what happens in a harness after its hooks ran. */
export function emulate(harness: Harness, occasion: Occasion): Emulated {
  const native = occasion.native ?? nativeName(harness, occasion.event);
  const row = native === undefined ? undefined : harness.events[native];
  const { tested, reads } = harness;
  const base = {
    agent: harness.name,
    version: row?.documented ? "" : tested.version,
    measured: row?.documented ? "" : tested.date,
    runs: occasion.hooks.map(({ run }) => run),
  };
  if (native === undefined || row?.answers === undefined || reads === undefined) {
    const flaw = unread(harness, occasion.event, row);
    const lost = occasion.hooks.flatMap((hook) => lossesOf(hook, { flaw }, EVERYTHING, row?.answers));
    return {
      ...base,
      step: "runs",
      toAgent: [],
      toUser: [],
      turn: "goes-on",
      lost: lossesAt("runs", lost),
    };
  }
  const { answers } = row;
  const read = occasion.hooks.map((hook) => readRun(reads, answers, hook, native));
  const isUndone = reads.fold.failureUndoesDeny && base.runs.some(hasFailed);
  const readings = isUndone ? read.map(undoneDeny) : read;
  const finished = occasion.finished ?? inOrderOfFinishing(base.runs);
  const { decision, words, input } = fold(readings, finished, reads.fold, answers);
  const isRefusal = decision === "deny";
  // A decision that another one outdoes ends nothing.
  const ends = readings.some(
    (reading) =>
      reading.ends && (reading.stops || reading.decision === undefined || reading.decision === decision),
  );
  // What ends the turn has no next request that could tell the agent.
  const reader = ends ? "user" : (answers.wordsTo ?? "agent");
  const wordsTo = decision === "ask" ? "user" : decision === "allow" ? "nobody" : reader;
  const rewritten = input && {
    ...(reads.fold.merges ? occasion.input : {}),
    ...renamed(input, Object.values(harness.tools).find(({ name }) => name === occasion.tool)?.input),
  };
  const isUnfit = rewritten !== undefined && lacksField(occasion, rewritten);
  const context = isRefusal && reads.fold.denyDropsContext ? [] : readings.flatMap(({ toAgent }) => toAgent);
  const output = finished.map((index) => readings[index]?.output).findLast((one) => one !== undefined);
  const replaced = output === undefined ? [] : [typeof output === "string" ? output : JSON.stringify(output)];
  const step = stepOf(occasion.event, isUnfit ? "deny" : decision, reads.asks);
  const prompt = readings.findLast((reading) => reading.prompt !== undefined)?.prompt;
  const lost = occasion.hooks.flatMap((hook, index) => {
    const reading = readings[index];
    return reading
      ? lossesOf(hook, reading, effects(occasion.event, reading, decision, step, input), answers)
      : [];
  });
  return {
    ...base,
    step,
    ...(rewritten && !isUnfit && { input: rewritten }),
    ...(prompt !== undefined && !isRefusal && { prompt }),
    toAgent: ends ? [] : [...(wordsTo === "agent" ? words : []), ...context, ...replaced],
    toUser: [...(wordsTo === "user" ? words : []), ...readings.flatMap(({ toUser }) => toUser)],
    turn: ends ? "ends" : "goes-on",
    lost: lossesAt(step, lost),
  };
}

function hasFailed({ exitCode = 0, timedOut }: Run): boolean {
  return timedOut || (exitCode !== 0 && exitCode !== 2);
}

function undoneDeny(reading: Reading): Reading {
  if (reading.decision !== "deny" || reading.by !== "json") return reading;
  const { decision: _, by: _by, words: _words, ...rest } = reading;
  return { ...rest, flaw: UNDONE };
}

const UNDONE: Flaw = {
  why: "a hook beside it failed, and a deny in JSON is ignored there then",
  fix: "exit with 2 and write the reason to stderr",
};

const EVERYTHING: ReadonlySet<Meaning> = new Set();

function stepOf(event: EventName, decision: Reading["decision"], asks: boolean): Emulated["step"] {
  if (eventRow(event).appendsToResult) return "runs";
  if (decision === "deny") return "refused";
  if (decision === "ask") return asks ? "asks" : "runs";
  // The user is being asked already, and no hook answered.
  return event === ASKING && decision === undefined ? "asks" : "runs";
}

/** The event whose step is the question itself. */
const ASKING = (Object.keys(EVENTS) as EventName[]).find((name) => eventRow(name).decisions === "behavior");

function inOrderOfFinishing(runs: readonly Run[]): number[] {
  return runs
    .map((run, index) => ({ index, time: run.executionTime }))
    .sort((a, b) => a.time - b.time)
    .map(({ index }) => index);
}

/** A replaced input that lacks what the tool needs: the harness checks it and refuses the call. */
function lacksField({ tool, input = {} }: Occasion, rewritten: Readonly<Record<string, unknown>>): boolean {
  const needed = Object.keys((tool === undefined ? undefined : toolNamed(tool)?.sample) ?? {});
  return needed.some((name) => Object.hasOwn(input, name) && !Object.hasOwn(rewritten, name));
}

function unread(harness: Harness, event: EventName, row: HarnessEvent | undefined): Flaw {
  const { title } = harness;
  if (row === undefined)
    return { why: `${title} has no event like ${event}`, fix: "hang the hook on an event that it has" };
  if (harness.reads === undefined)
    return { why: `hooks are functions in ${title}, not programs`, fix: "write a plugin for it" };
  return { why: `${title} reads no answer on ${event}`, fix: "hang the hook on an event that can answer" };
}

/** What of one reading has an effect. */
function effects(
  event: EventName,
  reading: Reading,
  decision: Reading["decision"],
  step: Emulated["step"],
  input: unknown,
): ReadonlySet<Meaning> {
  const found = new Set<Meaning>();
  if (reading.decision === "deny" && decision === "deny") found.add("deny").add("ask").add("stop");
  if (reading.decision === "ask" && (step === "asks" || decision === "deny")) found.add("ask");
  if (reading.stops && (isEnding(event) || (reading.ends && step !== "runs"))) found.add("stop");
  if (reading.input !== undefined && reading.input === input) found.add("rewrite");
  if (reading.prompt !== undefined) found.add("rewrite");
  if (decision === "deny") found.add("rewrite");
  if (reading.output !== undefined) found.add("output");
  if (reading.toAgent.length > 0) found.add("context");
  if (reading.toUser.length > 0) found.add("message");
  return found;
}

function lossesOf(
  hook: HookRun,
  reading: Pick<Reading, "flaw" | "wordless" | "ends" | "decision"> | { flaw: Flaw },
  had: ReadonlySet<Meaning>,
  answers: Answers | undefined,
): Lost[] {
  return [...meantBy(hook)]
    .filter((what) => !had.has(what))
    .map((what) => ({ what, ...whyLost(what, reading, answers) }));
}

function whyLost(what: Meaning, reading: Partial<Reading>, answers: Answers | undefined): Flaw {
  if (reading.flaw) return reading.flaw;
  if (what === "deny" && reading.wordless !== undefined)
    return {
      why: "a deny without a reason is ignored there",
      fix: `add ${reading.wordless.split(".").at(-1)}`,
    };
  if (what === "deny" && reading.decision === "deny")
    return { why: "another hook's allow goes before it there", fix: howToDeny(answers) };
  if (what === "stop" && reading.ends)
    return { why: "the turn ends, but this step still happens", fix: howToDeny(answers) };
  if (what === "rewrite" && answers?.rewrite?.needs === "allow")
    return { why: "a rewrite counts together with an allow alone there", fix: "add an allow" };
  if (what === "rewrite" && answers?.rewrite?.needs === "no-ask")
    return { why: "a rewrite that comes with an ask is ignored there", fix: "leave out the ask" };
  return {
    why: "it is not read at this event there",
    fix: what === "deny" ? howToDeny(answers) : FIXES[what],
  };
}

const FIXES: Record<Exclude<Meaning, "deny">, string> = {
  ask: "deny with a reason, if the step must not happen unasked",
  stop: "refuse the step with exit 2 and a reason on stderr",
  rewrite: "deny, and name the better input in the reason",
  context: "give it at an event where this agent reads context",
  output: "give it as context",
  message: "write it where the user looks, for example to a log",
};

function howToDeny(answers: Answers | undefined): string {
  if (answers?.exit2) return "exit with 2 and write the reason to stderr";
  const [first] = answers?.deny ?? [];
  if (first)
    return `print ${first.at}: ${JSON.stringify(first.is[0])}${first.words ? ` with ${first.words}` : ""}`;
  return "no hook can refuse this step there";
}

type Lost = Omit<Loss, "code">;

const RESTRICTIONS: readonly Meaning[] = ["deny", "ask", "stop"];

/** Each loss once, with what it means for the step. */
function lossesAt(step: Emulated["step"], lost: readonly Lost[]): Loss[] {
  const key = ({ what, why }: Lost) => `${what} ${why}`;
  return lost
    .filter((one, index) => lost.findIndex((other) => key(other) === key(one)) === index)
    .map((one) => ({
      code:
        step === "runs" && RESTRICTIONS.includes(one.what) ? "agent-loses-restriction" : "agent-loses-answer",
      ...one,
    }));
}
