import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT } from "./docs/pages.ts";

describe("the soak fails when too little was written", () => {
  /** Ends a writer before it has begun, when the condition on its name holds. */
  const ended = (condition: string) => {
    const code = `if(process.argv[2]==='writer'&&${condition})process.exit(3)`;
    return `--import=data:text/javascript,${encodeURIComponent(code)}`;
  };
  const rows = [
    ["by anyone", "true", /writer 0: 0 of 120 .*\n.*writer 1: 0 of 120 /],
    ["by one of the two", "process.argv[4].startsWith('1.')", /writer 1: 0 of 120 /],
  ] as const;
  it.each(rows)("%s", { timeout: 60_000 }, (_name, condition, said) => {
    const { status, stdout } = spawnSync(process.execPath, ["bench/soak.mjs", "--minutes", "0.01"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: ended(condition) },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(said) });
  });
});
