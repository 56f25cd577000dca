import {
  areUserPreferences,
  EVENT_NAMES,
  type EventName,
  guards,
  isHookBlock,
  isHookOutputResult,
  isOutputFor,
  isPermissionDecision,
  isWarnBlock,
} from "@belay/core";
import { describe, expect, it } from "vitest";

const RESULT = { exitCode: 0, stdout: "", stderr: "", executionTime: 0, hookEvent: "Stop" };

const RESULTS: [title: string, value: unknown, sound: boolean][] = [
  ["the least there is", RESULT, true],
  ["the highest exit code", { ...RESULT, exitCode: 255 }, true],
  ["an exit code too high", { ...RESULT, exitCode: 256 }, false],
  ["half an exit code", { ...RESULT, exitCode: 0.5 }, false],
  ["no exit code", { ...RESULT, exitCode: undefined }, false],
  ["stderr that is no text", { ...RESULT, stderr: 1 }, false],
  ["negative time", { ...RESULT, executionTime: -1 }, false],
  ["time without end", { ...RESULT, executionTime: Number.POSITIVE_INFINITY }, false],
  ["an unknown event", { ...RESULT, hookEvent: "Start" }, false],
  ["null", null, false],
];

describe("isHookOutputResult", () => {
  it.each(RESULTS)("%s", (_, value, sound) => expect(isHookOutputResult(value)).toBe(sound));
});

const SAID = { type: "hook", hookEvent: "Stop", content: "h" };
const BLOCKS: [title: string, value: unknown, warn: boolean, hook: boolean][] = [
  ["a warning", { type: "warn", content: "w" }, true, false],
  ["a warning of spaces", { type: "warn", content: "  " }, false, false],
  ["a warning that is no text", { type: "warn", content: 1 }, false, false],
  ["a hook block", SAID, false, true],
  ["a hook block with metadata", { ...SAID, metadata: { a: 1 } }, false, true],
  ["a hook block without words", { ...SAID, content: "" }, false, false],
  ["a hook block of no event", { type: "hook", content: "h" }, false, false],
  ["a hook block of an unknown event", { ...SAID, hookEvent: "toString" }, false, false],
  ["a hook block with a list for metadata", { ...SAID, metadata: [] }, false, false],
  ["a text", { type: "text", content: "t" }, false, false],
  ["null", null, false, false],
];

describe("isWarnBlock and isHookBlock", () => {
  it.each(BLOCKS)("%s", (_, value, warn, hook) =>
    expect([isWarnBlock(value), isHookBlock(value)]).toEqual([warn, hook]),
  );
});

const ALLOW = { decision: "allow", toolName: "Bash", timestamp: 1, shouldContinueRecursion: true };
const DECISIONS: [title: string, value: unknown, sound: boolean][] = [
  ["an allow", ALLOW, true],
  ["a deny with words", { ...ALLOW, decision: "deny", shouldContinueRecursion: false, reason: "r" }, true],
  ["an allow that is remembered", { ...ALLOW, remember: "session" }, true],
  ["another word", { ...ALLOW, decision: "Deny", shouldContinueRecursion: false }, false],
  ["an allow that ends the turn", { ...ALLOW, shouldContinueRecursion: false }, false],
  ["a deny that goes on", { ...ALLOW, decision: "deny" }, false],
  ["no tool", { ...ALLOW, toolName: undefined }, false],
  ["a time that is no number", { ...ALLOW, timestamp: Number.NaN }, false],
  ["a time before 1970", { ...ALLOW, timestamp: -1 }, false],
  ["a time that no date has", { ...ALLOW, timestamp: 8.64e15 + 1 }, false],
  ["a reason that is no text", { ...ALLOW, reason: 1 }, false],
  ["null", null, false],
];

describe("isPermissionDecision", () => {
  it.each(DECISIONS)("%s", (_, value, sound) => expect(isPermissionDecision(value)).toBe(sound));
});

const OUTPUTS: [event: EventName, fields: object, sound: boolean][] = [
  ["PreToolUse", {}, true],
  ["PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "r", updatedInput: { a: 1 } }, true],
  ["PreToolUse", { permissionDecision: "maybe" }, false],
  ["PreToolUse", { permissionDecision: "defer" }, true],
  ["PostToolUse", { updatedToolOutput: { stdout: "" } }, true],
  ["SessionStart", { watchPaths: "/a" }, false],
  ["PreToolUse", { updatedInput: [] }, false],
  ["PreToolUse", { permissionDecisionReason: 7 }, false],
  ["PostToolUse", { decision: "block", reason: "r", additionalContext: "c" }, true],
  ["PostToolUse", { decision: "block" }, false],
  ["PostToolUse", { decision: "block", reason: " \n" }, false],
  ["PostToolUse", { reason: "" }, true],
  ["PostToolUse", { decision: "deny" }, false],
  ["PostToolUse", { decision: "approve" }, false],
  ["UserPromptSubmit", { decision: "block", reason: "r", updatedPrompt: "p" }, true],
  ["UserPromptSubmit", { additionalContext: 1 }, false],
  ["Stop", { decision: "approve" }, true],
  ["Stop", { decision: "block", reason: "r" }, true],
  ["Stop", { decision: {} }, false],
  ["PermissionRequest", { decision: { behavior: "deny", message: "m", interrupt: true } }, true],
  ["PermissionRequest", { decision: "block" }, false],
  ["PermissionRequest", { permissionDecision: "allow" }, true],
  ["SessionStart", { additionalContext: "c" }, true],
  ["SessionStart", { permissionDecision: "deny" }, false],
  ["Notification", { additionalContext: "c" }, false],
  ["PreCompact", { decision: "block", reason: "r" }, true],
  ["PreToolUse", { decision: "block" }, false],
  ["PreToolUse", { unknown: 1 }, true],
];

describe("the guard of an event", () => {
  it.each(OUTPUTS)("%s %j: %s", (event, fields, sound) => {
    const value = { hookEventName: event, ...fields };
    expect([isOutputFor(event, value), guards[event](value)]).toEqual([sound, sound]);
  });

  it.each(EVENT_NAMES)("knows %s from every other event", (event) => {
    const sound = EVENT_NAMES.filter((other) => guards[other]({ hookEventName: event }));
    expect(sound).toEqual([event]);
    expect([null, undefined, "x", 1, [], {}].filter((value) => guards[event](value))).toEqual([]);
  });
});

const PREFERENCES: [value: unknown, sound: boolean][] = [
  [{}, true],
  [{ showHookOutput: "all" }, true],
  [{ showHookOutput: "decisions", notify: false, historyMinutes: 60 }, true],
  [{ showHookOutput: "some" }, false],
  [{ notify: "yes" }, false],
  [{ historyMinutes: 1 }, true],
  [{ historyMinutes: 1440 }, true],
  [{ historyMinutes: 0 }, false],
  [{ historyMinutes: 1441 }, false],
  [{ historyMinutes: 1.5 }, false],
  [{ theme: "dark" }, false],
  [null, false],
  [[], false],
];

describe("areUserPreferences", () => {
  it.each(PREFERENCES)("%j: %s", (value, sound) => expect(areUserPreferences(value)).toBe(sound));
});
