/*
 * Hooks in the AI SDK's own tool loop (docs/embedding.md). Nothing of the SDK is imported here: the host's version is the
 * one that counts.
 */
import type { Message, PendingPermission } from "@belay/core";
import type { Engine } from "@belay/engine";
import { orAborted } from "../loop/aborted.ts";
import { momentsOf } from "../loop/moments.ts";
import { type CallingTurn, type HookableTools, wordsOf, wrapTools } from "./wrap-tools.ts";

export type { HookableTools } from "./wrap-tools.ts";

export interface TurnOptions {
  /** Asks the user whether a call may run. Absent: nobody is there, and that is a no. */
  readonly ask?: (question: PendingPermission) => Promise<boolean>;
  /** Shows the user what hooks say to them. */
  readonly tell?: (message: Message) => void;
  /** Ends the hooks that run; what waits for them rejects with its reason, and no tool runs any more. */
  readonly signal?: AbortSignal;
}

/** One turn of a loop that is not ours: from a prompt until nobody objects to its end. */
export interface HookedTurn {
  /** Has a hook or the user ended it? Made to be one of the conditions of `stopWhen`. */
  isOver(): boolean;
  /** What to send for the user's prompt: rewritten, with context. undefined: a hook has refused it. */
  submit(prompt: string): Promise<string | undefined>;
  /** The same tools, with hooks around each call. One without `execute` runs elsewhere, and is left alone. */
  wrapTools<T extends HookableTools>(tools: T): T;
  /** What to send because hooks want the model to go on. undefined: it may stop. */
  stop(lastWords: string): Promise<string | undefined>;
}

export function hookedTurn(engine: Engine, options: TurnOptions = {}): HookedTurn {
  const { ask = () => Promise.resolve(false), tell, signal = new AbortController().signal } = options;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const throwIfOver = () => {
    if (isOver) throw new Error("Not run: the turn is over.");
  };
  const moments = momentsOf(async (event, fields, fireOptions) => {
    const outcome = await engine.fire(event, fields, fireOptions);
    for (const message of outcome.messages) if (message.to === "user") tell?.(message);
    if (outcome.decision.kind === "stop" || outcome.decision.interrupt) end();
    return outcome;
  });
  const calling = { moments, ask: oneByOne(ask, throwIfOver), end, throwIfOver, signal };
  return {
    isOver: () => isOver,
    submit: async (prompt) => {
      const outcome = await moments.prompt(prompt, signal);
      if (outcome.blocked) return undefined;
      return [outcome.updatedPrompt ?? prompt, ...wordsOf(outcome)].join("\n\n");
    },
    wrapTools: (tools) => wrapTools(tools, calling),
    stop: async (lastWords) => {
      if (isOver) return undefined;
      const outcome = await moments.stop(lastWords, signal);
      return outcome.decision.kind === "block" ? wordsOf(outcome).join("\n\n") : undefined;
    },
  };
}

/** Calls run side by side; the user answers one question at a time. After a no, those that wait are not asked. */
function oneByOne(ask: NonNullable<TurnOptions["ask"]>, throwIfOver: () => void): CallingTurn["ask"] {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = last.then(() => {
      throwIfOver();
      signal.throwIfAborted();
      return orAborted(ask(question), signal);
    });
    last = answer.catch(() => {});
    return answer;
  };
}
