import { type Command, readFlags } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import { effective, renderChange } from "../install/apply.ts";
import { isOwnFile } from "../install/own-file.ts";
import { planUninstall, shown } from "../install/plan.ts";
import { readInstalled } from "../install/state.ts";
import type { Io } from "../io.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { agentsOf, baseOf, say, WRITING_FLAGS, writeAgreed } from "./install.ts";

const USAGE = "belay uninstall <agent…> [--project | --user] [options]";

export const command: Command = {
  usage: USAGE,
  summary:
    "Takes out of the agents' own settings what `belay install` has written. A file that nobody has edited since is byte for byte what it was before; edits of others stay.",
  flags: WRITING_FLAGS,
  examples: ["belay uninstall claude-code", "belay uninstall gemini --user"],
  run: uninstall,
};

async function uninstall(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, WRITING_FLAGS);
  const agents = agentsOf(positionals, USAGE);
  const base = baseOf(values);
  if (!values["dry-run"]) refuseInsideAgent("uninstall");
  const installed = readInstalled(base.home);
  const changes = agents.flatMap((harness) => planUninstall(harness, base, installed));
  const due = effective(changes);
  const again = `${BELAY} uninstall ${positionals.join(" ")}${values.user ? " --user" : ""}`;
  io.out(due.map((change) => renderChange(change, base, io)).join("\n"));
  // A file of ours that was edited is not what was written any more.
  const edited = changes.filter(({ before, after }) => before === after && isOwnFile(before ?? ""));
  for (const { file } of edited)
    say(`${shown(file, base)} was edited since it was written, so it stays; remove it by hand.`, io);
  if (due.length === 0 && edited.length === 0) say("Nothing is installed there.", io);
  const done = await writeAgreed(due, base, values, again, io, false);
  if (done && due.length > 0) say("Uninstalled.", io);
  return (done || values["dry-run"]) && edited.length === 0 ? 0 : 1;
}
