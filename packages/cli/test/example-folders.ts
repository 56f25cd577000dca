import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const BELAY = fileURLToPath(new URL("../bin/belay.js", import.meta.url));

/** What a case expects. Messages are "type hook: content"; … in a text stands for anything. */
interface Expected {
  readonly exit: number;
  readonly kind: string;
  readonly action: string;
  readonly user: readonly string[];
  readonly agent: readonly string[];
  readonly diagnostics?: readonly string[];
  readonly interrupt?: true;
  readonly updatedInput?: object;
  readonly updatedPrompt?: string;
  /** Files afterwards. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the example's own server printed. */
  readonly server?: string;
}

export interface Case {
  readonly case: string;
  /** A shell line; the first one of an example is the Try line of its header. */
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly expect: Expected;
}

export interface Example {
  readonly name: string;
  readonly files: readonly string[];
  /** The file with the header, and its three lines. */
  readonly main: string;
  readonly what: string;
  readonly tryLine: string;
  readonly expectLine: string;
  readonly config: string;
  readonly server?: string;
  readonly cases: readonly Case[];
}

export function exampleNames(): string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const HEADER = /^(?:#|\/\/) ([\w-]+): (.+)\n(?:#|\/\/) Try: (.+)\n(?:#|\/\/) Expect: (.+)\n/;

export function readExample(name: string): Example {
  const folder = join(EXAMPLES, name);
  const files = readdirSync(folder).sort();
  const headers = files.flatMap((file) => {
    const [, title, what = "", tryLine = "", expectLine = ""] =
      HEADER.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    return title === name ? [{ main: file, what, tryLine, expectLine }] : [];
  });
  const [header] = headers;
  if (!header || headers.length > 1)
    throw new Error(`examples/${name}: exactly one file begins with "${name}: …", Try and Expect`);
  const config = files.find((file) => /^hooks\.jsonc?$/.test(file));
  if (!config) throw new Error(`examples/${name}: there is no hooks.json`);
  if (!files.includes("case.json")) throw new Error(`examples/${name}: there is no case.json`);
  const data = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Pick<
    Example,
    "cases" | "server"
  >;
  return { name, files, config, ...header, ...data };
}

/** A copy of an example in a folder of its own, with a home of its own; everything is gone at the end. */
export async function inScratch<T>(
  example: Example,
  use: (scratch: { cwd: string; env: NodeJS.ProcessEnv }) => Promise<T>,
): Promise<T> {
  const root = realpathSync(await mkdtemp(join(tmpdir(), "belay-example-")));
  const cwd = join(root, "project");
  const bin = join(root, "bin");
  try {
    await cp(join(EXAMPLES, example.name), cwd, { recursive: true });
    await rm(join(cwd, "case.json"));
    await mkdir(bin);
    await mkdir(join(root, "home"));
    await writeFile(join(bin, "belay"), `#!/bin/sh\nexec "${process.execPath}" "${BELAY}" "$@"\n`);
    await chmod(join(bin, "belay"), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: join(root, "home") };
    return await use({ cwd, env });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export async function prepare(cwd: string, { files = {}, remove = [] }: Case): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  for (const name of remove) await rm(join(cwd, name));
}

export async function shell(
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await exit, stdout, stderr };
}

export interface Server {
  readonly port: number;
  /** What it has printed since it listens. */
  printed(): string;
  close(): Promise<void>;
}

/** Starts an example's own server on a free port. */
export async function startServer(file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [file, "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines: string[] = [];
  const first = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${file} ended before it listened`)));
    const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    reader.once("line", (line) => {
      resolve(line);
      reader.on("line", (later) => lines.push(`${later}\n`));
    });
  });
  return {
    port: Number(/"port":(\d+)/.exec(first)?.[1]),
    printed: () => lines.join(""),
    close: () => {
      child.kill();
      return ended;
    },
  };
}

/** Points the config of a copied example at the server's port. */
export async function putPort(config: string, port: number): Promise<void> {
  const before = readFileSync(config, "utf8");
  const after = before.replace(/(127\.0\.0\.1):\d+/, `$1:${port}`);
  if (after === before) throw new Error(`${config} names no port on loopback`);
  await writeFile(config, after);
}

export function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
