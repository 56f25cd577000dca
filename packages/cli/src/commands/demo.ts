import { noArguments, readFlags } from "../args/args.ts";
import { renderClosing, renderOpening } from "../demo/render.ts";
import { readSession, type Session, setStage } from "../demo/session.ts";
import type { Io } from "../io.ts";
import { loadChat } from "./chat.ts";
import type { Command } from "./command.ts";

const USAGE = "belay demo [--fast]";

const FLAGS = {
  fast: { type: "boolean", help: "play it all without waiting for anyone" },
} as const;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Why it was left, when it was not by a signal. */
const CLOSED = "closed";

export const command: Command = {
  usage: USAGE,
  summary:
    "Plays a coding session: a real agent with the example hooks, in a scratch folder, without a network.\nOn a terminal you answer its questions and may talk to it; in a pipe it prints the whole conversation.",
  flags: FLAGS,
  examples: ["belay demo", "belay demo --fast", "belay demo | less"],
  run: demo,
};

async function demo(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  const isAttended = io.isTerminal && process.stdin.isTTY === true && !process.env.CI;
  const session = await readSession();
  io.out(renderOpening(session, io));
  const leave = new AbortController();
  const onSignal = () => leave.abort();
  for (const signal of SIGNALS) process.once(signal, onSignal);
  // A reader that closes early (head, less) has seen enough: end agent and hooks before the process goes.
  const onClosed = () => leave.abort(CLOSED);
  process.stdout.prependListener("error", onClosed);
  try {
    await play(session, { isAttended, isFast: values.fast === true }, leave.signal, io);
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  } finally {
    process.stdout.off("error", onClosed);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  if (leave.signal.aborted) return leave.signal.reason === CLOSED ? 0 : 130;
  io.out(renderClosing(session, io));
  return 0;
}

async function play(
  session: Session,
  { isAttended, isFast }: { readonly isAttended: boolean; readonly isFast: boolean },
  left: AbortSignal,
  io: Io,
): Promise<void> {
  const stage = await setStage(session);
  try {
    const { printDemo, showDemo } = await loadChat();
    if (isAttended) await showDemo(session, stage, isFast, left);
    else await printDemo(session, stage, left, io);
  } finally {
    stage.remove();
  }
}
