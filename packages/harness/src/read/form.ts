import { isObject } from "@belay/core/internal";
import type { Form } from "./reads.ts";

const AROUND = {
  why: "text around the JSON makes all of it plain text there",
  fix: "print nothing but one JSON object to stdout, and log to stderr",
};
const BROKEN = { why: "the output is no sound JSON", fix: "build the JSON with a tool such as jq" };

/** The whole of stdout is one JSON object, or it is text. */
export function wholeObject(stdout: string): Form {
  const text = stdout.trim();
  try {
    const answer: unknown = JSON.parse(text);
    if (isObject(answer)) return { answer };
  } catch {
    // It is text.
  }
  if (!text.includes("{")) return { text };
  return { text, flaw: text.startsWith("{") ? BROKEN : AROUND };
}

/** As wholeObject, but a byte order mark before the object makes all of it text. */
export function unmarkedObject(stdout: string): Form {
  const form = wholeObject(stdout);
  return "answer" in form && stdout.startsWith("\uFEFF") ? { text: stdout.trim(), flaw: AROUND } : form;
}

/** As wholeObject, but JSON in a JSON string is read too. */
export function quotedObject(stdout: string): Form {
  const value = parsed(stdout);
  return wholeObject(typeof value === "string" ? value : stdout);
}

/** As quotedObject, but a list is an answer that says nothing. */
export function looseObject(stdout: string): Form {
  return Array.isArray(parsed(stdout)) ? { answer: {} } : quotedObject(stdout);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

/** As wholeObject, but what stands in braces and is no JSON is a failure, not text. */
export function bracedObject(stdout: string): Form {
  const form = wholeObject(stdout);
  if ("answer" in form || !form.text.startsWith("{") || !form.text.endsWith("}")) return form;
  return { text: "", flaw: BROKEN, failed: true };
}

/** As wholeObject, behind a marker that may stand before the object on its line. */
export function markedObject(marker: string): (stdout: string) => Form {
  return (stdout) => {
    const line = stdout.split("\n").findLast((one) => one.startsWith(marker));
    return wholeObject(line === undefined ? stdout : line.slice(marker.length));
  };
}
