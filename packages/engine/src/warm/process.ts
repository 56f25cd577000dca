import type { Socket } from "node:net";
import type { Run } from "@belay/core";
import { NOT_STARTED_CODES, shorten } from "@belay/core/internal";
import { type Capture, capture, decode, giveBack } from "../process/capture.ts";
import { type Child, release } from "../process/child.ts";
import { endGroup, endWithHost, signalGroup } from "../process/group.ts";
import { afterPoll, onDeadline, resolvesWithin } from "../waiting.ts";
import { type Arrival, callLine, type Line, readLine, type Said, saidRun } from "./envelope.ts";
import { type LineReader, lineReader } from "./line-reader.ts";

/** One call. */
export interface Question {
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface WarmLimits {
  readonly cap: number;
  readonly graceMs: number;
  readonly idleMs: number;
  /** Whether it ends with a signal to the host, and not only with the exit of the host. */
  readonly handleSignals: boolean;
}

/** A call under way. */
interface Pending {
  readonly stderr: Capture;
  /** The hook has answered. What it wrote to stderr before may still be on its way. */
  isAnswered: boolean;
  finish(said: Said, extra: Partial<Run>, line?: Arrival): void;
}

/** The process of a warm hook. */
export interface WarmProcess {
  readonly child: Child;
  readonly limits: WarmLimits;
  readonly pending: Map<string, Pending>;
  /** Ids of calls that ended without an answer. The answer may still come, once. */
  readonly unanswered: Set<string>;
  readonly lines: LineReader;
  readonly exited: Promise<void>;
  /** Resolves when the process can say nothing any more. */
  readonly gone: Promise<void>;
  lastId: number;
  /** Gets no new calls, and ends after its last one. Calls under way are not harmed by an edit or by the fault of another call. */
  retired: boolean;
  /** What the process does is unknown: it is ended without a grace to end by itself. */
  distrusted: boolean;
  /** What is wrong with a line that came while no call was under way. */
  complaint?: string;
  hasAnswered: boolean;
  exit?: { readonly code: number | null; readonly signal: NodeJS.Signals | null };
  isGone: boolean;
  idle?: NodeJS.Timeout;
  ending?: Promise<void>;
}

/** A line holds both streams of a cold hook, and an escape makes up to six bytes of one. */
const LINE_CAPS = 8;
const ENVELOPE = 1024;
const MAX_LINE = 2 ** 28;

/** Chunks of this size and more are freed at once: a flood brings thousands of them. Freeing the chunk of an ordinary answer costs more than it saves. */
const FLOOD_CHUNK = 16 * 1024;

/** How long pipes may stay open after the exit, and how long a process without pipes may live. */
const SETTLE_MS = 100;

/** Takes over a child that was just started. The child waits for calls, and keeps no host alive. */
export function adopt(child: Child, limits: WarmLimits): WarmProcess {
  const forget = endWithHost(() => signalGroup(child.pid, "SIGKILL"), limits.handleSignals);
  let goes = () => {};
  const warm: WarmProcess = {
    child,
    limits,
    pending: new Map(),
    unanswered: new Set(),
    lines: lineReader(Math.min(LINE_CAPS * limits.cap + ENVELOPE, MAX_LINE), (line, cut) =>
      takeLine(warm, line, cut),
    ),
    exited: new Promise((resolve) => child.once("exit", () => resolve())),
    gone: new Promise((resolve) => {
      goes = resolve;
    }),
    lastId: 0,
    retired: false,
    distrusted: false,
    hasAnswered: false,
    isGone: false,
  };
  const conclude = () => {
    if (warm.isGone) return;
    warm.isGone = true;
    warm.retired = true;
    const rest = warm.lines.rest();
    if (rest.length > 0) takeLine(warm, rest, false);
    for (const call of underWay(warm)) call.finish({}, deathOf(warm));
    clearTimeout(warm.idle);
    release(child);
    forget();
    goes();
  };
  listen(warm, conclude);
  void settle(warm);
  return warm;
}

function listen(warm: WarmProcess, conclude: () => void): void {
  const { child, pending, lines } = warm;
  child.stdout.on("data", (chunk: Buffer) => {
    const isHeard = !warm.distrusted || pending.size > 0;
    if (isHeard) lines.add(chunk);
    if (!isHeard || chunk.length >= FLOOD_CHUNK) giveBack(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    let isKept = false;
    for (const { stderr } of pending.values()) isKept = stderr.add(chunk) || isKept;
    if (!isKept) giveBack(chunk);
  });
  const closed = (which: string) => {
    warm.retired = true;
    const believe = () => {
      if (!warm.exit && !warm.ending) misfit(warm, { said: {}, problem: `it closed its ${which}` });
    };
    setTimeout(believe, SETTLE_MS).unref();
  };
  child.stdout.once("end", () => closed("stdout"));
  child.stdin.on("error", () => closed("stdin"));
  for (const stream of [child, child.stdout, child.stderr]) stream.on("error", () => {});
  child.once("exit", (code, signal) => {
    warm.exit = { code, signal };
    warm.retired = true;
    // A child in the background may hold the pipes.
    setTimeout(() => afterPoll(conclude), SETTLE_MS).unref();
  });
  child.once("close", conclude);
  void warm.exited.then(() => warm.ending?.then(conclude));
}

/** The calls that wait for an answer. */
function underWay({ pending }: WarmProcess): Pending[] {
  return [...pending.values()].filter(({ isAnswered }) => !isAnswered);
}

/** Returns the facts of one call. Ends the process if what it does became unknown. Never rejects. */
export function ask(warm: WarmProcess, { input, timeoutMs, signal }: Question): Promise<Partial<Run>> {
  const { child, pending, limits } = warm;
  warm.lastId += 1;
  const id = String(warm.lastId);
  return new Promise((resolve) => {
    const stderr = capture(limits.cap);
    const call: Pending = {
      stderr,
      isAnswered: false,
      finish: (said, extra, line) => {
        if (!pending.delete(id)) return;
        if (!call.isAnswered) warm.unanswered.add(id);
        stop();
        const facts = { ...saidRun(said, stderr.kept(), limits.cap, line), ...extra };
        void settle(warm).then(() => resolve(facts));
      },
    };
    const stop = onDeadline({ timeoutMs, signal }, (how) => {
      if (call.isAnswered) return;
      const said = saidSoFar(warm);
      distrust(warm);
      call.finish(said, how === "timeout" ? timedOut(timeoutMs) : ABORTED);
    });
    pending.set(id, call);
    if (warm.isGone) return call.finish({}, deathOf(warm));
    clearTimeout(warm.idle);
    hold(child, true);
    child.stdin.write(callLine(id, input));
  });
}

const ABORTED: Partial<Run> = { failure: { kind: "abort", detail: "its group was ended" } };

/** A line without an end can still restrict. With several calls under way, it is not known whose line it is. */
function saidSoFar(warm: WarmProcess): Said {
  const rest = warm.lines.rest();
  if (rest.length === 0 || warm.pending.size > 1) return {};
  return readLine(decode(rest, true).text, true).said;
}

function timedOut(timeoutMs: number): Partial<Run> {
  const advice = "a warm hook prints each answer as one line, and flushes it";
  const detail = `no answer within ${timeoutMs / 1000} s; its group was ended; ${advice}`;
  return { timedOut: true, failure: { kind: "timeout", detail } };
}

function deathOf({ exit, hasAnswered }: WarmProcess): Partial<Run> {
  const { code = null, signal = null } = exit ?? {};
  if (signal !== null) return { signal, failure: { kind: "signal", detail: `killed by ${signal}` } };
  if (code === null) return { failure: failureOf("it ended before it answered") };
  // The shell's exit code for "nothing to run" is read as from any hook.
  if (!hasAnswered && NOT_STARTED_CODES.includes(code)) return { exitCode: code };
  return { exitCode: code, failure: failureOf(`it ended with exit ${code} before it answered`) };
}

export function failureOf(detail: string): NonNullable<Run["failure"]> {
  return { kind: "warm", detail };
}

/** One line of its stdout. */
function takeLine(warm: WarmProcess, bytes: Buffer, cut: boolean): void {
  if (warm.ending) return; // no call waits for these words
  const { text, isAltered } = decode(bytes, cut);
  const line = readLine(text, cut);
  const { id } = line;
  if (id !== undefined && warm.unanswered.delete(id)) return; // too late
  const call = id === undefined ? undefined : warm.pending.get(id);
  const wasAsked = id !== undefined && /^[1-9]\d*$/.test(id) && Number(id) <= warm.lastId;
  const arrival = { isCut: cut, isAltered };
  if (id !== undefined && (!call || call.isAnswered)) {
    const shown = JSON.stringify(shorten(id, 40));
    const problem = wasAsked ? `it answered ${shown} twice` : `nobody asked with the id ${shown}`;
    misfit(warm, { said: line.said, problem: line.problem ?? problem }, arrival);
  } else if (call && line.problem === undefined) answered(warm, call, line.said, arrival);
  else misfit(warm, line, arrival, call);
}

/** Finishes a call after a poll: what the hook wrote to stderr before its answer may not be read yet. */
function answered(warm: WarmProcess, call: Pending, said: Said, arrival: Arrival): void {
  call.isAnswered = true;
  warm.hasAnswered = true;
  afterPoll(() => call.finish({ exitCode: 0, ...said }, {}, arrival));
}

/**
 * A line that does not fit is a fault of the call it names, else of all calls under way, else of the next call: chance
 * decides whether such a line comes just before or just after a call begins.
 */
function misfit(warm: WarmProcess, line: Line, arrival: Arrival = {}, call?: Pending): void {
  const { said, problem = "" } = line;
  const concerned = call ? [call] : underWay(warm);
  distrust(warm);
  const failure = failureOf(problem);
  // It is not known which of several calls a line was meant for: its words count for none.
  const words = concerned.length === 1 ? said : {};
  for (const { finish } of concerned) finish(words, { failure }, arrival);
  if (concerned.length === 0 && !warm.isGone) {
    warm.complaint ??= `${problem}, while no call waited for it`;
    void settle(warm);
  }
}

function distrust(warm: WarmProcess): void {
  warm.retired = true;
  warm.distrusted = true;
}

/** Gives the process no more calls. Resolves when it has ended, or at once if a call is under way. */
export function retire(warm: WarmProcess): Promise<void> {
  warm.retired = true;
  return settle(warm);
}

/** With no call under way, a process keeps no host alive. It ends now if it is retired, else after the idle time. */
async function settle(warm: WarmProcess): Promise<void> {
  const { child, pending, limits, distrusted } = warm;
  if (pending.size > 0 || warm.isGone) return;
  hold(child, false);
  clearTimeout(warm.idle);
  if (!warm.retired) {
    warm.idle = setTimeout(() => void retire(warm), limits.idleMs).unref();
    return;
  }
  warm.ending ??= endChild(warm, !distrusted);
  await warm.ending;
}

/** Decides whether the child keeps the host alive. */
function hold(child: Child, isHeld: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket])
    if (isHeld) handle.ref();
    else handle.unref();
}

/**
 * Ends a process and its group. Its stdin ends; `inPeace`: the process then has the grace to end by itself. After that TERM,
 * and KILL to whatever is left after the grace.
 */
async function endChild(warm: WarmProcess, inPeace: boolean): Promise<void> {
  const { child, exited, limits } = warm;
  child.stdin.end();
  // Children in the background live on, as after the normal exit of any hook.
  if (inPeace && (await resolvesWithin(exited, limits.graceMs))) return;
  await endGroup(child.pid, () => warm.exit !== undefined, limits.graceMs);
}
