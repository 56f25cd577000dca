import { diagnose } from "./diagnostics.ts";
import type { Diagnostic, PartKind, Verdict } from "./types.ts";
import { shorten } from "./wording.ts";

/** A hook may print much; the journal has all of it. */
const MAX_WORDS = 200;

/** Texts that are neither a decision's words nor raw stdout, by what is done with them. */
const DONE: Partial<Record<PartKind, string>> = {
  context: "added context",
  "plain-context": "added context",
  system: "shown a message",
  error: "shown an error",
  notice: "shown an error",
};

/** What a hook in observe mode would have done, when it would have done something (DESIGN §7). */
export function observed({ hook, kind, reason, updatedInput, updatedPrompt, parts }: Verdict): Diagnostic[] {
  const done = [
    ...(kind === "abstain" ? [] : [withWords(`said ${kind}`, reason)]),
    ...(updatedInput === undefined ? [] : ["rewritten the input"]),
    ...(updatedPrompt === undefined ? [] : [withWords("rewritten the prompt", updatedPrompt)]),
    ...parts.flatMap(({ kind: part, text }) => (DONE[part] ? [withWords(DONE[part], text)] : [])),
  ];
  return done.length === 0 ? [] : [diagnose("observed", { done: done.join("; ") }, { hook })];
}

function withWords(what: string, words: string | undefined): string {
  return words === undefined ? what : `${what}: ${shorten(words, MAX_WORDS)}`;
}
