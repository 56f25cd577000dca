import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine, type EventName } from "@belay/engine";

/** One step of the played session, as examples/session.json tells it. */
export interface Step {
  /** The kind of answer it is there for: allow, deny, blocked prompt … */
  readonly shows: string;
  readonly story: string;
  readonly event: EventName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Files that appear in the project before the event. */
  readonly files?: Readonly<Record<string, string>>;
}

interface Session {
  /** The example hooks in force, in configured order. */
  readonly hooks: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A session ready to be played in a folder of its own. */
export interface Stage {
  readonly steps: readonly Step[];
  /** How many hooks are in force. */
  readonly hooks: number;
  readonly engine: Engine;
  /** Puts a step's files in place. */
  prepare(step: Step): Promise<void>;
  /** Ends what runs; nothing of the folder remains. */
  close(): Promise<void>;
}

/** The build copies the examples here (scripts/build.mjs): the demo plays the very files people read. */
const DEMO = fileURLToPath(new URL("./demo", import.meta.url));

export async function openStage(): Promise<Stage> {
  const session = JSON.parse(await readFile(join(DEMO, "session.json"), "utf8")) as Session;
  const root = await mkdtemp(join(tmpdir(), "belay-demo-"));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  // Whatever ends the process, nothing stays behind.
  process.once("exit", remove);
  try {
    const [project, home] = [join(root, "project"), join(root, "home")];
    await mkdir(project);
    await mkdir(home);
    const configFiles: string[] = [];
    for (const name of session.hooks) configFiles.push(await install(name, project));
    await writeFiles(project, session.files);
    const engine = await createEngine({
      cwd: project,
      home,
      configFiles,
      journal: false,
      env: environment(home),
    });
    return {
      steps: session.steps,
      hooks: session.hooks.length,
      engine,
      prepare: ({ files = {} }) => writeFiles(project, files),
      close: async () => {
        await engine.close();
        remove();
        process.off("exit", remove);
      },
    };
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

/** The story has a user, so the hooks must not take it for an unattended run; `node` is the one that runs us. */
function environment(home: string): NodeJS.ProcessEnv {
  const { CI: _ci, NODE_OPTIONS: _options, ...env } = process.env;
  const path = `${dirname(process.execPath)}${delimiter}${env.PATH ?? ""}`;
  return { ...env, PATH: path, HOME: home, USERPROFILE: home };
}
