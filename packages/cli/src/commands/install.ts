import type { EventName } from "@belay/core";
import { UsageError } from "@belay/engine";
import { findProject, homeFolder } from "@belay/engine/internal";
import { entryEvent, type Harness } from "@belay/harness";
import { type Command, type FlagValues, readFlags } from "../args/args.ts";
import { BELAY, CONFIG_FLAGS, refuseBroken, workingFolder } from "../args/flags.ts";
import { agentNamed } from "../as/agents.ts";
import { apply, effective, refuseReadOnly, renderChange } from "../install/apply.ts";
import { deathsOf, deathsSaid } from "../install/deaths.ts";
import { type Chosen, chosenEvents, configuredEvents } from "../install/events.ts";
import type { Base } from "../install/place.ts";
import { type Change, planInstall } from "../install/plan.ts";
import { readInstalled } from "../install/state.ts";
import { canAsk, type Io, isAgreed } from "../io.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { placeRelay } from "../relay/script.ts";
import { commandLines, wrap } from "../render/text.ts";

const USAGE = "belay install <agent…> [--project | --user] [--events A,B | --all] [options]";

/** Flags of the commands that write into the files of agents. */
export const WRITING_FLAGS = {
  project: { type: "boolean", help: "for this project; what is done without --user" },
  user: { type: "boolean", help: "for all that you do with the agent" },
  "dry-run": { type: "boolean", help: "show what would be written, and write nothing" },
  yes: { type: "boolean", help: "write without asking" },
  cwd: CONFIG_FLAGS.cwd,
} as const;

const FLAGS = {
  ...WRITING_FLAGS,
  events: { type: "string", value: "A,B", help: "for these events, by our names" },
  all: { type: "boolean", help: "for every event that the agent has" },
  "fail-closed": {
    type: "boolean",
    help: "use the agent's own setting for hooks that fail, where it has one, at every event; without it where a guard stands",
  },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Makes your hooks run in other agents: an entry in the agent's own settings calls the relay. It shows what changes in each file and asks; every other byte of the file stays. `belay uninstall` takes it out again.\nWithout --events and --all the entries are for the events that your hooks are for, and for those before tool calls.",
  flags: FLAGS,
  examples: ["belay install claude-code codex", "belay install gemini --user --all"],
  run: install,
};

export function baseOf(values: FlagValues<typeof WRITING_FLAGS>): Base {
  if (values.project && values.user)
    throw new UsageError("--project and --user exclude each other", "name one of them");
  const project = findProject(workingFolder(values.cwd));
  const home = homeFolder();
  if (project === home && !values.user)
    throw new UsageError("your home folder is no project", "say --user, or name one: --cwd DIR");
  return { scope: values.user ? "user" : "project", project, home };
}

export function agentsOf(positionals: readonly string[], usage: string): Harness[] {
  if (positionals.length === 0) throw new UsageError("an agent is needed", `usage: ${usage}`);
  return [...new Set(positionals.flatMap((names) => names.split(",")))].map((name) => agentNamed(name));
}

async function install(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (values.events !== undefined && values.all)
    throw new UsageError("--events and --all exclude each other", "name one of them");
  const agents = agentsOf(positionals, USAGE);
  const base = baseOf(values);
  if (!values["dry-run"]) refuseInsideAgent("install");
  const plans = await planFor(agents, base, values);
  const again = `${BELAY} install ${positionals.join(" ")}`;
  const changes = plans.flatMap((plan) => plan.changes);
  io.out(plans.map((plan) => `${lines(plan, base, values["fail-closed"] === true, io)}\n`).join(""));
  if (!(await writeAgreed(changes, base, values, again, io))) return values["dry-run"] ? 0 : 1;
  say(`Installed. Next: ${BELAY} doctor`, io);
  return 0;
}

interface Plan {
  readonly harness: Harness;
  readonly chosen: Chosen;
  readonly closed: readonly EventName[];
  readonly changes: readonly Change[];
}

async function planFor(
  agents: readonly Harness[],
  base: Base,
  values: FlagValues<typeof FLAGS>,
): Promise<Plan[]> {
  const installed = readInstalled(base.home);
  const used = await configuredEvents(base);
  // Without them entries would go that hooks stand behind.
  refuseBroken(used.problems, {});
  return agents.map((harness) => {
    const chosen = chosenEvents(values, harness, used.events);
    const closed = values["fail-closed"] ? chosen.events : used.guarded;
    const changes = planInstall(harness, { base, events: chosen.events, closed }, installed);
    return { harness, chosen, closed, changes };
  });
}

function lines({ harness, chosen, closed, changes }: Plan, base: Base, failClosed: boolean, io: Io): string {
  const { title, settings, reads } = harness;
  const names = (has: boolean) =>
    chosen.events.filter((event) => (entryEvent(harness, event) !== undefined) === has).join(", ");
  const said = [
    `${title}: ${names(true) || "no event"} (${chosen.why})`,
    ...(names(false) === "" ? [] : [`It has no ${names(false)}: hooks for it do not run there.`]),
    `A call without an answer of the relay: ${deathsSaid(deathsOf(harness, closed))}.`,
    ...(failClosed && !reads?.failClosed && settings.shape.kind !== "plugin"
      ? ["--fail-closed: it has no such setting."]
      : []),
    ...(settings.trust ? [settings.trust] : []),
  ];
  const diffs = effective(changes).map((change) => renderChange(change, base, io));
  return [
    ...said.flatMap((line) => wrap(line, io.columns)),
    ...(diffs.length > 0 ? diffs : ["Nothing changes."]),
  ].join("\n");
}

/** Writes what the user agrees to. False: nothing was written. */
export async function writeAgreed(
  changes: readonly Change[],
  base: Base,
  values: FlagValues<typeof WRITING_FLAGS>,
  again: string,
  io: Io,
  relay = true,
): Promise<boolean> {
  const due = effective(changes);
  refuseReadOnly(due, base);
  if (values["dry-run"]) return false;
  if (due.length > 0 && !values.yes) {
    const files = due.length === 1 ? "this file" : `these ${due.length} files`;
    if (!canAsk(io)) {
      say("Nothing was written. Next, on a terminal or with --yes:", io, `${again} --yes`);
      return false;
    }
    if (!(await isAgreed(`Write ${files}? [y/N] `, "Nothing was written.", io))) return false;
  }
  if (relay) placeRelay(base.home);
  apply(changes, base);
  return true;
}

export function say(text: string, { out, columns }: Io, next?: string): void {
  out(`${[...wrap(text, columns), ...(next === undefined ? [] : commandLines(next, columns))].join("\n")}\n`);
}
