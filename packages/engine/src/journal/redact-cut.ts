import { hide, TOKEN_BEGINNINGS } from "./redact.ts";
import { ATTRIBUTES, ESCAPE, ESCAPES, FOLDER, NAMES, STRING_KIND, TYPED } from "./redact-values.ts";

/*
 * Secrets of which the end is missing. It is what gives most of them away, so before a cut their beginning is enough.
 */

/** No secret that is known by its shape is longer; what is longer may be cut anywhere. */
export const MAX_SECRET = 4096;

/** Names, and what messages quote, are cut by us, and end in "…"; none of them is longer. */
const MAX_QUOTED = 256;

const raw = String.raw;
const QUOTE = raw`${ESCAPES}["']`;
/** Up to a value: what stands between it and its name, an object or a list begun there included. */
const TO_VALUE = raw`(?:${TYPED}|${QUOTE}?)\s*(?:[:=]|=>)\s*${STRING_KIND}(?:[{[]\s*(?:${QUOTE}[\w-]{1,40}${QUOTE}\s*:\s*)?)?`;
/** A string that is not closed; a cut may fall into an escape. */
const OPEN = raw`(?:[^"'\\\n{}]|${ESCAPE})+(?=\\?$)`;

/** What a text that was cut may end with; the first group is kept. Made when a text is searched: nearly none was cut. */
let ends: readonly RegExp[] | undefined;

const allEnds = (): readonly RegExp[] => [
  // The letter of an escape of JSON is no part of a token.
  new RegExp(raw`()(?:(?<![\w.-])|(?<=\\[bfnrt]))(?:${TOKEN_BEGINNINGS}|whsec_)[\w.+/=-]{4,}$`),
  // Of an address; a number may be its port.
  /(:(?:\/\/|\\\/\\\/)[^\s:/@"'\\{}[\]]*:)(?!\d{1,5}$)[^\s@"'\\{}]+$/,
  /((?:Bearer|Basic)\s+)(?=\S*\d)[\w.~+/=-]+$/i,
  new RegExp(raw`(${NAMES}(?:${TO_VALUE}|${QUOTE}\s*,\s*)${QUOTE})${OPEN}`, "i"),
  new RegExp(raw`(<[\w:.-]{0,40}?${NAMES}${ATTRIBUTES}>)(?![\s(])[^<>"'\\\n{}]+$`, "i"),
  new RegExp(raw`(["']pwd${TO_VALUE}${QUOTE})(?!${FOLDER})${OPEN}`, "i"),
];

/** As everywhere, zero stands in for a number. */
let numberEnd: RegExp | undefined;

function redactEnd(text: string, most: number): string {
  const kept = text.slice(0, -most);
  ends ??= allEnds();
  numberEnd ??= new RegExp(raw`(${NAMES}${TO_VALUE})\d{4,}$`, "i");
  const end = text.slice(kept.length).replace(numberEnd, (_, before: string) => `${before}0`);
  return kept + ends.reduce((redacted, pattern) => redacted.replace(pattern, hide), end);
}

/** Where what a hook printed stands in a record. */
const PRINTED: ReadonlySet<string> = new Set(["stdout", "stderr", "reason", "content", "message"]);

/**
 * Hides the beginnings of secrets where a text was cut: before each "…", and at the end of what hooks printed if one of them
 * was stopped, or its output was. A name is changed in the same way wherever it stands.
 */
export function redactCuts(isStopped: boolean): (text: string, key: string) => string {
  return (text, key) => {
    const isCut = isStopped && PRINTED.has(key);
    if (!isCut && !text.includes("…")) return text;
    const pieces = text.split("…");
    const last = pieces.pop() ?? "";
    return [
      ...pieces.map((piece) => redactEnd(piece, MAX_QUOTED)),
      isCut ? redactEnd(last, MAX_SECRET) : last,
    ].join("…");
  };
}
