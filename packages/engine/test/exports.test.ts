import * as engine from "@belay/engine";
import * as tools from "@belay/engine/internal";
import { expect, it } from "vitest";

/** What is exported is a promise; nothing is promised by accident. Types are `@belay/core`'s, all of them. */

it("the engine exports what a host needs", () => {
  expect(Object.keys(engine).sort()).toEqual([
    "DEFAULT_LIMITS",
    "DIALECT_NAMES",
    "EVENT_NAMES",
    "UsageError",
    "applyOutcome",
    "areUserPreferences",
    "createEngine",
    "defineHook",
    "guards",
    "hookOutputProcessor",
    "isDialectName",
    "isEventName",
    "isHookBlock",
    "isHookOutputResult",
    "isOutputFor",
    "isPermissionDecision",
    "isWarnBlock",
    "outcomeSchema",
    "replay",
    "runProcess",
  ]);
});

it("nothing is exported twice", () => {
  expect(Object.keys(tools).filter((name) => name in engine)).toEqual([]);
});
