import { dirname, relative, sep } from "node:path";
import {
  COMMON_INPUT,
  type EventRecord,
  isDialectName,
  type Message,
  type Outcome,
  replay,
} from "@belay/core";
import { clean, safeJson } from "@belay/core/clean";
import { DEFAULT_MODE, eventRow, isObject, isTold, plural, shellWord } from "@belay/core/internal";
import type { CaseFileData, Expectation } from "@belay/core/schema";
import { configPlaces, findProject, homeFolder, sessionOf } from "@belay/engine/internal";
import type { Shared } from "@belay/inspector/api";
import { fileOf } from "@belay/inspector/configured-hook";
import { stringify } from "yaml";
import { flagText } from "../args/flags.ts";
import { hasUntrusted } from "../records/outcome.ts";
import { isWithin, mapText } from "../testing/run/case-folders.ts";
import { whyUntested } from "../testing/run/not-run.ts";
import { type Looking, relativeHooks } from "./hooks.ts";

/**
 * A recorded event as a test case and as a command line, without secrets. `edited` finds the hooks of a config that was
 * edited on the page, if the event was fired at them.
 */
export async function share(
  recorded: EventRecord,
  looking: Looking,
  flags: string,
  edited?: Looking,
): Promise<Shared> {
  const record = recorded.agent === undefined ? recorded : withoutOthersHooks(recorded);
  const { event, payload, cwd, outcome } = record;
  const home = homeFolder(looking.home);
  const named = edited ? namedByNobody(looking) : caseHooks(looking, record);
  const { project, names } = named;
  const fields = Object.fromEntries(Object.entries(payload).filter(isOfThisEvent));
  const { kind } = outcome.decision;
  const about = typeof fields.tool_name === "string" ? ` ${fields.tool_name}` : "";
  const name = `${event}${about}: ${kind === "none" ? "goes on" : kind}`;
  const ranCommands = record.hooks.some(({ type, warm }) => type === "command" && !warm);
  const fromFolder = await relativeHooks(edited ?? looking, cwd);
  const needsFolder = record.hooks.some(({ source }) => fromFolder.has(source));
  // A copy of the user's home would hold everything of theirs.
  const holdsHome = isWithin(relative(cwd, home));
  const copied = needsFolder || (ranCommands && !holdsHome) ? pathFrom(project, cwd) : undefined;
  const found = flags === "" && names.dialect ? flag("dialect", names.dialect) : flags;
  const lacks = lacksOf(record, named, { ranCommands, copied, isEdited: edited !== undefined });
  const testCase = {
    name,
    event,
    ...(copied !== undefined && { folder: copied }),
    payload: anywhere(fields, cwd, home),
    expect: expected(record, home),
  };
  return {
    testCase: inYaml({ ...names, cases: [testCase] }),
    commandLine: commandLine(
      event,
      fields,
      `${cwd === "" ? "" : folderFlag("cwd", cwd)}${sessionFlag(record)}${edited ? "" : found}`,
    ),
    ...(lacks.length > 0 && { lacks: lacks.join(" ") }),
  };
}

/** The hooks of another agent are no hooks of a case; what came of the event there stays. */
function withoutOthersHooks(record: EventRecord): EventRecord {
  const { reason: _reason, hook: _hook, ...decision } = record.outcome.decision;
  return { ...record, hooks: [], outcome: { ...record.outcome, decision } };
}

function lacksOf(
  record: EventRecord,
  { project, names, unread }: CaseHooks,
  { ranCommands, copied, isEdited }: { ranCommands: boolean; copied: string | undefined; isEdited: boolean },
): string[] {
  const { event, payload, cwd, redacted, shortened, agent } = record;
  const filledIn = Object.keys(eventRow(event).sample).filter((field) => !(field in payload));
  const hasPaths = copied !== undefined || names.config !== undefined || names.plugin !== undefined;
  return [
    agent !== undefined &&
      `It is from a session log of ${agent}: the test case expects what came of it there; write what your hooks are to say.`,
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
    isEdited &&
      "It was fired at an edited config: save that, and name it: --config for the command, config: in the file of the case.",
  ].filter((text) => typeof text === "string");
}

/** Records of older versions do not say how many hooks were not trusted. */
function ofUntrusted({ untrusted = 1 }: EventRecord): string {
  const [was, it] = untrusted === 1 ? ["it was", "it"] : ["they were", "them"];
  return `${plural(untrusted, "hook")} did not run, as ${was} not trusted: a test case runs ${it}, and may decide otherwise.`;
}

/** What came of the event, as it was recorded. Where a hook failed, a case passes only if it is about that failure. */
function expected(record: EventRecord, home: string): Expectation {
  const { decision, updatedInput, updatedPrompt } = record.outcome;
  const placeless = <T>(value: T) => anywhere(value, record.cwd, home);
  const text = (whole: string) => asItIs(placeless(whole));
  const { kind, reason } = decision;
  const outcome = replay(record);
  const hasFailure = whyUntested(outcome, {}) !== undefined;
  const codes = hasFailure ? outcome.diagnostics.map(({ code }) => code) : [];
  const isToldOnly = hasFailure && codes.length === 0;
  const user = isToldOnly ? contents("user", outcome.messages) : saidTo("user", outcome);
  const agent = saidTo("agent", outcome);
  return {
    decision: kind,
    ...(reason !== undefined && { reason: text(reason) }),
    ...(updatedInput && { updatedInput: placeless(updatedInput) }),
    ...(updatedPrompt !== undefined && { updatedPrompt: text(updatedPrompt) }),
    ...(user.length > 0 && { user: user.map(text) }),
    ...(agent.length > 0 && { agent: agent.map(text) }),
    ...(codes.length > 0 && { diagnostics: codes }),
  };
}

/**
 * What hooks said to a reader besides the reason. Belay's own words are expected by their codes, if at all: the warnings of
 * diagnostics, which `route` puts behind all other messages, and those about a hook that gave no answer.
 */
function saidTo(reader: Message["to"], { decision, diagnostics, messages, runs }: Outcome): string[] {
  const faulty = new Set(runs.filter(({ fault }) => fault !== undefined).map(({ hook }) => hook));
  const ofHooks = messages.slice(0, messages.length - diagnostics.filter(isTold).length);
  const own = ofHooks.filter(({ hook }) => !faulty.has(hook));
  return contents(reader, own).filter((content) => content !== decision.reason);
}

function contents(reader: Message["to"], messages: readonly Message[]): string[] {
  return messages.filter(({ to }) => to === reader).map(({ block }) => block.content);
}

/** A text between slashes would be read as a pattern. */
function asItIs(text: string): string | { readonly exact: string } {
  return text.startsWith("/") ? { exact: text } : text;
}

/** A value without the folders of this machine: a case has folders of its own. */
function anywhere<T>(value: T, cwd: string, home: string): T {
  const places = [
    [cwd, "{cwd}"],
    [home, "{home}"],
  ] as const;
  const change = (text: string) =>
    places
      .filter(([folder]) => folder !== "" && dirname(folder) !== folder)
      .reduce((done, [folder, name]) => done.replaceAll(wholeName(folder), () => name), text);
  return mapText(value, change) as T;
}

/** A folder's name, not where it is a piece of a longer one. Behind the letter of an option, as in -I/usr/include, it begins. */
function wholeName(folder: string): RegExp {
  const name = folder.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const begins = String.raw`(?:(?<![\w.~}-]/?)|(?<=(?:^|\s)-[A-Za-z]))`;
  return new RegExp(String.raw`${begins}${name}(?![\w-]|\.\w)`, "g");
}

/** The flag without which a hook of the session is not found. */
function sessionFlag(record: EventRecord): string {
  return hasSessionHooks(record) ? flag("session", record.session) : "";
}

function hasSessionHooks({ session, hooks }: EventRecord): boolean {
  return hooks.some(({ source }) => sessionOf(fileOf(source)) === session);
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

/** False for what is filled in wherever the event is fired again: the session, its folder, and the usual mode. */
function isOfThisEvent([name, value]: [string, unknown]): boolean {
  return name === "permission_mode" ? value !== DEFAULT_MODE : !Object.hasOwn(COMMON_INPUT, name);
}

interface CaseHooks {
  /** Where the file belongs: its paths begin there. */
  readonly project: string;
  readonly names: Pick<CaseFileData, "config" | "plugin" | "dialect">;
  /** Files with hooks that took part and that such a case does not read. */
  readonly unread: readonly string[];
}

/** An edited config has no name yet. */
function namedByNobody({ cwd, home, dialect }: Looking): CaseHooks {
  return { project: findProject(cwd, home), names: dialect ? { dialect } : {}, unread: [] };
}

/** A page that was given no flags goes by the record: its dialect is named where that is how its hooks were found. */
function caseHooks(looking: Looking, record: EventRecord): CaseHooks {
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

function pathFrom(project: string, path: string): string {
  return relative(project, path).split(sep).join("/") || ".";
}

/** The config files of the hooks that ran, without those of sessions: no case can name them. */
function filesOf({ hooks }: EventRecord): string[] {
  const files = hooks.map(({ source }) => fileOf(source));
  return [...new Set(files)].filter((file) => sessionOf(file) === undefined);
}

function unreadBy(looking: Looking & { readonly project: string }, files: readonly string[]): string[] {
  const places = configPlaces({ ...looking, sessionId: "" }).filter(({ layer }) => layer !== "user");
  const read = new Set(places.map(({ file }) => file));
  return files.filter((file) => !read.has(file));
}

/** Bytes: Linux takes no argument of more than 128 KiB, and printf is the shell's own. */
const MAX_ARGUMENTS = 100_000;

/**
 * A command line that fires the event again. Words are quoted where they must be. The line holds no control character, as
 * a terminal acts on those before a shell reads any quotes: JSON escapes them.
 */
export function commandLine(
  event: string,
  payload: Readonly<Record<string, unknown>>,
  flags: string,
): string {
  const names = Object.keys(payload);
  const said = names.map((name) => {
    const value = payload[name];
    if (name === "tool_name" && isPlain(value)) return flag("tool", value);
    if (name === "prompt" && isPlain(value)) return flag("prompt", value);
    if (name === "tool_input" && isObject(value)) return flag("tool-input", safeJson(value, 0));
    return flag("set", `${name}=${safeJson(value, 0)}`);
  });
  if (names.every((name) => /^[\w-]+$/.test(name)) && Buffer.byteLength(said.join("")) <= MAX_ARGUMENTS)
    return `belay run ${event}${said.join("")}${flags}`;
  return `printf %s ${shellWord(safeJson(payload, 0))} | belay run ${event} --input -${flags}`;
}

export function flag(name: string, value: string): string {
  return flagText(name, value, (text) => (isPlain(text) ? shellWord(text) : printed(text)));
}

/** A slash behind a folder's name changes nothing, and saves a line end in the name: `$(…)` drops those at the end. */
export function folderFlag(name: string, folder: string): string {
  return flag(name, folder.endsWith("\n") ? `${folder}/` : folder);
}

function isPlain(value: unknown): value is string {
  return typeof value === "string" && clean(value) === value && !/\n|\p{Cs}/u.test(value);
}

/** A word written as its bytes, where quotes do not make it safe to paste. */
function printed(text: string): string {
  const bytes = (part: string) =>
    [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return `"$(printf '${text.replaceAll(/[^\w./]+/g, bytes)}')"`;
}
