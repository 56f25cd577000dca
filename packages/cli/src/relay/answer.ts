import { ENGINE } from "@belay/core";
import { isObject, messageOf } from "@belay/core/internal";
import { createEngine, type EngineOptions, type EventName, UsageError } from "@belay/engine";
import type { Kept } from "@belay/engine/internal";
import { type Asked, type Encoded, encode, type Harness, type Told } from "@belay/harness";
import { noArguments, readFlags } from "../args/args.ts";
import { agentNamed } from "../as/agents.ts";
import { oneLine } from "../render/text.ts";
import { readSent, type Sender, type Sent, type Unread } from "./sent.ts";
import { openTelling, type Telling } from "./telling.ts";

export const USAGE = "belay hook <agent> [event]";

/** What an agent asks: the words after `belay hook`, and who sends. */
export interface Call extends Sender {
  readonly args: readonly string[];
  /** Variables of the caller; absent: those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds that were waited for a resident in vain; 0 if none was asked. */
  readonly waitedMs?: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** The processes that are kept for the project of a folder. */
  readonly keptFor?: (cwd: string) => Kept;
}

/** What an agent is told, on one of the two streams. */
export interface Answer {
  readonly exitCode: number;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** The exit code that refuses, in most agents. */
export const REFUSED = 2;

/** `async` hooks that take longer are ended. */
const ASYNC_WAIT_MS = 10_000;

/** So long hooks may take where the agent waits longer. */
const MOST_MS = 300_000;
/** Of the agent's patience, what is kept for a resident that hangs, and for Belay after it. */
const RESERVE_MS = 16_000;
/** After a resident that gave no answer, the hooks have at least this. */
const LEAST_MS = 5_000;
/** A fire that is still under way so long after its limit is given up. */
const GIVEN_UP_MS = 3_000;

/** Fires the hooks and says their decision in the agent's words. Never rejects. `close` waits for `async` hooks. */
export async function answerCall(call: Call): Promise<Answer & { close(): Promise<void> }> {
  const done = (answer: Answer) => ({ ...answer, close: async () => {} });
  const meant = meantBy(call.args);
  if (typeof meant === "string") return done(refusedBy(meant));
  const { harness, named } = meant;
  try {
    const sent = await readSent(harness, named, "hook", call);
    if ("problem" in sent) return done(await answerFailure(harness, sent, call));
    const { native, event, cwd } = sent;
    return await decide(harness, sent, call).catch(async (error: unknown) =>
      done(await answerFailure(harness, { problem: messageOf(error), native, event, cwd }, call)),
    );
  } catch (error) {
    return done(refusedBy(`the hooks could not be asked: ${messageOf(error)}`));
  }
}

export function refusedBy(why: string): Answer {
  return { exitCode: REFUSED, stream: "stderr", text: `belay: ${oneLine(why)}\n` };
}

/** An entry with a slip would be a guard that never says a word. It refuses instead. */
function meantBy(args: readonly string[]): { harness: Harness; named: string | undefined } | string {
  try {
    const { positionals } = readFlags(args, {});
    const [name, named, ...more] = positionals;
    if (name === undefined) throw new UsageError("an agent is needed", `usage: ${USAGE}`);
    noArguments(more, `usage: ${USAGE}`);
    return { harness: agentNamed(name), named };
  } catch (error) {
    const next = error instanceof UsageError && error.next ? `; ${error.next}` : "";
    return messageOf(error) + next;
  }
}

/** When all hooks of an event have ended: the agent waits longer, whatever becomes of a resident meanwhile. */
export function hooksMs({ settings }: Harness, waitedMs = 0): number {
  return Math.max(Math.min(settings.limitMs - RESERVE_MS, MOST_MS) - waitedMs, LEAST_MS);
}

async function decide(harness: Harness, sent: Sent, call: Call) {
  const { payload, native } = sent;
  const { tool_name: ours, tool_input: input } = payload;
  const tool = payload.native.tool_name ?? (typeof ours === "string" ? ours : undefined);
  const asked: Asked = { native, tool, input: isObject(input) ? input : undefined };
  const { waitedMs = 0 } = call;
  const limitMs = hooksMs(harness, waitedMs);
  const spentMs = limitMs + GIVEN_UP_MS;
  const telling = await openTelling(harness, asked, sent, { ...call, waitedMs, spentMs });
  try {
    return await fire(telling, sent, call, limitMs);
  } finally {
    telling.end();
  }
}

async function fire(telling: Telling, { event, payload, cwd }: Sent, call: Call, limitMs: number) {
  const { waitedMs = 0, keptFor, program, cwd: typedIn } = call;
  const { memory, wasAnswered } = telling;
  const engine = await createEngine({
    ...engineOptions(call, cwd),
    ...(keptFor && { kept: keptFor(cwd), handleSignals: false }),
    untrustedRefuse: true,
    program,
    typedIn,
    memory,
  });
  const ending = new AbortController();
  const giveUp = setTimeout(
    () => ending.abort(new Error(`no answer within ${limitMs / 1000} s`)),
    limitMs + GIVEN_UP_MS,
  );
  const onAbort = () => ending.abort(call.signal?.reason);
  call.signal?.addEventListener("abort", onAbort);
  if (call.signal?.aborted) onAbort();
  try {
    const outcome = await engine.fire(
      event,
      { ...payload, cwd },
      {
        limitMs,
        signal: ending.signal,
        wasAnswered,
        relay: async (decided) => {
          clearTimeout(giveUp); // the hooks have ended; a person may take longer
          return { ...(await telling.relay(decided)), ...(waitedMs > 0 && { twice: true }) };
        },
      },
    );
    const close = () => engine.close({ waitMs: ASYNC_WAIT_MS });
    return { ...toAnswer(telling.encode(outcome)), close };
  } catch (error) {
    await engine.close();
    throw error;
  } finally {
    clearTimeout(giveUp);
    call.signal?.removeEventListener("abort", onAbort);
  }
}

function engineOptions({ env }: Call, cwd: string): EngineOptions {
  return { cwd, ...(env && { env }) };
}

/** No agent takes a NUL, and no shell hands one on. */
function toAnswer({ stdout, stderr, exitCode }: Omit<Encoded, "losses">): Answer {
  const stream = stdout === "" ? "stderr" : "stdout";
  return { exitCode, stream, text: (stdout || stderr).replaceAll("\0", "") };
}

interface Failure extends Unread {
  readonly event?: EventName;
  readonly cwd?: string;
}

/** Where no hook could be asked, and one of them must not be missed, the step is refused. */
async function answerFailure(harness: Harness, failure: Failure, call: Call): Promise<Answer> {
  const { native, problem } = failure;
  const row = native === undefined ? undefined : harness.events[native];
  const words = `Belay could not ask the hooks: ${oneLine(problem)}`;
  // No hook of ours waits for an event that is not known here.
  const isKnown = native === undefined || row !== undefined;
  const isRefusal = isKnown && (await hasGuard(failure, row?.event, call));
  if (native === undefined || row === undefined)
    return { ...refusedBy(words), exitCode: isRefusal ? REFUSED : 0 };
  return toAnswer(encode(harness, { native }, isRefusal ? refusal(words) : notice(words)));
}

function refusal(reason: string): Told {
  return { decision: { kind: "deny", reason }, messages: [] };
}

function notice(content: string): Told {
  return {
    decision: { kind: "none" },
    messages: [{ to: "user", hook: ENGINE, block: { type: "error", content } }],
  };
}

/** True if a hook of the project, trusted or not, says that a fault refuses, or if nobody can tell. */
async function hasGuard({ cwd }: Failure, event: EventName | undefined, call: Call): Promise<boolean> {
  try {
    const engine = await createEngine({
      ...engineOptions(call, cwd ?? call.cwd),
      journal: false,
      reload: false,
      ...(call.keptFor && { handleSignals: false }),
    });
    const hooks = await engine.hooks();
    await engine.close();
    return hooks.some(
      ({ hook }) =>
        hook.enabled && hook.onFailure === "block" && (event === undefined || hook.event === event),
    );
  } catch {
    return true;
  }
}
