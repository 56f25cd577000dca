import { constants } from "node:os";
import type { Hook } from "@belay/core";
import { safeJson } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import { type Diagnostic, EVENT_NAMES, type Explanation, type Outcome, UsageError } from "@belay/engine";
import { type Command, readFlags } from "../args/args.ts";
import { type EventCall, openEvent } from "../args/event.ts";
import {
  AS_FLAG,
  EVENT_FLAGS,
  type EventFlags,
  isFolder,
  NOT_EVENT_FLAGS,
  nextCommand,
} from "../args/flags.ts";
import { closeStdin, type Io } from "../io.ts";
import { interruption, runningHooks, showRunning } from "../render/progress.ts";
import { renderEvent, renderOutcome } from "../render/stages.ts";
import { oneLine } from "../render/text.ts";

const USAGE = "belay run <Event> [options]";

const FLAGS = {
  ...EVENT_FLAGS,
  ...AS_FLAG,
  verbose: { type: "boolean", short: "v", help: "show what every hook printed" },
  json: { type: "boolean", help: "print the Outcome as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Fires one event at your hooks and shows what they decide.\nExits 0: go on, 2: blocked, denied or stopped, 3: ask, or hooks did not run for lack of trust, 1: bad usage. With --as and one agent it exits by what happens there; with several 2 if any loses a restriction.",
  flags: FLAGS,
  events: EVENT_NAMES,
  examples: [
    'belay run PreToolUse --tool Bash --tool-input \'{"command":"rm -rf /"}\'',
    'belay run UserPromptSubmit --prompt "deploy it" --json',
    "belay run PreToolUse --as all",
    "belay run SessionStart --set source='\"resume\"' --config hooks.json",
  ],
  run: runEvent,
};

/** `async` hooks that take longer are ended. */
const ASYNC_WAIT_MS = 10_000;

async function runEvent(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS, NOT_EVENT_FLAGS);
  const as =
    values.as === undefined ? undefined : await (await import("../as/index.ts")).asAgents(values.as, values);
  const running = runningHooks();
  const call = await openEvent(values, positionals, USAGE, io, running.step);
  closeStdin();
  const { event, payload, engine } = call;
  const interrupted = new AbortController();
  let waitMs = 0;
  let caught: { signal: NodeJS.Signals; hooks: readonly string[] } | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    caught = { signal, hooks: running.names() };
    interrupted.abort();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    // A folder that is gone may turn out to be bad usage, of which stdout says nothing.
    const held: string[] = [];
    const holding: Io = { ...io, isTerminal: false, out: (text) => void held.push(text) };
    const screen = isGone(payload.cwd) ? holding : io;
    let wipe = () => {};
    let hooks: readonly Hook[] = [];
    const onMatched = async (explanation: Explanation) => {
      hooks = explanation.matches.map(({ hook }) => hook);
      if (values.json) return;
      await showStart(call, explanation, values, screen);
      wipe = showRunning(running, screen);
    };
    const { signal } = interrupted;
    const options = values.json && !as ? { signal } : { signal, onMatched };
    const outcome = await engine.fire(event, payload, options).finally(() => wipe());
    signal.throwIfAborted();
    refuseUnasked(outcome, payload.cwd);
    const emulated = as?.emulate(outcome, payload, hooks);
    io.out(held.join(""));
    if (as && emulated && values.json) io.out(`${safeJson(as.toJson(emulated))}\n`);
    else if (values.json) io.out(`${safeJson(outcome)}\n`);
    else {
      const wasRecorded = !outcome.diagnostics.some(({ code }) => code === "journal-failed");
      const journalFolder = wasRecorded ? engine.journalFolder : undefined;
      io.out(renderOutcome({ outcome, journalFolder, verbose: values.verbose ?? false }, io));
      if (as && emulated) io.out(`\n${as.render(emulated, io)}`);
    }
    waitMs = ASYNC_WAIT_MS;
    const code = exitCode(outcome);
    return as && emulated ? as.exitCode(emulated) : code;
  } catch (error) {
    if (caught === undefined) throw error;
    io.err(`belay: ${interruption(caught.hooks)}\n`);
    return 128 + constants.signals[caught.signal]; // as a shell reports it: 130, 143
  } finally {
    const isSeen = running.names().length > 0 && waitMs > 0 && !values.json;
    const wipe = isSeen ? showRunning(running, io) : () => {};
    await engine.close({ waitMs, onLate: (late) => waitMs > 0 && sayLate(late, io) }).finally(wipe);
  }
}

/** What an `async` hook said: no event of this call can carry it. */
function sayLate({ hook = "", message, fix }: Diagnostic, io: Io): void {
  io.err(`belay: ${oneLine(`${hook}: ${message}. ${fix}`)}\n`);
}

async function showStart(
  { event }: EventCall,
  explanation: Explanation,
  values: EventFlags,
  io: Io,
): Promise<void> {
  const next = {
    why: nextCommand("why", values, event),
    trust: nextCommand("trust", values),
    check: nextCommand("check", values),
  };
  const noHooks = explanation.matches.length === 0 ? await nextStep(explanation, values, event) : "";
  io.out(renderEvent({ event, ...explanation, next, noHooks }, io));
  if (!explanation.matches.some(({ fires }) => fires)) {
    const { hooksNotAsked } = await import("../hooks/no-hooks.ts");
    io.err(await hooksNotAsked(explanation.matches, values));
  }
}

async function nextStep({ problems }: Explanation, values: EventFlags, event: string): Promise<string> {
  if (problems.length > 0) return `next: ${nextCommand("check", values)}`;
  const { whereHooksAre } = await import("../hooks/no-hooks.ts");
  return whereHooksAre("run", values, event);
}

/** Work must not go on because no guard could be asked. Whoever could be asked and restricts is heard all the same. */
function refuseUnasked(outcome: Outcome, cwd: unknown): void {
  if (exitCode(outcome) !== 0 || !isGone(cwd)) return;
  const { length } = outcome.runs.filter(({ failure }) => failure?.kind === "start");
  if (length === 0) return;
  throw new UsageError(
    `the working folder ${cwd} is gone, so ${plural(length, "hook")} could not be asked`,
    "name one that exists with --cwd",
  );
}

function isGone(cwd: unknown): boolean {
  return typeof cwd === "string" && !isFolder(cwd);
}

/** 0 go on, 2 refused, 3 ask, or nobody knows: hooks that match did not run for lack of trust (design §8). */
function exitCode({ blocked, decision, diagnostics }: Outcome): number {
  if (blocked) return 2;
  return decision.kind === "ask" || wasSkipped({ diagnostics }) ? 3 : 0;
}

/** Hooks that match did not run for lack of trust. */
function wasSkipped({ diagnostics }: Pick<Outcome, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === "hook-skipped");
}
