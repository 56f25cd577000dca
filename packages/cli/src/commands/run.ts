import { constants } from "node:os";
import type { Outcome } from "@belay/engine";
import { BadUsage, readFlags } from "../args.ts";
import { safeJson } from "../clean.ts";
import { isFolder } from "../config-args.ts";
import { EVENT_FLAGS, type EventFlags, openEvent } from "../event-args.ts";
import type { Io } from "../io.ts";
import { nextCommand } from "../next.ts";
import type { Command } from "./command.ts";

const USAGE = "belay run <Event> [options]";

const FLAGS = {
  ...EVENT_FLAGS,
  verbose: { type: "boolean", short: "v", help: "show what every hook printed" },
  json: { type: "boolean", help: "print the Outcome as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Fires one event at your hooks and shows what they decide.\nExits 0: go on, 2: blocked, denied or stopped, 3: ask, 1: bad usage.",
  flags: FLAGS,
  examples: [
    'belay run PreToolUse --tool Bash --tool-input \'{"command":"rm -rf /"}\'',
    'belay run UserPromptSubmit --prompt "deploy it" --json',
    "belay run SessionStart --set source='\"resume\"' --config hooks.json",
  ],
  run: runEvent,
};

async function runEvent(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const { event, payload, engine } = await openEvent(values, positionals, USAGE);
  const interrupted = new AbortController();
  let signalled: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    signalled = signal;
    interrupted.abort();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const outcome = await engine.fire(event, payload, { signal: interrupted.signal });
    if (signalled !== undefined) return 128 + constants.signals[signalled]; // as a shell reports it: 130, 143
    refuseUnasked(outcome, payload.cwd);
    if (values.json) io.out(`${safeJson(outcome)}\n`);
    else {
      const { renderOutcome } = await import("../render/outcome.ts");
      const { matches } = await engine.explain(event, payload);
      const why = nextCommand("why", values, event);
      const isOff = outcome.diagnostics.length > 0; // there are entries, and none is in force
      const next = () => (isOff ? `next: ${nextCommand("check", values)}` : nowhere(values, event));
      const noHooks = matches.length === 0 ? await next() : "";
      const { journalFolder } = engine;
      const verbose = values.verbose ?? false;
      io.out(renderOutcome({ outcome, matches, payload, journalFolder, why, noHooks, verbose }, io));
    }
    return exitCode(outcome);
  } finally {
    await engine.close();
  }
}

async function nowhere(values: EventFlags, event: string): Promise<string> {
  const { whereHooksAre } = await import("../no-hooks.ts");
  return whereHooksAre("run", values, event);
}

/** Work must not go on because no guard could be asked. Whoever could be asked and restricts is heard all the same. */
function refuseUnasked(outcome: Outcome, cwd: unknown): void {
  if (exitCode(outcome) !== 0 || typeof cwd !== "string" || isFolder(cwd)) return;
  const { length } = outcome.runs.filter(({ failure }) => failure?.kind === "start");
  if (length === 0) return;
  const hooks = length === 1 ? "1 hook" : `${length} hooks`;
  throw new BadUsage(
    `the working folder ${cwd} is gone, so ${hooks} could not be asked`,
    "name one that exists with --cwd",
  );
}

/** 0 go on, 2 refused, 3 ask (DESIGN §8). */
function exitCode({ blocked, decision }: Outcome): number {
  if (blocked) return 2;
  return decision.kind === "ask" ? 3 : 0;
}
