import { oneLine } from "@belay/core/clean";
import { nearest } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { configLoader, configPlaces, shownPath } from "@belay/engine/internal";
import { HARNESSES, type Harness, harnessNamed, harnessNames } from "@belay/harness";
import type { FlagValues } from "../args/args.ts";
import { type CONFIG_FLAGS, simulatingOptions } from "../args/flags.ts";

/** Every agent that the settings name, or else that runs programs as hooks. */
const ALL = "all";

/** The harnesses that `--as` names: one, several with commas between them, or all. */
export async function agentsMeant(
  given: string,
  values: FlagValues<typeof CONFIG_FLAGS>,
): Promise<readonly Harness[]> {
  const names = given.split(",").map((name) => name.trim());
  const all = names.includes(ALL) ? await allAgents(values) : [];
  return [...new Set(names.flatMap((name) => (name === ALL ? all : [agentNamed(name)])))];
}

/** `where`: the file that names it, if it is not the command line. */
export function agentNamed(name: string, where = ""): Harness {
  const harness = harnessNamed(name);
  if (harness) return harness;
  const guess = nameMeant(name, harnessNames);
  throw new UsageError(
    `${where}there is no agent ${JSON.stringify(oneLine(name))} that is known here`,
    guess === undefined ? `one of: ${[...harnessNames, ALL].join(", ")}` : `did you mean ${guess}?`,
  );
}

/** The name of an agent that a misspelt one, or its beginning, stands for. */
export function nameMeant(given: string, names: readonly string[]): string | undefined {
  const name = given.toLowerCase();
  if (name === "") return undefined;
  return names.find((known) => known.startsWith(name)) ?? nearest(name, [...names, ALL]);
}

/** The last file that says "agents" counts: the one that is nearest to the user's work. */
async function allAgents(values: FlagValues<typeof CONFIG_FLAGS>): Promise<readonly Harness[]> {
  const options = simulatingOptions(values);
  const { configs } = await configLoader().load(configPlaces({ ...options, sessionId: "" }));
  const said = configs.findLast(({ agents }) => agents !== undefined);
  const where = said ? `"agents" in ${oneLine(shownPath(said.file, options.cwd))}: ` : "";
  return (
    said?.agents?.map((name) => agentNamed(name, where)) ??
    HARNESSES.filter(({ reads }) => reads !== undefined)
  );
}
