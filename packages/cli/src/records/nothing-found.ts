import { clean, oneLine } from "@belay/core/clean";
import { nearest, plural, shellWord } from "@belay/core/internal";
import { linesFromEnd } from "@belay/engine/internal";
import { isToolNamed, RECORD_FLAGS, type RecordFlags } from "../args/records.ts";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";
import type { Io } from "../io.ts";
import { BELAY, flagsOf, nextCommand } from "../next-command.ts";
import { commandLines, wrap } from "../render/text.ts";
import type { JournalPlace } from "./journal-place.ts";

/** Why no record is meant, and what to type next. */
export interface NothingFound {
  readonly why: string;
  /** What stands before the command. */
  readonly label: string;
  readonly command: string;
}

type Values = RecordFlags & { readonly cwd?: string; readonly limit?: string };

/** Reads the whole journal once more, to say how many records there are. */
export function whyNothing(
  name: "tail" | "stats" | "replay",
  { place, named, session, isMeant }: JournalPlace,
  values: Values,
): NothingFound {
  const { records, tools } = lookThrough(place, isMeant);
  const again = (command: string) => `${BELAY} ${command}${flagsOf(values, ["cwd"])}`;
  const filters = filtersOf(values);
  if (records > 0 && filters !== "") {
    const events = `${plural(records, "event")}${session === undefined ? "" : ` of session ${oneLine(session)}`}`;
    return {
      why: `of ${events} in ${oneLine(place)} none fits ${filters}${toolMeant(values.tool, tools)}`,
      label: "next",
      command: again(named === undefined ? "tail" : `${name} ${shellWord(clean(named))}`),
    };
  }
  if (named === undefined) return nothingYet(place, values.cwd);
  return {
    why: `nothing is recorded in ${oneLine(place)}`,
    label: "next, for this project's own journal",
    command: again(name),
  };
}

/** Of a project's own journal: any event that fires there is recorded in it. */
export function nothingYet(place: string, cwd: string | undefined): NothingFound {
  return {
    why: `nothing has been recorded yet in ${oneLine(place)}`,
    label: "next",
    command: nextCommand("run", { cwd }, EXAMPLE_EVENT),
  };
}

/** As lines of their own; the command can be copied. */
export function sayNothing({ why, label, command }: NothingFound, { out, columns }: Io): void {
  const next = label.replace(/^\w/, (letter) => letter.toUpperCase());
  out(`${[...wrap(`${why}. ${next}:`, columns), ...commandLines(command, columns)].join("\n")}\n`);
}

/** As the end of a message. */
export function nothingText({ why, label, command }: NothingFound): string {
  return `${why}; ${label}: ${command}`;
}

function filtersOf(values: Values): string {
  const names = [...Object.keys(RECORD_FLAGS), ...(Number(values.limit) === 0 ? ["limit"] : [])];
  return flagsOf(values, names).trim();
}

/** Names of tools that are kept: hosts may invent them, without end. */
const MAX_TOOLS = 1000;

function lookThrough(place: string, isMeant: JournalPlace["isMeant"]) {
  let records = 0;
  const tools = new Set<string>();
  for (const line of linesFromEnd(place)) {
    if (!("record" in line && isMeant(line.record))) continue;
    records += 1;
    const { tool_name: tool } = line.record.payload;
    if (typeof tool === "string" && tools.size < MAX_TOOLS) tools.add(tool);
  }
  return { records, tools };
}

function toolMeant(given: readonly string[] = [], tools: ReadonlySet<string>): string {
  const unknown = given.find((tool) => ![...tools].some((name) => isToolNamed(name, tool)));
  const guess = unknown === undefined ? undefined : nearest(unknown, [...tools]);
  return guess === undefined ? "" : ` (did you mean --tool ${shellWord(clean(guess))}?)`;
}
