import { homedir } from "node:os";
import { dirname, relative as pathBetween, relative, sep } from "node:path";
import { COMMON_INPUT, type EventRecord, isDialectName, type Message, replay } from "@belay/core";
import { DEFAULT_MODE, eventRow, plural } from "@belay/core/internal";
import type { CaseFileData, Expectation } from "@belay/core/schema";
import { configPlaces, findProject, sessionOf } from "@belay/engine/internal";
import type { Shared } from "@belay/inspector/api";
import { stringify } from "yaml";
import { hasUntrusted, soundOutcome } from "../records/outcome.ts";
import { mapText } from "../testing/run/case-folders.ts";
import { whyUntested } from "../testing/run/not-run.ts";
import { isWithin } from "../testing/run/put-files.ts";
import { commandLine, flag, folderFlag } from "./command-line.ts";
import type { Looking } from "./hooks.ts";

interface Shareable {
  readonly flags: string;
  readonly named: CaseHooks;
  /** Places of the hooks that name a script from the working folder on. */
  readonly relative: ReadonlySet<string>;
  readonly editedConfig?: boolean;
}

/** An event as a test case and as a command line: what it was about, and what came of it, as it was recorded: without secrets. */
export function share(
  record: EventRecord,
  { flags, named, relative, editedConfig = false }: Shareable,
): Shared {
  const { event, payload, cwd, outcome } = record;
  const own = Object.fromEntries(Object.entries(payload).filter(isOwn));
  const { kind } = outcome.decision;
  const about = typeof own.tool_name === "string" ? ` ${own.tool_name}` : "";
  const name = `${event}${about}: ${kind === "none" ? "goes on" : kind}`;
  const { project, names } = named;
  const ranCommands = record.hooks.some(({ type, warm }) => type === "command" && !warm);
  const isRelative = record.hooks.some(({ source }) => relative.has(source));
  const copied = isRelative || (ranCommands && !holdsHome(cwd)) ? pathFrom(project, cwd) : undefined;
  const folder = copied === undefined ? {} : { folder: copied };
  const found = flags === "" && names.dialect ? flag("dialect", names.dialect) : flags;
  const lacks = lacksOf(record, named, { ranCommands, copied, editedConfig });
  return {
    testCase: inYaml({
      ...names,
      cases: [{ name, event, ...folder, payload: anywhere(own, cwd), expect: expected(record) }],
    }),
    commandLine: commandLine(event, own, `${folderFlag("cwd", cwd)}${sessionFlag(record)}${found}`),
    ...(lacks.length > 0 && { lacks: lacks.join(" ") }),
  };
}

interface CaseFacts {
  readonly ranCommands: boolean;
  /** The folder that the case has a copy of. */
  readonly copied: string | undefined;
  readonly editedConfig: boolean;
}

/** What the case, or the command, does not hold of the event. */
function lacksOf(
  record: EventRecord,
  { project, names, unread }: CaseHooks,
  { ranCommands, copied, editedConfig }: CaseFacts,
): string[] {
  const { event, payload, cwd, redacted, shortened } = record;
  const filledIn = Object.keys(eventRow(event).sample).filter((field) => !(field in payload));
  const hasPaths = copied !== undefined || names.config !== undefined || names.plugin !== undefined;
  return [
    redacted && "Secrets were replaced before the event was recorded: put others in their place.",
    shortened && "Long texts of the payload were cut before the event was recorded.",
    filledIn.length > 0 &&
      `The event had no ${filledIn.join(" and no ")}: what is not given is filled in from a sample.`,
    copied !== undefined &&
      `Commands of hooks took part: the test case gives them a copy of their folder, folder: ${copied}, without .git and node_modules.`,
    ranCommands &&
      copied === undefined &&
      `Commands of hooks took part in ${cwd}: the test case gives them an empty folder.`,
    hasPaths && `Save the test case in ${project}: its paths begin there.`,
    ...unread.map(
      (file) => `Hooks of ${file} took part: a test case runs those only where its config: names that file.`,
    ),
    hasUntrusted(record) && ofUntrusted(record),
    hasSessionHooks(record) && "Hooks of its session took part: a test case does not run those.",
    editedConfig &&
      "It was fired at an edited config: save that, and name it: --config for the command, config: in the file of the case.",
  ].filter((text) => typeof text === "string");
}

function expected(record: EventRecord): Expectation {
  const { outcome, cwd } = record;
  const { decision, updatedInput, updatedPrompt } = outcome;
  const { kind, reason } = decision;
  const text = (whole: string) => asItIs(anywhere(whole, cwd));
  const user = saidTo("user", outcome).map(text);
  const agent = saidTo("agent", outcome).map(text);
  return {
    decision: kind,
    ...(reason !== undefined && { reason: text(reason) }),
    ...(updatedInput && { updatedInput: anywhere(updatedInput, cwd) }),
    ...(updatedPrompt !== undefined && { updatedPrompt: text(updatedPrompt) }),
    ...(user.length > 0 && { user }),
    ...(agent.length > 0 && { agent }),
    ...aboutFailure(record),
  };
}

/** What hooks said to one of them besides the reason. What belay told of them is expected by its code, if at all. */
function saidTo(reader: Message["to"], outcome: EventRecord["outcome"]): string[] {
  const { decision, diagnostics, messages } = soundOutcome(outcome);
  const told = diagnostics.map(({ message }) => message.replace(/\.$/, ""));
  return messages
    .filter(({ to }) => to === reader)
    .map(({ block }) => block.content)
    .filter((content) => content !== decision.reason && !told.some((words) => content.includes(words)));
}

/** Where a hook failed, a case passes only if it is about that. */
function aboutFailure(record: EventRecord): Pick<Expectation, "user" | "diagnostics"> {
  const outcome = replay(record);
  if (whyUntested(outcome, {}) === undefined) return {};
  const diagnostics = outcome.diagnostics.map(({ code }) => code);
  if (diagnostics.length > 0) return { diagnostics };
  const told = outcome.messages.filter(({ to }) => to === "user").map(({ block }) => block.content);
  return { user: anywhere(told, record.cwd).map(asItIs) };
}

/** Without the folders of this machine, of which a case has its own; not where one is but a piece of another's name. */
function anywhere<T>(value: T, cwd: string): T {
  const places = [
    [cwd, "{cwd}"],
    [homedir(), "{home}"],
  ] as const;
  const change = (text: string) =>
    places
      .filter(([folder]) => folder !== "" && dirname(folder) !== folder)
      .reduce((done, [folder, name]) => done.replaceAll(wholeName(folder), () => name), text);
  return mapText(value, change) as T;
}

/** Behind the letter of an option, as in -I/usr/include, it begins a name all the same. */
function wholeName(folder: string): RegExp {
  const name = folder.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const begins = String.raw`(?:(?<![\w.~}-]/?)|(?<=(?:^|\s)-[A-Za-z]))`;
  return new RegExp(String.raw`${begins}${name}(?![\w-]|\.\w)`, "g");
}

/** Nobody wants a copy of all that is theirs for a test. */
function holdsHome(folder: string): boolean {
  return isWithin(pathBetween(folder, homedir()));
}

/** Records of older versions do not say how many. */
function ofUntrusted({ untrusted = 1 }: EventRecord): string {
  const [was, it] = untrusted === 1 ? ["it was", "it"] : ["they were", "them"];
  return `${plural(untrusted, "hook")} did not run, as ${was} not trusted: a test case runs ${it}, and may decide otherwise.`;
}

/** Without the session such a hook is not found. */
function sessionFlag(record: EventRecord): string {
  return hasSessionHooks(record) ? flag("session", record.session) : "";
}

function hasSessionHooks({ session, hooks }: EventRecord): boolean {
  return hooks.some(({ source }) => sessionOf(source.replace(/:\d+$/, "")) === session);
}

/** Quoted wherever `belay test`, or another reader of YAML, would take it for something else. */
export function inYaml(value: unknown): string {
  return stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    singleQuote: true,
    compat: "yaml-1.1",
  });
}

/** Not what is filled in wherever it is fired again: the session, its folder, and the usual mode. */
function isOwn([name, value]: [string, unknown]): boolean {
  return name === "permission_mode" ? value !== DEFAULT_MODE : !Object.hasOwn(COMMON_INPUT, name);
}

/** A text between slashes would be read as a pattern. */
function asItIs(text: string): string | { readonly exact: string } {
  return text.startsWith("/") ? { exact: text } : text;
}

/** How the file of a test case names the hooks of an event. */
export interface CaseHooks {
  /** Where the file belongs: its paths begin there. */
  readonly project: string;
  readonly names: Pick<CaseFileData, "config" | "plugin" | "dialect">;
  /** Files with hooks that took part and that such a case does not read. */
  readonly unread: readonly string[];
}

/** A page that was given no flags goes by the record: its dialect is named where that is how its hooks were found. */
export function caseHooks(looking: Looking, record: EventRecord): CaseHooks {
  const { cwd, home, configFiles = [], pluginDirs = [], dialect } = looking;
  const project = findProject(cwd, home);
  const tookPart = filesOf(record);
  const unread = unreadBy({ ...looking, project }, tookPart);
  const isGiven = configFiles.length > 0 || pluginDirs.length > 0 || dialect !== undefined;
  if (!isGiven && unread.length > 0 && isDialectName(record.dialect)) {
    const found = unreadBy({ ...looking, project, dialect: record.dialect }, tookPart);
    if (found.length === 0) return { project, names: { dialect: record.dialect }, unread: [] };
  }
  const listed = (files: readonly string[]) => {
    const paths = files.map((file) => pathFrom(project, file));
    return paths.length === 1 ? paths[0] : paths;
  };
  const names = {
    ...(configFiles.length > 0 && { config: listed(configFiles) }),
    ...(pluginDirs.length > 0 && { plugin: listed(pluginDirs) }),
    ...(dialect && { dialect }),
  };
  return { project, names, unread };
}

/** As it is written in a case file, on every system. */
function pathFrom(project: string, path: string): string {
  return relative(project, path).split(sep).join("/") || ".";
}

/** But not those of sessions, which no case can name. */
function filesOf({ hooks }: EventRecord): string[] {
  const files = hooks.map(({ source }) => source.replace(/:\d+$/, ""));
  return [...new Set(files)].filter((file) => sessionOf(file) === undefined);
}

function unreadBy(looking: Looking & { readonly project: string }, files: readonly string[]): string[] {
  const places = configPlaces({ ...looking, sessionId: "" }).filter(({ layer }) => layer !== "user");
  const read = new Set(places.map(({ file }) => file));
  return files.filter((file) => !read.has(file));
}
