import { chmodSync, mkdirSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Hook } from "@belay/core";
import { whatRuns } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import {
  configLoader,
  fileInTheWay,
  findProject,
  homeFolder,
  shownPath,
  statOf,
} from "@belay/engine/internal";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import {
  BELAY,
  CONFIG_FLAGS,
  flagsOf,
  nextCommand,
  readingOwnFiles,
  refuseBroken,
  workingFolder,
} from "../args/flags.ts";
import {
  ENTRY,
  EXAMPLE_EVENT,
  EXAMPLE_TOOL,
  GUARD,
  GUARD_TEXT,
  SETTINGS,
  SETTINGS_TEXT,
} from "../hooks/first-hook.ts";
import { listHooks, trustListed } from "../hooks/listed.ts";
import type { Io } from "../io.ts";
import { commandLines, hang, oneLine, paintFor, wrap } from "../render/text.ts";

const USAGE = "belay init [--agent AGENT] [--yes] [--cwd DIR]";
const FLAGS = {
  agent: { type: "string", value: "AGENT", help: "make it run in this agent too: claude-code, codex, …" },
  yes: { type: "boolean", help: "write into the agent's settings without asking" },
  cwd: { ...CONFIG_FLAGS.cwd, help: "the project, or a folder in it" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Writes a first config and a first hook that works, and trusts exactly these two. Overwrites nothing. With --agent it goes on as `belay install` does.",
  flags: FLAGS,
  examples: ["belay init", "belay init --agent claude-code", "belay init --cwd ../other-project"],
  run: init,
};

async function init(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `next: ${nextCommand("init", { cwd: positionals[0] })}`);
  const cwd = workingFolder(values.cwd);
  const project = findProject(cwd);
  if (project === homeFolder()) {
    throw new UsageError(
      "your home folder is no project: hooks in ~/.belay are yours, for every project",
      `next: ${BELAY} init --cwd DIR`,
    );
  }
  const agent = values.agent === undefined ? undefined : await projectAgent(values.agent);
  const again = nextCommand("init", values);
  const place = { file: join(project, SETTINGS.file), layer: "project", required: true } as const;
  for (const { file } of [SETTINGS, GUARD]) refuseOther(join(project, file), project, again);
  if (statOf(place.file)) refuseBroken((await configLoader().load([place])).fresh, values);
  const wrote = {
    settings: writeNew(join(project, SETTINGS.file), SETTINGS_TEXT, SETTINGS.mode, again),
    guard: writeNew(join(project, GUARD.file), GUARD_TEXT, GUARD.mode, again),
  };
  const { hooks, configs } = await configLoader().load([place]);
  if (wrote.settings && wrote.guard) trustOwn(hooks, project, cwd);
  const isUsed = hooks.some(({ handler }) => whatRuns(handler).includes(GUARD.file));
  const isUnused = configs.length > 0 && !isUsed;
  io.out(report(project, cwd, values.cwd, { ...wrote, isUnused }, io));
  if (agent === undefined) return 0;
  io.out("\n");
  const { command: install } = await import("./install.ts");
  const where = values.cwd === undefined ? [] : [`--cwd=${values.cwd}`];
  return install.run([agent, ...where, ...(values.yes ? ["--yes"] : [])], io);
}

/** An agent that has a file for a project's hooks. */
async function projectAgent(name: string): Promise<string> {
  const { agentNamed } = await import("../as/agents.ts");
  const { title, settings } = agentNamed(name);
  if (settings.project !== undefined) return name;
  throw new UsageError(
    `${title} has no file for a project's hooks`,
    `next: ${BELAY} init, then: ${BELAY} install ${name} --user`,
  );
}

/** What is there and is no plain file. Said before anything is written, or read: a pipe would wait for a writer. */
function refuseOther(file: string, project: string, again: string): void {
  const stat = statOf(file);
  if (stat === undefined) refuseLink(file, project, again);
  if (stat === undefined || stat.isFile()) return;
  const what = stat.isDirectory() ? "a folder" : "a pipe, socket or device";
  throw new UsageError(`${file} is ${what}, where a file is expected`, `move it away, then: ${again}`);
}

/** A link to nothing, at the file or on the way to it: not to be written through, and no file that was there. */
function refuseLink(file: string, project: string, again: string): void {
  for (let path = file; path !== project; path = dirname(path)) {
    if (statOf(path) === undefined && isLink(path))
      throw new UsageError(`${path} is a link to what is not there`, `move it away, then: ${again}`);
  }
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

/** False when a file of that name is there: it is kept, whatever is in it. */
function writeNew(file: string, text: string, mode: number, again: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx", mode });
    chmodSync(file, mode);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) return false;
    const obstacle = fileInTheWay(file);
    if (obstacle !== undefined)
      throw new UsageError(
        `${obstacle} is a file where a folder is expected`,
        `move it away, then: ${again}`,
      );
    throw new UsageError(`${file} cannot be written: ${message}`, `make its folder writable, then: ${again}`);
  }
}

function trustOwn(hooks: readonly Hook[], project: string, cwd: string): void {
  const folders = { project, cwd, home: homeFolder() };
  trustListed(folders, listHooks(hooks, folders));
}

interface Done {
  readonly settings: boolean;
  readonly guard: boolean;
  /** The settings can be read, and nothing in them runs the hook. */
  readonly isUnused: boolean;
}

function report(project: string, cwd: string, given: string | undefined, done: Done, io: Io): string {
  const paint = paintFor(io);
  const show = (file: string) => oneLine(shownPath(join(project, file), cwd));
  const line = ({ file, what }: typeof SETTINGS, isNew: boolean) =>
    isNew
      ? hang(`${paint.green("wrote")}  `, `${show(file)}  ${paint.dim(what)}`, io.columns)
      : hang(`${paint.yellow("kept")}   `, `${show(file)}  ${paint.dim("it was there")}`, io.columns);
  const at = flagsOf({ cwd: given }, ["cwd"]);
  return `${[
    ...line(SETTINGS, done.settings),
    ...line(GUARD, done.guard),
    "",
    ...nextLines(done, at, io.columns),
  ].join("\n")}\n`;
}

function nextLines({ settings, guard, isUnused }: Done, at: string, columns: number): string[] {
  const run = (command: string) =>
    commandLines(
      `${readingOwnFiles()}${BELAY} run ${EXAMPLE_EVENT} --tool ${EXAMPLE_TOOL} --tool-input '${JSON.stringify({ command })}'${at}`,
      columns,
    );
  if (settings && guard) {
    return [
      ...wrap("The hook is trusted as it was written, and nothing else is; an edit asks again.", columns),
      "",
      ...wrap("See it refuse (exit 2), and let go (exit 0):", columns),
      ...run("rm -rf /"),
      ...run("ls"),
      "",
      ...wrap(`Then change ${GUARD.file}, and: ${readingOwnFiles()}${BELAY} trust${at}`, columns),
    ];
  }
  if (isUnused) {
    return [
      ...wrap(
        `To use the hook, put this into "hooks": { "${EXAMPLE_EVENT}": [ … ] } of the settings:`,
        columns,
      ),
      `  ${JSON.stringify(ENTRY)}`,
      ...wrap(`and then: ${readingOwnFiles()}${BELAY} trust${at}`, columns),
    ];
  }
  const next = ["check", "trust"].flatMap((name) =>
    commandLines(`${readingOwnFiles()}${BELAY} ${name}${at}`, columns),
  );
  return ["Nothing was trusted. Next:", ...next];
}
