import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { clean, oneLine } from "@belay/core/clean";
import { plural, shellWord } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { harnessNamed, type LoggingAgent, loggingAgents } from "@belay/harness";
import type { FlagValues } from "../args/args.ts";
import { BELAY, flagsOf, isFolder } from "../args/flags.ts";
import { nameMeant } from "../as/agents.ts";
import { fewSayer, filtersOf, type NothingFound, type RecordFlags, sinceOf } from "../records/journal.ts";
import type { LeftOut, Wanted } from "./entries.ts";
import { findLogs, hasLogs } from "./files.ts";
import type { FoundLogs } from "./records.ts";

const NAMES = loggingAgents.map(({ name }) => name);

export const FROM_FLAGS = {
  from: {
    type: "string",
    value: "AGENT",
    help: `read the session logs of another agent instead of the journal: ${NAMES.join(", ")}, several with commas between, or all`,
  },
  project: { type: "string", value: "DIR", help: "with --from: only sessions in this folder, and below" },
} as const;

export type FromFlags = FlagValues<typeof FROM_FLAGS>;

const ALL = "all";

/** The agents that --from names; of all, those that have left logs. */
function agentsNamed(given: string): readonly LoggingAgent[] {
  const names = given
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const named = (names.length > 0 ? names : [given]).flatMap((name) =>
    name === ALL ? allAgents() : [agentNamed(name)],
  );
  return [...new Set(named)];
}

function allAgents(): readonly LoggingAgent[] {
  const found = loggingAgents.filter(hasLogs);
  if (found.length > 0) return found;
  throw new UsageError(
    "no agent has left session logs here",
    `those that can be read are of: ${loggingAgents.map(({ title }) => title).join(", ")}`,
  );
}

function agentNamed(name: string): LoggingAgent {
  const found = loggingAgents.find((agent) => agent.name === name);
  if (found) return found;
  const other = harnessNamed(name);
  if (other)
    throw new UsageError(
      `the session logs of ${other.title} are not read`,
      `next, for what it does from now on, a hook in it: ${BELAY} record ${name}`,
    );
  const guess = nameMeant(name, NAMES);
  throw new UsageError(
    `no session logs can be read of an agent called ${JSON.stringify(name)}`,
    guess === undefined ? `one of: ${[...NAMES, ALL].join(", ")}` : `did you mean --from ${guess}?`,
  );
}

/** What a command line says of the logs that are meant. */
export type FromValues = FromFlags & RecordFlags & { readonly cwd?: string };

export function wantedBy({ since, project }: FromValues, skims: boolean): Wanted {
  return {
    ...(since !== undefined && { since: sinceOf(since, new Date()) }),
    ...(project !== undefined && { projects: projectsNamed(project) }),
    skims,
  };
}

/** The logs of the agents that --from names. */
export function findNamed({ from = "" }: FromValues, { since }: Wanted): FoundLogs[] {
  const found = agentsNamed(from).map((agent) => ({ agent, place: findLogs(agent, since) }));
  const [unread] = found.flatMap(({ place }) => place.unread);
  if (unread && found.every(({ place }) => place.files.length === 0))
    throw new UsageError(
      `the session logs cannot be read: ${oneLine(unread.why)}`,
      `next: ls -ld ${shellWord(clean(unread.path))}`,
    );
  return found;
}

/** All names of the folder that --project gives. */
function projectsNamed(given: string): readonly string[] {
  const folder = resolve(given);
  if (!isFolder(folder))
    throw new UsageError(`--project ${JSON.stringify(given)} is no folder`, "name a folder that exists");
  return [...new Set([folder, realpathSync(folder)])];
}

/** Refuses what has no meaning beside --from, or without it. */
export function refuseMixed(
  values: FromFlags & Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  meaningless: Readonly<Record<string, string>>,
): void {
  if (values.from === undefined) {
    if (values.project !== undefined)
      throw new UsageError(
        "--project narrows session logs down",
        `for example: ${BELAY} stats --from claude-code --project .`,
      );
    return;
  }
  const [named] = positionals;
  if (named !== undefined)
    throw new UsageError(
      `${JSON.stringify(named)} names a journal, and --from reads session logs`,
      "keep one of them",
    );
  const flag = Object.keys(meaningless).find((name) => values[name] !== undefined);
  if (flag !== undefined) throw new UsageError(`--${flag} has no meaning with --from`, meaningless[flag]);
}

/** Says what was left out of logs: the first few, and how many more there are. */
export function leftOutSayer() {
  const said = fewSayer((more) => `and ${plural(more, "more place")} of logs that cannot be read`);
  return {
    add: ({ path, line, why, isRest }: LeftOut) =>
      said.add(() =>
        line === undefined
          ? `left out ${isRest ? "the rest of " : ""}${oneLine(path)}: ${oneLine(why)}`
          : `left out line ${line} of ${oneLine(path)}: ${why}`,
      ),
    say: said.say,
  };
}

/** Why the logs of an agent say nothing of what was asked. */
export function whyNoEntry(
  command: "stats" | "tail" | "inspect",
  { agent: { title, name, tested }, place: { files, folders, unread } }: FoundLogs,
  values: FromValues,
): NothingFound {
  const place = oneLine(folders.join(", "));
  const filters = `${filtersOf(values)}${flagsOf(values, ["project"])}`.trim();
  if (filters !== "")
    return {
      why: `no session log of ${title} in ${place} fits ${filters}`,
      label: "next",
      command: `${BELAY} ${command} --from ${name}`,
    };
  const [one] = unread;
  if (one && files.length === 0)
    return {
      why: `the session logs of ${title} cannot be read: ${oneLine(one.why)}`,
      label: "next",
      command: `ls -ld ${shellWord(clean(one.path))}`,
    };
  if (files.some(({ bytes }) => bytes > 0))
    return {
      why: `${plural(files.length, "file")} in ${place} ${files.length === 1 ? "says" : "say"} nothing that can be read; the format may have changed since ${title} ${tested.version}`,
      label: "next, to see what is there",
      command: `ls -l ${folders.map(shellWord).join(" ")}`,
    };
  return {
    why:
      files.length > 0
        ? `${plural(files.length, "file")} in ${place} ${files.length === 1 ? "is" : "are"} empty`
        : `there are no session logs of ${title} in ${place}`,
    label: "next, for this project's own journal",
    command: `${BELAY} ${command}`,
  };
}
