import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { BIN, type Scratch, scratch } from "./cli.ts";

/** A command that goes on until it is interrupted, and what it has printed so far. */
function start({ project, home }: Scratch, args: readonly string[]) {
  const env = { ...process.env, HOME: home, COLUMNS: "150", NO_COLOR: "1" };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    text: () => text,
    printed: (pattern: RegExp) => vi.waitFor(() => expect(text).toMatch(pattern), { timeout: 15_000 }),
    interrupt: () => {
      child.kill("SIGINT");
      return exit;
    },
  };
}

describe("--watch", () => {
  const WATCHES: readonly [command: string, args: readonly string[], before: RegExp, after: RegExp][] = [
    ["try", ["a.sh", "Stop"], /go on/, /block by a\.sh: no/],
    ["test", [], /1 passed/, /1 failed/],
  ];
  it.each(WATCHES)("%s runs again when the script is saved", async (command, args, before, after) => {
    const project = scratch();
    const script = project.file("a.sh", `#!/bin/sh\nexit 0\n`, 0o755);
    project.file(
      "a.hooks.yaml",
      "hook: a.sh\ncases: [{ name: a, event: Stop, expect: { decision: none } }]\n",
    );
    const watching = start(project, [command, ...args, "--watch"]);
    await watching.printed(/watching \d+ files?/);
    expect(watching.text()).toMatch(before);
    writeFileSync(script, `#!/bin/sh\necho no >&2; exit 2\n`);
    await watching.printed(after);
    expect(await watching.interrupt()).toBe(130);
  });
});
