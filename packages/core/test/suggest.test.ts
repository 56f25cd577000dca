import { EVENT_NAMES } from "@belay/core";
import { didYouMean, nearest } from "@belay/core/internal";
import { describe, expect, it } from "vitest";

const FIELDS = ["permissionDecision", "permissionDecisionReason", "systemMessage", "reason", "continue"];

const ROWS: [name: string, known: readonly string[], guess: string | undefined][] = [
  ["PreToolUse", EVENT_NAMES, "PreToolUse"],
  ["pretooluse", EVENT_NAMES, "PreToolUse"],
  ["pre_tool_use", EVENT_NAMES, "PreToolUse"],
  ["PreTooUse", EVENT_NAMES, "PreToolUse"],
  ["OnStop", EVENT_NAMES, "Stop"],
  ["permisionDecision", FIELDS, "permissionDecision"],
  ["system_message", FIELDS, "systemMessage"],
  ["raeson", FIELDS, "reason"],
  ["cotninue", FIELDS, "continue"],
  ["xyz", FIELDS, undefined],
  ["", FIELDS, undefined],
  ["toString", FIELDS, undefined],
  ["__proto__", FIELDS, undefined],
  ["reason".repeat(50), FIELDS, undefined],
  ["reason", [], undefined],
];

describe("nearest", () => {
  it.each(ROWS)("%j", (name, known, guess) => {
    expect(nearest(name, known)).toBe(guess);
    expect(didYouMean(name, known)).toBe(guess === undefined ? "" : ` (did you mean ${guess}?)`);
  });
});
