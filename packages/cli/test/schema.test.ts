import { EVENT_NAMES } from "@belay/core";
import { configSchema, inputSchema, outcomeJsonSchema, outputSchema } from "@belay/core/schema";
import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

describe("schema", () => {
  const rows: [args: string[], expected: object][] = [
    [["PreToolUse", "--input"], inputSchema("PreToolUse")],
    [["PreToolUse", "--output"], outputSchema("PreToolUse")],
    [["--output", "Stop"], outputSchema("Stop")],
    [["Stop"], { input: inputSchema("Stop"), output: outputSchema("Stop") }],
    [["Stop", "--input", "--output"], { input: inputSchema("Stop"), output: outputSchema("Stop") }],
    [["Stop", "--output", "--dialect", "claude-code"], outputSchema("Stop", "claude-code")],
    [["--config"], configSchema()],
    [["--outcome"], outcomeJsonSchema()],
  ];
  test.each(rows)("%j", async (args, expected) => {
    const { code, stdout, stderr } = await scratch().belay(["schema", ...args]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  test("without arguments: every event, and what can be printed", async () => {
    const { code, stdout } = await scratch().belay(["schema"]);
    expect(code).toBe(0);
    for (const name of [...EVENT_NAMES, "--config", "--outcome", "--input"]) expect(stdout).toContain(name);
  });
});
