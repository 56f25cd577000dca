import { resolve } from "node:path";
import { oneLine } from "@belay/core/clean";
import { shellWord } from "@belay/core/internal";
import { DIALECT_NAMES, type Diagnostic, UsageError } from "@belay/engine";
import { isSessionUuid, statOf } from "@belay/engine/internal";
import { type FlagValues, oneOf } from "./args.ts";

/** Flags that say which config is meant (design §7). */
export const CONFIG_FLAGS = {
  config: {
    type: "string",
    multiple: true,
    value: "FILE",
    help: "read this file instead of the layers; repeatable",
  },
  plugin: {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "read this plugin's hooks/hooks.json; repeatable",
  },
  dialect: {
    type: "string",
    value: "NAME",
    help: `read the files of this dialect, and every hook by it: ${DIALECT_NAMES.join(", ")}`,
  },
  cwd: { type: "string", value: "DIR", help: "the agent's working folder" },
} as const;

/** The flag by which a command says what happens in other agents. */
export const AS_FLAG = {
  as: {
    type: "string",
    value: "AGENT",
    help: "say what this agent would do with the output: claude-code, codex, …, several with commas, or all",
  },
} as const;

/** Flags of every command that takes an event (design §8). */
export const EVENT_FLAGS = {
  tool: { type: "string", value: "NAME", help: "the tool's name" },
  "tool-input": { type: "string", value: "JSON", help: "the tool's input" },
  prompt: { type: "string", value: "TEXT", help: "the user's prompt" },
  input: {
    type: "string",
    value: "FILE|-",
    help: "a whole payload, from a file or from stdin; it may name the event",
  },
  set: {
    type: "string",
    multiple: true,
    value: "KEY=JSON",
    help: "set any field of the payload, or one inside it (a.b=JSON); repeatable",
  },
  ...CONFIG_FLAGS,
  session: { type: "string", value: "ID", help: "the session id" },
} as const;

/** What those reach for who come from `belay try`. */
export const NOT_EVENT_FLAGS = {
  payload: "--input takes a payload from a file, or - for stdin; --tool-input takes JSON",
};

export type EventFlags = FlagValues<typeof EVENT_FLAGS>;

/**
 * The config a command line means, as the engine's options. Paths are taken from where the command was given; one that is
 * given twice is one.
 */
export function configOptions(values: FlagValues<typeof CONFIG_FLAGS>) {
  return {
    cwd: workingFolder(values.cwd),
    ...(values.config && { configFiles: paths(values.config) }),
    ...(values.plugin && { pluginDirs: paths(values.plugin) }),
    ...(values.dialect !== undefined && { dialect: oneOf(values.dialect, DIALECT_NAMES, "dialect") }),
  };
}

/** The same for commands that say what would happen: a dialect that the user names is read to the letter (design §7). */
export function simulatingOptions(values: FlagValues<typeof CONFIG_FLAGS>) {
  const options = configOptions(values);
  return { ...options, ...(options.dialect !== undefined && { simulate: true }) };
}

function paths(given: readonly string[]): string[] {
  return [...new Set(given.map((path) => resolve(path)))];
}

export function workingFolder(given: string | undefined): string {
  const folder = resolve(given ?? ".");
  if (isFolder(folder)) return folder;
  throw new UsageError(`--cwd ${JSON.stringify(given)} is no folder`, "name a folder that exists");
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** Refuses a session id that is no UUID: its hooks would not be found, and nobody would know. */
export function refuseNoUuid(given: string | undefined): void {
  if (given === undefined || isSessionUuid(given)) return;
  throw new UsageError(
    `--session ${JSON.stringify(given)} is no UUID, and only such a session has hooks of its own`,
    "give the whole id, or leave it out",
  );
}

/** A config file that cannot be read or parsed as a whole is bad usage. */
export function refuseBroken(problems: readonly Diagnostic[], values: FlagValues<typeof CONFIG_FLAGS>): void {
  const broken = problems.filter(({ code }) => code === "config-unreadable");
  if (broken.length > 0)
    throw new UsageError(broken.map(({ message }) => message).join("; "), nextOf(broken, values));
}

/** The next step: `check` says more of a file's content. For a file that is not there, the fix is said at once. */
function nextOf(problems: readonly Diagnostic[], values: FlagValues<typeof CONFIG_FLAGS>): string {
  if (problems.some(({ path = "" }) => /:\d+$/.test(path))) return `next: ${nextCommand("check", values)}`;
  const flags = (["config", "plugin"] as const).filter((name) => values[name]).map((name) => `--${name}`);
  const fixes = problems.map(({ fix }) =>
    fix.replace(/^\w/, (letter) => letter.toLowerCase()).replace(/\.$/, ""),
  );
  return [...new Set(fixes)].join("; ").replace("the path", `the path after ${flags.join(" and ")}`);
}

/** The program as people type it where these variables are set: what npm started is not on their PATH. */
export function typedProgram({ npm_command: npm, npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return npm === "exec" || script ? "npx belay" : "belay";
}

/** The program as people type it here. */
export const BELAY = typedProgram(process.env);

/** A sentence of the tables, its commands as they are typed here. */
export function asTyped(sentence: string): string {
  return sentence.replaceAll("`belay ", `\`${BELAY} `);
}

/** Flags by which a command finds its hooks; `check` looks at every session. */
const KEPT = {
  check: Object.keys(CONFIG_FLAGS),
  trust: ["dialect", "session", "cwd"],
  run: Object.keys(EVENT_FLAGS),
  why: Object.keys(EVENT_FLAGS),
  init: ["cwd"],
} as const;

/** A command to type next, with the flags of this one that make it true. */
export function nextCommand(
  name: keyof typeof KEPT,
  values: Readonly<Record<string, unknown>>,
  first = "",
): string {
  return `${readingOwnFiles(values)}${BELAY} ${name}${first && ` ${first}`}${flagsOf(values, KEPT[name])}`;
}

/** Unsets BELAY_DIALECT for a command that is to read Belay's own files. */
export function readingOwnFiles({ dialect }: Readonly<Record<string, unknown>> = {}): string {
  return dialect === undefined && process.env.BELAY_DIALECT ? "BELAY_DIALECT= " : "";
}

/** Flags as they are typed again; what could repaint the screen is shown, not printed. */
export function flagsOf(values: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  return names
    .flatMap((name) => [values[name] ?? []].flat().map((value) => flagText(name, String(value))))
    .join("");
}

export function flagText(
  name: string,
  value: string,
  quoted = (text: string) => shellWord(oneLine(text)),
): string {
  return ` --${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;
}
