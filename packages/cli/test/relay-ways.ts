import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { BIN, PLAIN, type Result, type Scratch, start } from "./cli.ts";

interface Options {
  readonly input: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export type Relay = (args: readonly string[], options: Options) => Promise<Result>;

export const scriptOf = ({ home }: Scratch) => join(home, ".belay/bin/belay-hook");

/** The script as an agent calls it, under this shell. */
export const viaScript =
  (scratch: Scratch, shell = "sh"): Relay =>
  (args, options) =>
    start(shell, [scriptOf(scratch), ...args], { cwd: scratch.project, home: scratch.home, ...options });

/** `belay daemon --serve` for this home, until the test ends. */
export async function serving(scratch: Scratch, env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [BIN, "daemon", "--serve"], {
    cwd: scratch.home,
    env: { ...process.env, ...PLAIN, HOME: scratch.home, ...env },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect
    .poll(async () => (await scratch.belay(["daemon", "status"])).stdout, { timeout: 20_000 })
    .toContain(`process ${child.pid}`);
  return child;
}

/** Resolves when a process has ended. */
export const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()));

/** The same payload is another call then, not the same one that comes twice. */
export function forgetCalls({ home }: Scratch): void {
  rmSync(join(home, ".belay/relay"), { recursive: true, force: true });
}

/** The three ways of one call, with what each answers. */
export async function threeWays(scratch: Scratch, args: readonly string[], options: Options) {
  const direct = await scratch.belay(["hook", ...args], options);
  const child = await serving(scratch);
  forgetCalls(scratch);
  const resident = await viaScript(scratch)(args, options);
  expect((await scratch.belay(["daemon", "status"])).stdout).toContain("events    1");
  child.kill("SIGKILL");
  await gone(child);
  await start("chmod", ["0755", join(scratch.home, ".belay/run")], { cwd: scratch.home, home: scratch.home });
  forgetCalls(scratch);
  const oneShot = await viaScript(scratch)(args, options);
  return { direct, oneShot, resident };
}

export async function records(scratch: Scratch): Promise<Record<string, unknown>[]> {
  const { stdout } = await scratch.belay(["tail", "--json"]);
  return stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
