import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DEFAULT_DIALECT, EVENTS, readConfig, ruleFor } from "@belay/core";
import { matchedValue } from "@belay/core/internal";
import { outcomeOf } from "./consequence.mjs";
import { fence } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */

/** A config and the command that shows it firing; the docs test runs both. @param {EventName} event */
export function example(event) {
  const { entry, expect, after, exit } = exampleHook(event);
  const value = matchedValue(event, EVENTS[event].sample);
  const group = { ...(value !== undefined && { matcher: value }), hooks: [entry] };
  const script = [
    "cat > hooks.json <<'EOF'",
    JSON.stringify({ hooks: { [event]: [group] } }, null, 2),
    "EOF",
    `belay run ${event} --config hooks.json`,
    ...after,
    ...(exit === 0 ? [] : [`# exit ${exit}`]),
  ];
  return `${fence("sh run", script.join("\n"))}\n\nAmong what it prints:\n\n${fence("text output", expect.join("\n"))}`;
}

/** The strongest thing the event can do, in one line of shell. @param {EventName} event */
function exampleHook(event) {
  const { refusal, context } = ruleFor(event, DEFAULT_DIALECT);
  if (refusal) {
    const { messages } = outcomeOf(event, DEFAULT_DIALECT, { exitCode: 2, stderr: "Not now" });
    const command = "echo 'Not now' >&2; exit 2";
    return {
      entry: { name: "example", type: "command", command },
      expect: messages.map((m) => m.block.content),
      after: [],
      exit: 2,
    };
  }
  if (context === "agent") {
    const json = { hookSpecificOutput: { hookEventName: event, additionalContext: "The branch is main" } };
    const { messages } = outcomeOf(event, DEFAULT_DIALECT, { exitCode: 0, stdout: JSON.stringify(json) });
    return {
      entry: { name: "example", type: "json", json },
      expect: messages.map((m) => m.block.content),
      after: [],
      exit: 0,
    };
  }
  const seen = `"hook_event_name":"${event}"`;
  const entry = { name: "example", type: "command", command: "cat >> seen.jsonl" };
  return { entry, expect: [seen], after: [`grep -o '${seen}' seen.jsonl`], exit: 0 };
}

/** The folders of examples/ that have a hook for this event. @param {EventName} event @returns {string[]} */
export function moreExamples(event) {
  const names = existsSync("examples") ? readdirSync("examples").sort() : [];
  const using = names.filter((name) => {
    const file = `examples/${name}/hooks.json`;
    if (!existsSync(file)) return false;
    const { hooks } = readConfig({ file, layer: "config", text: readFileSync(file, "utf8") });
    return hooks.some((hook) => hook.event === event);
  });
  if (using.length === 0) return [];
  return [
    `More, each with its cases: ${using.map((name) => `[${name}](../../examples/${name})`).join(" ·\n")}`,
  ];
}
