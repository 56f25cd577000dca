import { UsageError } from "@belay/engine";
import { configLoader } from "@belay/engine/internal";
import type { Harness } from "@belay/harness";
import { type Command, readFlags } from "../args/args.ts";
import { BELAY, refuseBroken } from "../args/flags.ts";
import { listHooks, trustListed } from "../hooks/listed.ts";
import { type Adoption, planAdoption, planReturn, said, writeAdopted } from "../install/adopt.ts";
import { renderChange } from "../install/apply.ts";
import { configuredEvents } from "../install/events.ts";
import { type Base, settingsFile } from "../install/place.ts";
import { readInstalled } from "../install/state.ts";
import type { Io } from "../io.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { agentsOf, baseOf, say, WRITING_FLAGS, writeAgreed } from "./install.ts";

const USAGE = "belay adopt <agent> [--undo] [--project | --user] [options]";
const FLAGS = { ...WRITING_FLAGS, undo: { type: "boolean", help: "put everything back as it was" } } as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Moves the command hooks that stand in an agent's own settings into Belay's, so that they run in every agent, and puts the relay in their place. It shows what changes in both files and asks; what you agree to is trusted. For agents whose hooks are written as Belay's are: Claude Code.",
  flags: FLAGS,
  examples: ["belay adopt claude-code", "belay adopt claude-code --undo"],
  run: adopt,
};

async function adopt(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [harness, ...more] = agentsOf(positionals, USAGE);
  if (harness === undefined || more.length > 0)
    throw new UsageError("one agent is adopted at a time", `usage: ${USAGE}`);
  const base = baseOf(values);
  if (!values["dry-run"]) refuseInsideAgent("adopt");
  const again = `${BELAY} adopt ${harness.name}${values.undo ? " --undo" : ""}${values.user ? " --user" : ""}`;
  const installed = readInstalled(base.home);
  const used = await configuredEvents(base);
  if (!values.undo) refuseBroken(used.problems, {});
  const adoption = values.undo ? undefined : planAdoption(harness, base, used, installed);
  const changes = adoption?.changes ?? planReturn(harness, base, installed);
  if (adoption) say(said(adoption), io);
  io.out(changes.map((change) => renderChange(change, base, io)).join("\n"));
  if (!(await writeAgreed(changes, base, values, again, io, adoption !== undefined)))
    return values["dry-run"] ? 0 : 1;
  writeAdopted(base.home, settingsFile(harness, base) ?? "", adoption?.record);
  if (adoption) await trustMoved(harness, adoption, base, io);
  else say("Everything is as it was before.", io);
  return 0;
}

/** What the user has seen and agreed to is trusted, and nothing else. */
async function trustMoved(harness: Harness, adoption: Adoption, base: Base, io: Io): Promise<void> {
  const { scope, project, home } = base;
  const undo = `${BELAY} adopt ${harness.name} --undo${scope === "user" ? " --user" : ""}`;
  if (scope === "project") {
    const { hooks } = await configLoader().load([
      { file: adoption.target, layer: "project", required: true },
    ]);
    const rows = listHooks(hooks, { project, cwd: project, home }).filter(({ trusted }) =>
      adoption.places.some((place) => trusted.place.startsWith(`${place}.`)),
    );
    trustListed({ project, home }, rows);
    const refused = rows.filter(({ refusal }) => refusal !== undefined);
    if (refused.length > 0) {
      const why = refused.map(({ hook, refusal }) => `${hook.name}: ${refusal}`).join("; ");
      throw new UsageError(
        `adopted, but not all can be trusted, and these do not run: ${why}`,
        `back: ${undo}`,
      );
    }
  }
  say(`Adopted, and trusted as it stands. Back: ${undo}`, io);
}
