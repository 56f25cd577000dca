import { spawnSync } from "node:child_process";
import { UsageError } from "@belay/engine";
import { HARNESSES } from "@belay/harness";
import { type Command, readFlags } from "../args/args.ts";
import type { Io } from "../io.ts";
import { PROGRAM } from "../resident/place.ts";
import { deathsReport, exitCodeFor, isAsSaid, report, type Verified } from "../verify/report.ts";
import { loadDrive, measureDeaths, verifyAgent } from "../verify/verify.ts";
import { agentsOf } from "./install.ts";

const USAGE = "belay verify [agent…] [--user] [--deaths] [--json]";
const FLAGS = {
  user: { type: "boolean", help: "with the relay installed for the user, not for the project" },
  deaths: { type: "boolean", help: "what becomes of a call when the relay dies, in place of the canaries" },
  json: { type: "boolean", help: "print the report as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Proves on this machine that agents obey the relay. It drives each agent that is on the PATH, or those that are named, in a scratch home with a made-up key, against a model on loopback that follows a script; on Linux without any network. A hook denies, rewrites, asks, gives context and stops, and the calls that run are counted. Exits 2 if an agent does not obey, 1 if nothing was proven.",
  flags: FLAGS,
  examples: ["belay verify", "belay verify claude-code codex"],
  run: verify,
};

/** Set for the process that stands in a network namespace of its own. */
const INSIDE = "BELAY_VERIFY_INSIDE";
const NAMESPACE = [
  "-rnpf",
  "--kill-child",
  "--mount-proc",
  "sh",
  "-c",
  'ip link set lo up && exec "$@"',
  "sh",
];

async function verify(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (process.platform === "win32")
    throw new UsageError("agents are driven on Linux and macOS alone", "next: belay doctor");
  const agents = positionals.length === 0 ? HARNESSES : agentsOf(positionals, USAGE);
  const isInside = process.env[INSIDE] !== undefined;
  if (!isInside && hasNamespaces()) {
    const { status } = spawnSync("unshare", [...NAMESPACE, process.execPath, PROGRAM, "verify", ...args], {
      stdio: "inherit",
      env: { ...process.env, [INSIDE]: "1" },
    });
    return status ?? 1;
  }
  // The first process of a namespace ends by no signal that it does not ask for.
  if (isInside) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
  else io.err("belay: no network namespace here: agents are pointed to loopback, and could go elsewhere\n");
  const drive = await loadDrive();
  const scope = values.user ? "user" : "project";
  if (values.deaths) {
    const measured = [];
    for (const agent of agents)
      measured.push({ agent, found: (await measureDeaths(drive, agent, scope)) ?? {} });
    io.out(deathsReport(measured, io));
    return measured.every(({ agent, found }) => isAsSaid(agent, found)) ? 0 : 2;
  }
  const verified: Verified[] = [];
  for (const agent of agents) {
    if (!values.json) io.err(`${agent.title} …\n`);
    verified.push(await verifyAgent(drive, agent, scope));
  }
  if (values.json) io.out(`${JSON.stringify({ isolated: isInside, agents: verified }, null, 2)}\n`);
  else io.out(report(verified, io));
  return exitCodeFor(verified, positionals.length === 0 ? [] : agents.map(({ name }) => name));
}

function hasNamespaces(): boolean {
  return spawnSync("unshare", [...NAMESPACE, "true"], { stdio: "ignore" }).status === 0;
}
