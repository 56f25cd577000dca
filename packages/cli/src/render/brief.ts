import { type EventRecord, isEventName } from "@belay/core";

import { eventRow, isObject, withoutPlace, withPath } from "@belay/core/internal";
import { oneLine, shorten } from "./text.ts";

const MAX_TEXT = 200;

/** The value that an event's matcher is tested against, mostly the tool's name; "" where there is none. */
export function matchedText({ event, payload }: Pick<EventRecord, "event" | "payload">): string {
  const field = isEventName(event) ? eventRow(event).matcher : undefined;
  const value = field === undefined ? undefined : payload[field];
  return typeof value === "string" ? briefly(value) : "";
}

/** What an event is about: the tool's input, its paths seen from the working folder; else the prompt or the message. */
export function callText(payload: Readonly<Record<string, unknown>>): string {
  const { tool_name: tool, tool_input: input, prompt, message, last_assistant_message: last } = payload;
  const below = `${payload.cwd}/`;
  const short = (path: string) => (below !== "/" && path.startsWith(below) ? path.slice(below.length) : path);
  if (isObject(input)) return inputBriefly(withPath(String(tool), input, short));
  const words = [prompt, message, last].find((text) => typeof text === "string");
  return words === undefined ? "" : briefly(words as string);
}

export function inputBriefly(input: Readonly<Record<string, unknown>>): string {
  return briefly(inputLine(input));
}

export function briefly(text: string, most = MAX_TEXT): string {
  return shorten(oneLine(text), most);
}

type Input = Readonly<Record<string, unknown>>;

/** The input of a tool on one line: the first value alone, the others behind their names. */
export function inputLine(input: Input): string {
  return Object.entries(input)
    .map(([name, value], index) => (index === 0 ? textOf(value) : `${name}: ${textOf(value)}`))
    .join("  ")
    .replaceAll(/\r?\n/g, " ⏎ ");
}

/** The input in full: a user decides on it. Two inputs that are compared get the same `names`, so in the same order. */
export function inputText(input: Input, names: readonly string[] = Object.keys(input)): string {
  const [first] = names;
  if (first !== undefined && names.length === 1) return textOf(input[first]);
  return names
    .filter((name) => name in input)
    .map((name) => entryText(name, textOf(input[name])))
    .join("\n");
}

function entryText(name: string, text: string): string {
  if (!text.includes("\n")) return `${name}: ${text}`;
  return `${name}:\n${text.replaceAll(/^/gm, "  ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** More of a command than this hides what is said beside it. */
const MOST_COLUMNS = 30;

export function shortHookName(hook: string): string {
  return shorten(oneLine(withoutPlace(hook)), MOST_COLUMNS);
}

/** Words with the hook that said them, unless they name it themselves. */
export function withHookName({
  content,
  hook,
}: {
  readonly content: string;
  readonly hook?: string | undefined;
}): string {
  return hook === undefined || content.includes(`hook ${hook}`)
    ? content
    : `${shortHookName(hook)}: ${content}`;
}

export function refusedBy(hook: string | undefined): string {
  return hook === undefined ? "" : ` (${shortHookName(hook)} says no)`;
}
