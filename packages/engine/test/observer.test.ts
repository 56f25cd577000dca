import type { EngineOptions, HookStep } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { codes, scratch } from "./scratch.ts";

/** onHook: who watches the hooks changes nothing about them. */

const GUARD = { type: "command", command: "exit 2", name: "guard" };

const open = (onHook: NonNullable<EngineOptions["onHook"]>) =>
  scratch().engineFor("PreToolUse", [GUARD], { onHook });

it("is told of each hook's start and end", async () => {
  const steps: HookStep[] = [];
  const hooks = await open((step) => steps.push(step));
  await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  const step = { hook: "guard", event: "PreToolUse" };
  expect(steps).toEqual([
    { phase: "start", ...step },
    { phase: "end", ...step },
  ]);
});

describe("one that fails is told once, and the guard refuses", () => {
  const fail = () => {
    throw new Error("no screen");
  };
  const rows: [name: string, onHook: (step: HookStep) => void][] = [
    ["always", fail],
    ["at the start", ({ phase }) => phase === "start" && fail()],
    ["at the end", ({ phase }) => phase === "end" && fail()],
    ["later", async () => fail()],
  ];
  it.each(rows)("%s", async (_name, onHook) => {
    const hooks = await open(onHook);
    const fire = () => hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    const first = await fire();
    expect([first.decision.kind, codes(first)]).toEqual(["deny", ["observer-failed"]]);
    expect(first.diagnostics[0]?.message).toContain("no screen");
    const second = await fire();
    expect([second.decision.kind, codes(second)]).toEqual(["deny", []]);
  });
});
