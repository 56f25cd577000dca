import type { Engine, InputSchema } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { sleep } from "./processes.ts";
import { said, says, scratch, settings } from "./scratch.ts";

const rewrites = (updatedInput: object) => ({
  type: "json",
  json: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } },
});

describe("the tool's own schema", () => {
  const schema = (issues: object[] | undefined): InputSchema =>
    ({ "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } }) as unknown as InputSchema;
  const fire = async (toolSchema: InputSchema, hook: object = rewrites({ command: 7 })) => {
    const hooks = await scratch().engineFor("PreToolUse", [hook]);
    return hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }, { toolSchema });
  };

  const misfits: [name: string, schema: InputSchema, detail: RegExp][] = [
    ["with a path", schema([{ message: "not a string", path: ["command"] }]), /command: not a string/],
    ["with a path of objects", schema([{ message: "bad", path: [{ key: "a" }, { key: 0 }] }]), /a\.0: bad/],
    ["without", schema([{ message: "bad" }]), /does not fit the tool: bad/],
    [
      "in a promise",
      { "~standard": { validate: async () => ({ issues: [{ message: "late" }] }) } },
      /does not fit the tool: late/,
    ],
    [
      "that throws",
      {
        "~standard": {
          validate: () => {
            throw new Error("schema is broken");
          },
        },
      },
      /schema is broken/,
    ],
  ];
  it.each(misfits)("a rewrite that does not fit is denied: %s", async (_name, toolSchema, detail) => {
    const outcome = await fire(toolSchema);
    expect(outcome).toMatchObject({ blocked: true, decision: { kind: "deny" }, action: "block-tool" });
    expect(outcome).not.toHaveProperty("updatedInput");
    expect(outcome.decision.reason).toMatch(detail);
    expect(said(outcome, "agent").join()).toMatch(detail);
  });

  it("one that fits is kept, and nothing is asked of a schema without a rewrite", async () => {
    expect((await fire(schema(undefined))).updatedInput).toEqual({ command: 7 });
    expect((await fire(schema([{ message: "never asked" }]), says("x"))).blocked).toBe(false);
  });
});

describe("a schema that never comes to an end", () => {
  const endless: InputSchema = { "~standard": { validate: () => new Promise(() => {}) } };
  const rows: [name: string, end: (engine: Engine, abort: AbortController) => unknown][] = [
    ["an abort", (_engine, abort) => abort.abort()],
    ["close()", (engine) => engine.close()],
  ];
  it.each(rows)("holds no event back after %s, and lets nothing through", async (_name, end) => {
    const { write, engine } = scratch();
    const hooks = await engine({
      configFiles: [write("hooks.json", settings("PreToolUse", rewrites({ v: 1 })))],
    });
    const abort = new AbortController();
    const call = { tool_name: "Bash", tool_input: { v: 0 } };
    const fired = hooks.fire("PreToolUse", call, { toolSchema: endless, signal: abort.signal });
    await sleep(100);
    await end(hooks, abort);
    await expect(fired).rejects.toMatchObject({ name: "AbortError" });
  });
});
