import { isObject, withPath } from "@belay/core";
import { inputLine } from "../tui/input-text.ts";
import { oneLine, shorten } from "./text.ts";

const MAX_TEXT = 200;

/**
 * What tells one event of a tool from the next: its input, with a path from the working folder, else the prompt or the
 * words it is about.
 */
export function callText(payload: Readonly<Record<string, unknown>>): string {
  const { tool_name: tool, tool_input: input, prompt, message, last_assistant_message: last } = payload;
  const below = `${payload.cwd}/`;
  const short = (path: string) => (path.startsWith(below) ? path.slice(below.length) : path);
  if (isObject(input)) return inputBriefly(withPath(String(tool), input, short));
  const words = [prompt, message, last].find((text) => typeof text === "string");
  return words === undefined ? "" : briefly(words as string);
}

export function inputBriefly(input: Readonly<Record<string, unknown>>): string {
  return briefly(inputLine(input));
}

/** On one line, and cut. */
export function briefly(text: string, most = MAX_TEXT): string {
  return shorten(oneLine(text), most);
}
