import type { Plan } from "./plan.ts";
import { shortened, type Wish } from "./sentences.ts";

/*
 * What the offline model tells itself by a summary: which calls it has made since the prompt, so that it does not make them
 * again when the conversation is compacted in the middle of a turn.
 */

const LENGTH = 160;
const MADE = /^> Already done: (.+)$/gm;
/** How calls are written in a text that is to be summed up (loop/compact.ts), and in an older summary in it. */
const CALLED = /^Agent calls (.+)$/;
const MADE_BEFORE = /^&gt; Already done: (.+)$/;
/** A summary in front of a prompt is about other prompts. */
const OF_OTHERS = /^User: <(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/gm;
const PROMPT = /^User: (?!<(?:hook|warning))/;

/** Lines for a summary of this text. */
export function callsMade(text: string): string[] {
  const lines = text.replaceAll(OF_OTHERS, "User: ").split("\n");
  const since = lines.slice(lines.findLastIndex((line) => PROMPT.test(line)) + 1);
  return since.flatMap((line) => {
    const [, before] = MADE_BEFORE.exec(line) ?? [];
    const call = CALLED.exec(line)?.[1] ?? (before === undefined ? undefined : unescaped(before));
    return call === undefined ? [] : [`> Already done: ${shortened(call, LENGTH)}`];
  });
}

/** The steps that are left, where a summary says which calls were made; and how many those were. */
export function stepsLeft(steps: Plan["steps"], summary: string): { left: Plan["steps"]; made: number } {
  const calls = [...summary.matchAll(MADE)].map(([, call = ""]) => call);
  const open = [...calls];
  const left = steps.filter((step) => {
    const at = step.map((wish) => open.indexOf(lineOf(wish)));
    if (at.includes(-1)) return true;
    for (const wish of step) open.splice(open.indexOf(lineOf(wish)), 1);
    return false;
  });
  return { left, made: calls.length };
}

function lineOf({ name, input }: Wish): string {
  return shortened(`${name}: ${JSON.stringify(input)}`, LENGTH);
}

/** What conversation/convert.ts escapes. */
export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
