import { type Command, noArguments, readFlags } from "../args/args.ts";
import { makeDemoFolder, readScript, renderClosing, renderOpening, type Script } from "../demo/script.ts";
import { type Io, untilInterrupted } from "../io.ts";
import { loadChat } from "./chat.ts";

const USAGE = "belay demo [--fast]";

const FLAGS = {
  fast: { type: "boolean", help: "play it all without waiting for anyone" },
} as const;

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
  const script = await readScript();
  io.out(renderOpening(script, io));
  const { signal: interrupted, done } = untilInterrupted();
  // A reader that closes early (head, less) has seen enough: end agent and hooks before the process goes.
  const closed = new AbortController();
  const onClosed = () => closed.abort();
  process.stdout.prependListener("error", onClosed);
  const left = AbortSignal.any([interrupted, closed.signal]);
  try {
    await play(script, { isAttended, isFast: values.fast === true }, left, io);
  } catch (error) {
    if (!left.aborted) throw error;
  } finally {
    process.stdout.off("error", onClosed);
    done();
  }
  if (left.aborted) return interrupted.aborted ? 130 : 0;
  io.out(renderClosing(script, io));
  return 0;
}

async function play(
  script: Script,
  { isAttended, isFast }: { readonly isAttended: boolean; readonly isFast: boolean },
  left: AbortSignal,
  io: Io,
): Promise<void> {
  const folder = await makeDemoFolder(script);
  try {
    const { printDemo, demoInTerminal } = await loadChat();
    if (isAttended) await demoInTerminal(script, folder, isFast, left);
    else await printDemo(script, folder, left, io);
  } finally {
    folder.remove();
  }
}
