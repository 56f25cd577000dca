import { isObject } from "@belay/core";

/*
 * YAML for what JSON can hold: objects and lists in blocks, everything else as JSON, which YAML reads as it is. A text is
 * always in double quotes: no word of a payload can turn into something else.
 */

/** A key that is a plain word in every version of YAML, and none that some read as a truth value. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w-]*$/i;

export function stringify(value: unknown): string {
  return `${lines(value).join("\n")}\n`;
}

function lines(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item) => lines(item).map((line, index) => `${index === 0 ? "- " : "  "}${line}`));
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .flatMap(([key, part]) => entry(PLAIN_KEY.test(key) ? key : json(key), part));
  return [json(value)];
}

function entry(key: string, value: unknown): string[] {
  const isBlock =
    (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);
  const inside = lines(value);
  return isBlock ? [`${key}:`, ...inside.map((line) => `  ${line}`)] : [`${key}: ${inside[0]}`];
}

/** Some readers take these for line ends. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
