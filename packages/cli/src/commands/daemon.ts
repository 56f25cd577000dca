import { existsSync } from "node:fs";
import { UsageError } from "@belay/engine";
import { type Command, noArguments, oneOf, readFlags } from "../args/args.ts";
import type { Io } from "../io.ts";
import { placeRelay } from "../relay/script.ts";
import { askStatus, tellToStop } from "../resident/client.ts";
import { type Place, placeFor, whyNotThere } from "../resident/place.ts";
import type { Status } from "../resident/server.ts";
import { startResident } from "../resident/start.ts";

const FLAGS = {
  serve: { type: "boolean", help: "be the resident, in this process" },
} as const;

export const command: Command = {
  usage: "belay daemon [status|stop]",
  summary:
    "The resident: a process that answers the hooks of other agents for you, and keeps warm hooks and modules between two events. The first event starts it; without one for 30 minutes it ends. Each event sees the files, the folder and the variables of its own agent. Where there is no resident, each event starts Belay, with the same answer.",
  flags: FLAGS,
  examples: ["belay daemon status", "belay daemon stop"],
  run: daemon,
};

const ACTS = ["start", "status", "stop"] as const;

async function daemon(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [given = "start", ...more] = positionals;
  noArguments(more, `usage: ${command.usage}`);
  const act = oneOf(given, ACTS, "act of belay daemon");
  const place = placeFor();
  const why = whyNotThere(place);
  if (why !== undefined) throw new UsageError(`there can be no resident: ${why}`);
  if (values.serve) return serveHere(place);
  if (act === "stop") return stop(place, io);
  const running = act === "start" ? await started(place) : await askStatus(place);
  io.out(`${running ? inWords(running, place) : absence(place)}\n`);
  return running ? 0 : 1;
}

async function serveHere(place: Place): Promise<number> {
  const { serve } = await import("../resident/server.ts");
  await await serve(place);
  return 0;
}

const START_MS = 10_000;

async function started(place: Place): Promise<Status | undefined> {
  placeRelay(place.home);
  const until = Date.now() + START_MS;
  let status = await askStatus(place);
  if (!status) startResident();
  while (!status && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    status = await askStatus(place);
  }
  return status;
}

async function stop(place: Place, io: Io): Promise<number> {
  const wasTold = await tellToStop(place);
  io.out(`${wasTold ? "the resident ends" : absence(place)}\n`);
  return 0;
}

/** One that hangs ends once it goes on and sees that its place is taken. */
function absence({ socket }: Place): string {
  return existsSync(socket)
    ? `the resident does not answer; the next event takes its place at ${socket}`
    : "no resident; the next event starts one";
}

function inWords({ pid, since, events, projects, rss }: Status, { socket }: Place): string {
  return [
    `resident: process ${pid}, since ${since}`,
    `events    ${events}`,
    `memory    ${Math.round(rss / 1024 / 1024)} MB`,
    `projects  ${projects.join("\n          ") || "none"}`,
    `socket    ${socket}`,
  ].join("\n");
}
