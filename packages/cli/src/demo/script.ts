import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "@belay/agent";

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

/** The demo: its hooks, the files of its project, and its steps. */
export interface Script {
  /** The names of the example hooks, in configured order. */
  readonly hooks: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A scratch folder for the demo: a project with the hooks and files in it, and a home. */
export interface DemoFolder {
  readonly project: string;
  readonly home: string;
  readonly configFiles: readonly string[];
  /** Removes the whole folder. */
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
