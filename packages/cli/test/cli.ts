import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

export const BIN = fileURLToPath(new URL("../bin/belay.js", import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A scratch folder with a home and a project in it. */
export interface Scratch {
  readonly home: string;
  readonly project: string;
  /** Writes a file below the project; returns its path. */
  file(name: string, content: string, mode?: number): string;
  /** Writes a config file with these hooks; returns its path. */
  config(hooks: object, name?: string): string;
  /** A line as it is typed in a shell, and all that it prints. */
  shell(line: string): Promise<string>;
  belay(
    args: readonly string[],
    options?: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string },
  ): Promise<Result>;
}

/** A resident that has just been started may still write there: what came meanwhile is removed too. */
function remove(root: string): void {
  for (let left = 40; ; left -= 1)
    try {
      rmSync(root, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
}

/** Gone when the test ends; with `afterAll`, when the tests of a file or a `describe` have ended. */
export function scratch(atEnd: (remove: () => void) => void = onTestFinished): Scratch {
  const root = mkdtempSync(join(tmpdir(), "belay-cli-"));
  atEnd(() => remove(root));
  const home = join(root, "home");
  const project = join(root, "project");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  const file = (name: string, content: string, mode = 0o644) => {
    const path = join(project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
    return path;
  };
  return {
    home,
    project,
    file,
    config: (hooks, name = "hooks.json") => file(name, JSON.stringify({ hooks })),
    shell: async (line) => {
      const typed = `belay() { "$NODE" "$BIN" "$@"; }; ${line}`;
      const { stdout, stderr } = await start("sh", ["-c", typed], {
        cwd: project,
        home,
        env: { NODE: process.execPath, BIN, COLUMNS: "1000", NO_COLOR: "1" },
      });
      return stdout + stderr;
    },
    belay: (args, options = {}) =>
      start(process.execPath, [BIN, ...args], { cwd: project, home, ...options }),
  };
}

/** As if a person had typed it: hints are for those who type `belay`, and a CI's checkout is none of the scratch folders'. */
export const PLAIN = { npm_command: undefined, npm_lifecycle_event: undefined, GITHUB_WORKSPACE: undefined };

/** A command that goes on, as someone watches it; it ends with the test. */
export function background(
  { home, project }: Scratch,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
) {
  const env = { ...process.env, ...PLAIN, HOME: home, COLUMNS: "150", NO_COLOR: "1", ...more };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { stdout: "", stderr: "", all: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      printed.all += text;
    });
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
  const shows = (said: string | RegExp) => expect.poll(() => printed.all, { timeout: 20_000 }).toMatch(said);
  return { child, printed, ended, shows };
}

/** Runs a real program as its users do. */
export function start(
  program: string,
  args: readonly string[],
  { cwd, home, input, env }: { cwd: string; home: string; input?: string; env?: NodeJS.ProcessEnv },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...PLAIN, HOME: home, ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
