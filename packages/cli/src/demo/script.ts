import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "@belay/agent";
import { BELAY } from "../args/flags.ts";
import type { Io } from "../io.ts";
import { hang, paintFor, width, wrap } from "../render/text.ts";

/** One step of the demo, as examples/session.json tells it. */
export interface Step {
  /** The kinds of answer that the step shows: allow, deny, blocked prompt … */
  readonly shows: readonly string[];
  readonly story: string;
  /** What the user says. Absent where hooks act without a prompt. */
  readonly prompt?: string;
  /** The answers to the questions of this step, in their order, where no person answers. */
  readonly answers?: readonly Answer[];
}

export interface Script {
  /** The names of the example hooks, in configured order. */
  readonly hooks: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface DemoFolder {
  readonly project: string;
  readonly home: string;
  readonly configFiles: readonly string[];
  remove(): void;
}

/** The build copies the examples here (scripts/build.mjs): the demo plays the very files people read. */
const DEMO = fileURLToPath(new URL("./demo", import.meta.url));

export async function readScript(): Promise<Script> {
  return JSON.parse(await readFile(join(DEMO, "session.json"), "utf8")) as Script;
}

export async function makeDemoFolder({ hooks, files }: Script): Promise<DemoFolder> {
  const root = await mkdtemp(join(tmpdir(), "belay-demo-"));
  const sweep = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  // Whatever ends the process, nothing stays behind.
  process.once("exit", sweep);
  const remove = () => {
    sweep();
    process.off("exit", sweep);
  };
  try {
    const [project, home] = [join(root, "project"), join(root, "home")];
    await mkdir(project);
    await mkdir(home);
    const configFiles: string[] = [];
    for (const name of hooks) configFiles.push(await install(name, project));
    await writeFiles(project, files);
    setEnvironment(home);
    return { project, home, configFiles, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Puts an example's files into the project; its config gets a name of its own. */
async function install(name: string, project: string): Promise<string> {
  let config = "";
  for (const file of await readdir(join(DEMO, name))) {
    const isConfig = file.startsWith("hooks.json");
    const target = join(project, isConfig ? `${name}.${file}` : file);
    if (isConfig) config = target;
    await cp(join(DEMO, name, file), target);
  }
  return config;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/**
 * Hooks and tools take their environment from this process, which does nothing else. The story has a user, so hooks must
 * not take it for an unattended run; `node` is the one that runs us.
 */
function setEnvironment(home: string): void {
  const { env } = process;
  delete env.CI;
  delete env.NODE_OPTIONS;
  env.PATH = `${dirname(process.execPath)}${delimiter}${env.PATH ?? ""}`;
  env.HOME = home;
  env.USERPROFILE = home;
}

const MAX_COLUMNS = 100;

export function renderOpening({ steps, hooks }: Script, io: Io): string {
  const text = `A coding session in ${steps.length} steps: a real agent, ${hooks.length} real hooks, and a model that follows simple sentences without a network. It all happens in a scratch folder. File edits are accepted; commands are asked about.`;
  return `${[...wrap(paintFor(io).bold("belay demo"), room(io)), ...wrap(text, room(io))].join("\n")}\n`;
}

/** "4/9  blocked stop" */
export function titleOf({ shows }: Step, index: number, total: number): string {
  return `${index + 1}/${total}  ${shows.join(", ")}`;
}

export function renderStep(step: Step, index: number, total: number, io: Io): string {
  const paint = paintFor(io);
  const columns = room(io);
  const title = titleOf(step, index, total);
  const left = columns - width(title) - 1;
  const rule = left > 0 ? ` ${paint.dim("━".repeat(left))}` : "";
  const head = wrap(paint.bold(title), columns);
  return `\n${[head.join("\n") + rule, ...wrap(step.story, columns)].join("\n")}\n\n`;
}

export function renderClosing({ hooks }: Script, io: Io): string {
  const text = `The ${hooks.length} hooks are a few lines long each: read them under examples/. The scratch folder is gone again.`;
  const next = [
    `${BELAY} init          a first hook of your own, in a minute`,
    `${BELAY} chat          this agent, with your hooks, in your folder`,
    `${BELAY} run --help    fire any event at your hooks`,
  ];
  const paint = paintFor(io);
  return `\n${[...wrap(text, room(io)), "", paint.bold("Next"), ...next.flatMap((line) => hang("  ", line, room(io)))].join("\n")}\n`;
}

/** Long lines are hard to read, however wide the terminal is. */
export function room(io: Io): number {
  return Math.min(io.columns, MAX_COLUMNS);
}
