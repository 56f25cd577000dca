import { EVENT_NAMES, explain, loadPatternEngine, match, readConfig } from "@belay/core";
import { describe, expect, it } from "vitest";

const patterns = await loadPatternEngine();

const run = (name: string, more: object = {}) => ({ type: "command", command: "true", name, ...more });
const group = (matcher: string | undefined, ...hooks: object[]) => ({
  ...(matcher !== undefined && { matcher }),
  hooks,
});

function hooksOf(events: object) {
  return readConfig({ file: "s.json", layer: "user", text: JSON.stringify({ hooks: events }) }, patterns)
    .hooks;
}

const HOOKS = hooksOf({
  PreToolUse: [
    group(undefined, run("always")),
    group("Bash", run("bash"), run("off", { enabled: false })),
    group("bash", run("lower")),
    group("Edit.*", run("edits")),
    group("Bash", run("bash")),
  ],
  Stop: [group("ignored", run("stops"))],
  SubagentStop: [group("Explore", run("explores"))],
});

const PLACES: [
  event: "PreToolUse" | "Stop" | "SubagentStop",
  payload: Record<string, unknown>,
  fires: string[],
][] = [
  ["PreToolUse", { tool_name: "Bash" }, ["always", "bash"]],
  ["PreToolUse", { tool_name: "MultiEdit" }, ["always", "edits"]],
  ["PreToolUse", { tool_name: "Read" }, ["always"]],
  ["PreToolUse", {}, ["always"]],
  ["PreToolUse", { tool_name: 7 }, ["always"]],
  ["PreToolUse", { tool_name: "" }, ["always"]],
  ["Stop", {}, ["stops"]],
  ["Stop", { tool_name: "Bash" }, ["stops"]],
  ["SubagentStop", { agent_type: "Explore" }, ["explores"]],
  ["SubagentStop", { agent_type: "Plan" }, []],
];

describe("match", () => {
  it.each(PLACES)("%s %j fires %j", (event, payload, fires) => {
    expect(match(HOOKS, event, payload).map(({ name }) => name)).toEqual(fires);
  });

  it.each(EVENT_NAMES)("agrees with explain on %s", (event) => {
    const payload = { tool_name: "Bash", agent_type: "Explore" };
    const explained = explain(HOOKS, event, payload).filter(({ fires }) => fires);
    expect(explained.map(({ hook }) => hook)).toEqual(match(HOOKS, event, payload));
  });

  it("runs a handler once that is configured in several places, and two that differ in any field twice", () => {
    const twice = hooksOf({
      PreToolUse: [
        group("", { type: "command", command: "a", timeout: 5 }),
        group("Bash", { timeout: 5, command: "a", type: "command" }),
        group("Bash", { type: "command", command: "a", timeout: 6 }),
      ],
    });
    expect(match(twice, "PreToolUse", { tool_name: "Bash" }).map(({ timeoutMs }) => timeoutMs)).toEqual([
      5000, 6000,
    ]);
  });
});

describe("explain", () => {
  it("says of every hook why it fires or does not", () => {
    const said = explain(HOOKS, "PreToolUse", { tool_name: "Bash" });
    expect(said.map(({ hook, because, explanation }) => [hook.name, because, explanation])).toEqual([
      ["always", "fires", "no matcher: every time"],
      ["bash", "fires", '"Bash" matches tool_name "Bash"'],
      ["off", "disabled", "enabled is false"],
      ["lower", "matcher", 'tool_name "Bash" is none of "bash" (names are case-sensitive)'],
      ["edits", "matcher", 'tool_name "Bash" is not matched by the pattern "Edit.*"'],
      ["bash", "duplicate", "the same handler is configured earlier and runs once"],
      ["stops", "other-event", "it waits for Stop"],
      ["explores", "other-event", "it waits for SubagentStop"],
    ]);
  });

  it.each([
    ["PreToolUse", undefined, "no matcher: every time"],
    ["PreToolUse", "", "no matcher: every time"],
    ["PreToolUse", "*", '"*": every time'],
    ["UserPromptSubmit", "*", '"*": every time'],
  ] as const)("says what %s has that fires every time: %j", (event, matcher, said) => {
    const [one] = explain(hooksOf({ [event]: [group(matcher, run("one"))] }), event, { tool_name: "Bash" });
    expect(one?.explanation).toBe(said);
  });

  it("says when the payload lacks what the matcher tests", () => {
    const [, bash] = explain(HOOKS, "PreToolUse", {});
    expect(bash?.explanation).toBe('the payload has no tool_name, so "Bash" cannot match');
  });
});
