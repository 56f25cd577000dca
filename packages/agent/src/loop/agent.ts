import { applyOutcome, type Outcome } from "@belay/core";
import { messageOf, plural } from "@belay/core/internal";
import type { ListedHook as EngineHook } from "@belay/engine";
import type { Conversation } from "../conversation/conversation.ts";
import type { Agent, ListedHook, TurnEnd } from "../types.ts";
import { compact } from "./compact.ts";
import { type AgentOptions, assemble, type Parts } from "./compose.ts";
import { sendAIMessage } from "./loop.ts";
import type { Moments } from "./moments.ts";
import { answerQuestion, rulesFor } from "./permit.ts";
import { closeOpenCalls, hasOpenCalls, noteHooks, reportCutOff, resumeTurn } from "./resume.ts";
import { ended, StoppedMeanwhile, stoppedBy } from "./thread.ts";

export type { AgentOptions } from "./compose.ts";

/** How long hooks may take at the end of a session. A user who closes a terminal does not wait longer. */
const END_BUDGET_MS = 1_500;

/** Opens a session, new or resumed, and fires its start. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const parts = await assemble(options);
  const { session, engine, live, model } = parts;
  // A hook's stop that ends the next prompt. Only a clear that no hook stops removes it.
  let halted = await begin(parts);
  let closing: Promise<void> | undefined;
  parts.notices.onStop((outcome) => {
    if (!live.abort(new StoppedMeanwhile(outcome))) halted = stoppedBy(parts.thread, outcome);
  });
  return {
    sessionId: session.id,
    transcriptPath: session.transcript.path,
    model: model.name,
    get state() {
      return live.snapshot();
    },
    subscribe: live.subscribe,
    send: (prompt) =>
      turn(parts, async (signal) => {
        const end = halted;
        halted = undefined;
        return end ? unsent(parts, end) : takePrompt(parts, prompt, signal);
      }),
    goOn: () => turn(parts, (signal) => goOn(parts, halted, signal)),
    answer: (id, answer) => answerQuestion(parts, id, answer),
    rulesFor: (pending) => rulesFor(parts, pending),
    noteIdle: () => {
      if (!closing) parts.notices.notify("idle_prompt", "Waiting for your next prompt");
    },
    abort: () => {
      live.abort();
      parts.notices.abort();
    },
    compact: async (instructions) => {
      const end = await turn(parts, async (signal) => {
        const { stopped } = await compact(parts.thread, "manual", instructions, signal);
        return stopped && stoppedBy(parts.thread, stopped);
      });
      if (end?.reason === "stopped") halted = end;
    },
    clear: async () => {
      const end = await turn(parts, (signal) => clear(parts, signal));
      if (!end || end.reason === "stopped") halted = end;
    },
    setMode: live.setMode,
    hooks: async () => (await engine.hooks()).map(listed),
    switchHook: engine.switchHook,
    warn: (content) => session.conversation.addWarnBlock(content),
    close: (reason) => {
      closing ??= close(parts, reason);
      return closing;
    },
  };
}

/** Warns and fires SessionStart. Returns the end of the first prompt's turn if a hook has stopped the session. */
async function begin(parts: Parts): Promise<TurnEnd | undefined> {
  const { session, engine, flags, moments, thread, settings } = parts;
  const { conversation, past, passedOver } = session;
  if (passedOver)
    conversation.addWarnBlock(
      `A newer session is open in process ${passedOver.process}, so this is an older one. Once that one has ended: belay chat --resume ${passedOver.id.slice(0, 8)}`,
    );
  const ungranted = settings.untrusted().length;
  if (ungranted > 0)
    conversation.addWarnBlock(
      `The project's settings would allow ${ungranted === 1 ? "1 thing that you have not trusted; it does" : `${ungranted} things that you have not trusted; they do`} not count. Next: belay trust`,
    );
  if (past && past.broken > 0)
    conversation.addWarnBlock(
      `${plural(past.broken, "line")} of the session's transcript could not be read, and what was said there is missing: ${session.transcript.path}`,
    );
  noteHooks(session, await engine.hooks(), flags);
  reportCutOff(session);
  const outcome = await moments.sessionStart(past ? "resume" : "startup", undefined);
  applyOutcome(outcome, {}, conversation);
  return stoppedBy(thread, outcome);
}

/** A stop of the session also stops its unfinished turn, which stays as it is for the next resume. */
async function goOn({ session, thread }: Parts, halted: TurnEnd | undefined, signal: AbortSignal) {
  if (halted) return hasOpenCalls(session.conversation.messages) ? halted : undefined;
  return resumeTurn(thread, session.past?.pending ?? [], signal);
}

/** The prompt of a stopped session: a warning is all that the conversation keeps of it. */
function unsent({ session }: Parts, end: TurnEnd): TurnEnd {
  session.conversation.addWarnBlock(
    "The prompt was not sent: a hook had stopped the agent. The next one of this session will be.",
  );
  return end;
}

/** One turn at a time. An abort or an error ends it, and the conversation says so. */
async function turn<T>(parts: Parts, work: (signal: AbortSignal) => Promise<T>): Promise<T | TurnEnd> {
  const { signal } = parts.live.begin();
  const { transcript } = parts.session;
  transcript.write({ type: "turn", is: "begun" });
  try {
    const done = await work(signal);
    signal.throwIfAborted();
    return done;
  } catch (error) {
    return brokenOff(parts, error, signal);
  } finally {
    // Writing fails on a full disk. Whoever waits for the end of the turn must not wait for ever.
    try {
      transcript.write({ type: "turn", is: "ended" });
    } finally {
      parts.live.finish();
    }
  }
}

function brokenOff({ session, thread }: Parts, error: unknown, { aborted, reason }: AbortSignal): TurnEnd {
  const { conversation } = session;
  closeOpenCalls(conversation, aborted ? messageOf(reason) : "the turn ended with an error");
  const stopped = reason instanceof StoppedMeanwhile ? stoppedBy(thread, reason.outcome) : undefined;
  if (stopped) return stopped;
  if (aborted || isAbort(error)) {
    conversation.addWarnBlock("Aborted.");
    return ended(thread, "aborted");
  }
  const detail = messageOf(error);
  conversation.addErrorBlock(detail);
  return ended(thread, "error", detail);
}

async function takePrompt(
  { session, moments, thread }: Parts,
  prompt: string,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { conversation } = session;
  conversation.addPrompt(prompt);
  const outcome = await moments.prompt(prompt, signal).catch((error: unknown) => {
    conversation.removeLastUserMessage();
    throw error;
  });
  if (outcome.updatedPrompt !== undefined) conversation.rewritePrompt(outcome.updatedPrompt);
  applyOutcome(outcome, {}, conversation);
  if (!outcome.blocked) {
    conversation.acceptPrompt();
    closeOpenCalls(conversation, "another prompt came first");
    return sendAIMessage(thread, signal);
  }
  // The prompt is erased, and nothing was said in its turn.
  const end = stoppedBy(thread, outcome) ?? ended(thread, "prompt-blocked", outcome.decision.reason);
  return { ...end, text: "" };
}

async function clear({ session, moments, thread }: Parts, signal: AbortSignal): Promise<TurnEnd | undefined> {
  const { conversation } = session;
  const end = await endOfSession(moments, "clear", signal);
  conversation.reset([]);
  reportEnd(end, conversation);
  const start = await moments.sessionStart("clear", signal);
  applyOutcome(start, {}, conversation);
  return (end && stoppedBy(thread, end)) ?? stoppedBy(thread, start);
}

/** Fires SessionEnd. undefined: the hooks took longer than their time. Rejects when the signal aborts. */
async function endOfSession(
  moments: Moments,
  reason: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const budget = AbortSignal.timeout(END_BUDGET_MS);
  try {
    return await moments.sessionEnd(reason, AbortSignal.any([signal, budget]));
  } catch (error) {
    signal.throwIfAborted();
    if (budget.aborted || isAbort(error)) return undefined;
    throw error;
  }
}

function reportEnd(end: Outcome | undefined, conversation: Conversation): void {
  if (end) applyOutcome(end, {}, conversation);
  else
    conversation.addWarnBlock(
      `The hooks of the session's end were ended: they have ${END_BUDGET_MS / 1000} s.`,
    );
}

/** True for the engine's own abort: a signal to the process, or its close(). */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

async function close(parts: Parts, reason: string): Promise<void> {
  const { session, moments, notices, engine, queue, live } = parts;
  live.close();
  live.abort();
  queue.close();
  await live.idle();
  const end = await endOfSession(moments, reason, new AbortController().signal);
  await engine.close();
  await notices.settled();
  reportEnd(end, session.conversation); // may fail with the disk: nothing runs by then
  if (session.wasUsed()) session.transcript.close();
  else session.transcript.discard();
}

function listed({ id, hook, trusted }: EngineHook): ListedHook {
  const { name, event, matcher, source, enabled } = hook;
  const place = `${source.file}:${source.line}`;
  return { id, name, event, matcher: matcher.source, source: place, trusted, enabled };
}
