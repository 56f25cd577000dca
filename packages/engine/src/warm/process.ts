import type { Socket } from "node:net";
import type { Run } from "@belay/core";
import { NOT_STARTED_CODES, shorten } from "@belay/core/internal";
import { type Capture, capture, decode, giveBack } from "../process/capture.ts";
import { type Child, release } from "../process/child.ts";
import { afterPoll, onDeadline, resolvesWithin } from "../process/deadline.ts";
import { endGroup, endWithHost, signalGroup } from "../process/group.ts";
import { type Arrival, callLine, type Line, readLine, type Said, saidRun } from "./envelope.ts";
import { type LineReader, lineReader } from "./line-reader.ts";

/** What one call asks. */
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
  /** It has answered; what was written to stderr before may still be on its way. */
  isAnswered: boolean;
  finish(said: Said, extra: Partial<Run>, line?: Arrival): void;
}

/** The process of a warm hook. */
export interface WarmProcess {
  readonly child: Child;
  readonly limits: WarmLimits;
  readonly pending: Map<string, Pending>;
  /** Calls that ended without an answer: it may still come, once. */
  readonly unanswered: Set<string>;
  readonly lines: LineReader;
  readonly exited: Promise<void>;
  /** Resolves when no word of it can come any more. */
  readonly gone: Promise<void>;
  lastId: number;
  /** Gets no new calls, and ends with its last one: an edit, or the fault of another call, is not theirs. */
  retired: boolean;
  /** Nobody can say what it is doing: it is not asked to go in peace. */
  distrusted: boolean;
  /** What it printed while nobody had asked, and does not fit. */
  complaint?: string;
  hasAnswered: boolean;
  exit?: { readonly code: number | null; readonly signal: NodeJS.Signals | null };
  isGone: boolean;
  idle?: NodeJS.Timeout;
  ending?: Promise<void>;
}

/** Escapes make up to six bytes of one, and a line holds what are two streams of a cold hook. */
const LINE_CAPS = 8;
const ENVELOPE = 1024;
const MAX_LINE = 2 ** 28;

/** Lines are copied out of their chunks. Such large ones come by the thousand; for an answer it would take longer than it is worth. */
const FLOOD_CHUNK = 16 * 1024;

/** How long pipes may stay open after an exit, and a process without its pipes alive, before that is believed. */
const SETTLE_MS = 100;

/** Takes over a child that was just started. It waits for calls, and keeps no host alive. */
export function adopt(child: Child, limits: WarmLimits): WarmProcess {
  const forget = endWithHost(() => signalGroup(child.pid, "SIGKILL"), limits.handleSignals);
  let goes = () => {};
  const warm: WarmProcess = {
    child,
    limits,
    pending: new Map(),
    unanswered: new Set(),
    lines: lineReader(Math.min(LINE_CAPS * limits.cap + ENVELOPE, MAX_LINE), (line, cut) =>
      hear(warm, line, cut),
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
    if (rest.length > 0) hear(warm, rest, false);
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
    // A child that it left in the background may hold its pipes.
    setTimeout(() => afterPoll(conclude), SETTLE_MS).unref();
  });
  child.once("close", conclude);
  void warm.exited.then(() => warm.ending?.then(conclude));
}

/** The calls that wait for an answer. */
function underWay({ pending }: WarmProcess): Pending[] {
  return [...pending.values()].filter(({ isAnswered }) => !isAnswered);
}

/** The facts of one call. Ends the process where nobody could say any more what it is doing. Never rejects. */
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

/** What stands in a line that has no end yet can still restrict; with several calls nobody knows whose it is. */
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
  // The shell's word that there is nothing to run is read as from any hook.
  if (!hasAnswered && NOT_STARTED_CODES.includes(code)) return { exitCode: code };
  return { exitCode: code, failure: failureOf(`it ended with exit ${code} before it answered`) };
}

export function failureOf(detail: string): NonNullable<Run["failure"]> {
  return { kind: "warm", detail };
}

/** One line of its stdout. */
function hear(warm: WarmProcess, bytes: Buffer, cut: boolean): void {
  if (warm.ending) return; // last words; nobody waits for them
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

/** What it wrote to stderr before its answer is there, but perhaps not read yet. */
function answered(warm: WarmProcess, call: Pending, said: Said, arrival: Arrival): void {
  call.isAnswered = true;
  warm.hasAnswered = true;
  afterPoll(() => call.finish({ exitCode: 0, ...said }, {}, arrival));
}

/**
 * A line that does not fit is a fault of the call it names, else of all that are under way, else of the next one: whether
 * it comes just before or just after a call began is chance.
 */
function misfit(warm: WarmProcess, line: Line, arrival: Arrival = {}, call?: Pending): void {
  const { said, problem = "" } = line;
  const concerned = call ? [call] : underWay(warm);
  distrust(warm);
  const failure = failureOf(problem);
  // Which of several calls a line was meant for, nobody knows; its words are nobody's then.
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

/** No more calls; resolves when it has ended, if none is under way. */
export function retire(warm: WarmProcess): Promise<void> {
  warm.retired = true;
  return settle(warm);
}

/** With nothing left to answer, it keeps no host alive; it ends, now or after a while that nobody asks. */
async function settle(warm: WarmProcess): Promise<void> {
  const { child, pending, limits, exited, distrusted } = warm;
  if (pending.size > 0 || warm.isGone) return;
  hold(child, false);
  clearTimeout(warm.idle);
  if (!warm.retired) {
    warm.idle = setTimeout(() => void retire(warm), limits.idleMs).unref();
    return;
  }
  warm.ending ??= endChild(child, exited, { graceMs: limits.graceMs, inPeace: !distrusted });
  await warm.ending;
}

/** Whether the host waits for it. */
function hold(child: Child, isHeld: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket])
    if (isHeld) handle.ref();
    else handle.unref();
}

/**
 * Ends it and its group: its stdin ends, and where it may go in peace it has the grace to do so; then TERM, and KILL to
 * whatever is left after the grace.
 */
async function endChild(
  child: Child,
  exited: Promise<void>,
  { graceMs, inPeace }: { readonly graceMs: number; readonly inPeace: boolean },
): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  child.stdin.end();
  // What it leaves in the background lives on, as after the normal exit of any hook.
  if (inPeace && (await resolvesWithin(exited, graceMs))) return;
  await endGroup(child.pid, () => hasExited, graceMs);
}
