import type { Plan } from "./plan.ts";
import { shortened, type Wish } from "./sentences.ts";

/*
 * What the offline model tells itself by a summary: which calls it has made since the prompt, so that it does not make them
 * again when the conversation is compacted in the middle of a turn.
 */

const LENGTH = 160;
const DONE = "Already done: ";
const FAILED = "Tried without success: ";
const MADE = new RegExp(`^> (?:${DONE}|${FAILED})(.+)$`, "gm");
/** How calls and results are written in a text that is to be summed up (loop/compact.ts), and in an older summary in it. */
const CALLED = /^Agent calls ((\w+): .+)$/;
const CAME_BACK = /^Result of (\w+)( \(failed\))?:$/;
const MADE_BEFORE = new RegExp(`^&gt; ((?:${DONE}|${FAILED}).+)$`);
/** A summary in front of a prompt is about other prompts. */
const OF_OTHERS = /^User: <(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/gm;
const PROMPT = /^User: (?!<(?:hook|warning))/;

/** Lines for a summary of this text. */
export function callsMade(text: string): string[] {
  const lines = text.replaceAll(OF_OTHERS, "User: ").split("\n");
  const since = lines.slice(lines.findLastIndex((line) => PROMPT.test(line)) + 1);
  const calls: { name: string; line: string; isOpen: boolean; isDone: boolean }[] = [];
  const before: string[] = [];
  for (const line of since) {
    const [, old] = MADE_BEFORE.exec(line) ?? [];
    const [, call, called] = CALLED.exec(line) ?? [];
    const [, name, failed] = CAME_BACK.exec(line) ?? [];
    if (old !== undefined) before.push(`> ${unescaped(old)}`);
    if (call !== undefined && called !== undefined)
      calls.push({ name: called, line: shortened(call, LENGTH), isOpen: true, isDone: false });
    // Results come in the order of their calls.
    const its = name === undefined ? undefined : calls.find((one) => one.isOpen && one.name === name);
    if (its) Object.assign(its, { isOpen: false, isDone: failed === undefined });
  }
  return [...before, ...calls.map(({ line, isDone }) => `> ${isDone ? DONE : FAILED}${line}`)];
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
