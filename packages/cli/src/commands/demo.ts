import { BadUsage, readFlags } from "../args.ts";
import { type Keyboard, type Leaving, openKeyboard } from "../demo/keyboard.ts";
import { renderClosing, renderOpening, renderPrompt, renderStep, WIPE_PROMPT } from "../demo/render.ts";
import { openStage, type Stage, type Step } from "../demo/session.ts";
import type { Io } from "../io.ts";
import { renderEvent } from "../render/event.ts";
import { renderOutcome } from "../render/outcome.ts";
import type { Command } from "./command.ts";

const USAGE = "belay demo [--fast]";

const FLAGS = {
  fast: { type: "boolean", help: "play it all without waiting for a key" },
} as const;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Plays a scripted coding session through example hooks and shows what the user and the agent see.\nStep by step on a terminal; all at once in a pipe.",
  flags: FLAGS,
  examples: ["belay demo", "belay demo --fast", "belay demo | less"],
  run: demo,
};

async function demo(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (positionals.length > 0)
    throw new BadUsage(`${JSON.stringify(positionals[0])} is one argument too many`, `usage: ${USAGE}`);
  const leave = new AbortController();
  const onSignal = () => leave.abort("signal" satisfies Leaving);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  // A reader that closes early (head, less) has seen enough: end the hooks before the process goes.
  const onClosed = () => leave.abort("closed" satisfies Leaving);
  process.stdout.prependListener("error", onClosed);
  const stage = await openStage();
  const waits = io.isTerminal && process.stdin.isTTY === true && !values.fast;
  const keyboard = waits ? openKeyboard(process.stdin, leave) : undefined;
  try {
    await play(stage, keyboard, leave.signal, io);
    return leave.signal.reason === ("signal" satisfies Leaving) ? 130 : 0;
  } finally {
    keyboard?.close();
    process.stdout.off("error", onClosed);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    await stage.close();
  }
}

async function play(stage: Stage, keyboard: Keyboard | undefined, left: AbortSignal, io: Io): Promise<void> {
  const { steps, hooks } = stage;
  io.out(renderOpening(steps.length, io));
  for (const [index, step] of steps.entries()) {
    const now = resized(io);
    io.out(renderStep(step, index, steps.length, now));
    const shown = await playStep(stage, step, left, now);
    if (shown === undefined) return;
    io.out(shown);
    if (!keyboard) continue;
    io.out(renderPrompt(index === steps.length - 1, now));
    const goOn = await keyboard.next();
    io.out(WIPE_PROMPT);
    if (!goOn) return;
  }
  io.out(renderClosing(hooks, resized(io)));
}

/** Fires the step's event; nothing when the person left meanwhile. */
async function playStep(
  { engine, prepare }: Stage,
  step: Step,
  left: AbortSignal,
  io: Io,
): Promise<string | undefined> {
  await prepare(step);
  const outcome = await engine.fire(step.event, step.input, { signal: left });
  if (left.aborted) return undefined;
  const explanation = await engine.explain(step.event, step.input);
  const head = renderEvent({ event: step.event, ...explanation }, io);
  return head + renderOutcome({ outcome, journalFolder: undefined, hints: false }, io);
}

/** A terminal may have changed its width since the last step. */
function resized(io: Io): Io {
  return io.isTerminal ? { ...io, columns: process.stdout.columns ?? io.columns } : io;
}
