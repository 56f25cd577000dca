import { checkConfig } from "@belay/engine/internal";
import { expect } from "vitest";
import type { Scratch } from "./cli.ts";

export interface Report {
  problems: { code: string; severity: string; message: string; fix: string; file?: string; line?: number }[];
  summary: { files: string[]; hooks: number; errors: number; warnings: number; infos: number };
}

export async function check({ belay }: Scratch, ...args: string[]) {
  const { code, stdout, stderr } = await belay(["check", "--json", ...args]);
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Report) };
}

/** What `belay check --config` finds, without a process of its own. */
export async function problemsOf({ project, home, config }: Scratch, hooks: object, cwd = project) {
  return (await checkConfig({ cwd, home, configFiles: [config(hooks)] })).problems;
}

export const run = (command: string, more: object = {}) => ({
  hooks: [{ type: "command", command, ...more }],
});

export const SCRIPT = "#!/bin/sh\nexit 0\n";
