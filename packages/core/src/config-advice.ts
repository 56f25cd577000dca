import type { JSONPath } from "./jsonc.ts";

/** The mistakes people make in a config, with the words to write instead. `[hooks, Event, 0, hooks, 0, field]` is a path. */
export function adviceFor(path: JSONPath, got: unknown): string {
  const field = path.at(-1);
  const shape = SHAPES[path.length];
  if (path[0] === "hooks" && shape !== undefined && field !== "matcher" && field !== "sequential")
    return shape(String(field), got) ?? SCHEMA;
  if (field === "matcher" && Array.isArray(got)) return `Write ${JSON.stringify(got.join("|"))}.`;
  if (field === "timeout") return timeoutAdvice(got);
  if (field === "type" && got === undefined) return 'Add "type": "command".';
  return SCHEMA;
}

/** A longer text is no command that its author would look for in a message. */
const MAX_COMMAND = 200;

const SCHEMA = "`belay schema --config` prints what is accepted.";

/** What stands at each depth of "hooks". */
const SHAPES: Readonly<Record<number, (name: string, got: unknown) => string | undefined>> = {
  1: () => 'Write a list per event: "hooks": {"Event": [ … ]}. `belay schema` names the events.',
  2: (event) => `Write a list of groups: "${event}": [{"hooks": [ … ]}].`,
  3: () => 'Write a group: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".',
  4: () => 'Write a list: "hooks": [{"type": "command", "command": "…"}].',
  5: (_, got) =>
    typeof got === "string" && got.length <= MAX_COMMAND
      ? `Write {"type": "command", "command": ${JSON.stringify(got)}}.`
      : undefined,
};

function timeoutAdvice(got: unknown): string {
  if (typeof got === "string") return Number(got) > 0 ? `Write ${Number(got)}, without quotes.` : SCHEMA;
  if (typeof got !== "number") return SCHEMA;
  return got >= 1
    ? `\`timeout\` is in seconds: write ${got / 1000} if it was meant in milliseconds.`
    : "Write seconds, or leave it out for the default: a hook always has a limit.";
}
