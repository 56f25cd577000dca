import { parse, type Run, ruleFor } from "@belay/core";
import { describe, expect, it } from "vitest";
import { WORST_OUTPUTS } from "../../../bench/worst-outputs.mjs";
import { parsesDuring, READING } from "./growth.ts";

const ENDINGS: [title: string, ending: Partial<Run>][] = [
  ["whole", { exitCode: 0 }],
  ["cut", { exitCode: 0, truncated: true, cut: ["stdout"] }],
  ["timed out", { timedOut: true, failure: { kind: "timeout", detail: "after 60 s" } }],
];

describe.each(Object.entries(WORST_OUTPUTS))("100 KB of %s", (_, stdout) => {
  it.each(ENDINGS)("is read in bounded time and with few words: %s", (_, ending) => {
    const run: Run = { stdout, stderr: "", executionTime: 1, timedOut: false, truncated: false, ...ending };
    for (const dialect of ["wave", "session-hooks"] as const) {
      const read = () =>
        parse({ name: "guard", onFailure: "block", mode: "enforce" }, run, ruleFor("PreToolUse", dialect));
      expect(parsesDuring(read)).toBeLessThan(READING);
      expect(read().diagnostics.length).toBeLessThan(60);
    }
  });
});
