import { setImmediate } from "node:timers/promises";
import { safeJson } from "@belay/core/clean";
import { EVENT_NAMES } from "@belay/engine";
import type { LoggingAgent } from "@belay/harness";
import { oneOf } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import type { Io } from "../io.ts";
import { isHookNamed, isToolNamed, sayNothing } from "../records/journal.ts";
import { renderLogStats } from "../render/log-stats.ts";
import { progressLine } from "../render/progress.ts";
import { type Asked, type LogStats, logCounter } from "./count.ts";
import { entryReader } from "./entries.ts";
import type { LogPlace } from "./files.ts";
import { type FromValues, findNamed, leftOutSayer, refuseMixed, wantedBy, whyNoEntry } from "./from.ts";
import { PAUSE } from "./lines.ts";
import { redacted } from "./redact.ts";

type Values = FromValues & { readonly json?: boolean };

/** `belay stats --from`: what the session logs of other agents tell of calls and hooks. */
export async function statsFrom(values: Values, positionals: readonly string[], io: Io): Promise<number> {
  refuseMixed(values, positionals, {
    cwd: "--project DIR takes the sessions of one project",
    decision: `calls and runs are counted, whatever was decided; for single ones: ${BELAY} tail --from ${values.from} --decision deny`,
  });
  const wanted = wantedBy(values, true);
  const asked = askedBy(values);
  const places = findNamed(values, wanted);
  const leftOut = leftOutSayer();
  const files = places.reduce((sum, { place }) => sum + place.files.length, 0);
  let read = 0;
  const progress = progressLine(io, () => `${read} of ${files} logs …`, values);
  const counted: { agent: LoggingAgent; place: LogPlace; stats: LogStats }[] = [];
  try {
    for (const { agent, place } of places) {
      const counter = logCounter(agent, asked);
      const { entriesOf, seen } = entryReader(agent, wanted, leftOut.add);
      place.unread.forEach(leftOut.add);
      for (const { path, bytes } of place.files) {
        let says = false;
        for (const entry of entriesOf(path)) {
          if (entry === PAUSE) await setImmediate();
          else {
            counter.add(entry);
            says = true;
          }
        }
        if (says) counter.addFile(bytes);
        read += 1;
      }
      counted.push({ agent, place, stats: redacted(onlyAsked(counter.stats(seen), values)) });
    }
  } finally {
    progress.wipe();
  }
  if (values.json) io.out(`${safeJson({ logs: counted.map(({ stats }) => stats) })}\n`);
  else {
    counted.forEach(({ agent, place, stats }, index) => {
      if (index > 0) io.out("\n");
      if (saysSomething(stats, values)) io.out(renderLogStats(stats, io));
      else sayNothing(whyNoEntry("stats", { agent, place }, values), io);
      if (stats.files > 0 && stats.hooks.length === 0 && agent.reads && !isNarrow(values))
        io.out(
          `\nNext, a hook that writes each event into the journal and decides nothing:\n  ${BELAY} record ${agent.name}\n`,
        );
    });
  }
  leftOut.say(io);
  return 0;
}

function askedBy({ tool, event, hook }: Values): Asked {
  const events = event?.map((name) => oneOf(name, EVENT_NAMES, "event")) as readonly string[] | undefined;
  return {
    ...(tool && { tool: (name) => tool.some((one) => isToolNamed(name, one)) }),
    ...(events && { event: (name) => events.includes(name) }),
    ...(hook && { hook: (name) => hook.some((one) => isHookNamed(name, one)) }),
  };
}

/** Who asks for hooks is told of hooks: not of calls that no hook denied. */
function onlyAsked(stats: LogStats, { hook, event }: Values): LogStats {
  if (!hook && !event) return stats;
  const isMeant = (name = "") => !hook || hook.some((one) => isHookNamed(name, one));
  return {
    ...stats,
    tools: [],
    denials: stats.denials.filter((one) => one.by === "hook" && isMeant(one.hook)),
  };
}

function saysSomething({ files, hooks, tools }: LogStats, values: Values): boolean {
  return files > 0 && (hooks.length > 0 || tools.length > 0 || !isNarrow(values));
}

const isNarrow = ({ tool, hook, event }: Values) => (tool ?? hook ?? event) !== undefined;
