import { plural } from "@belay/core";
import type { Done, Past } from "./past.ts";
import { SENTENCES, shortened } from "./sentences.ts";

const USE = [
  'Put "then" or a new line between two of them to have them done one after another, "and" or a comma to have them done at once.',
  `Text in quotes stays together: run \`make && echo "then read the log"\`.`,
  "For everything else, start me again with a model of your own: belay chat --model anthropic/<name>, or --base-url for a server on your machine.",
].join(" ");

const INTRODUCTION = `I am Belay's offline model: no network, no key, and no understanding of anything but sentences like these:

${SENTENCES.map(({ example }) => `- ${example}`).join("\n")}

${USE}`;

/** Said before the next calls: only what hooks have told it. */
export function wordsBefore({ told }: Past): string {
  return told.length === 0 ? "" : `${told.map(acknowledged).join(" ")} I go on with that in mind.`;
}

/** Said at the end: what was done, what came back, and what was not understood. */
export function lastWords({
  done,
  madeBefore,
  told,
  unclear,
  missing,
  hasAnswered,
  isRepeated,
}: Past): string {
  const heard = told.map(acknowledged);
  if (done.length === 0 && missing.length === 0 && madeBefore === 0) {
    if (!hasAnswered) return [...heard, INTRODUCTION].join("\n\n");
    return [...heard, isRepeated ? "I have done that already." : "I know of nothing to do about it."].join(
      " ",
    );
  }
  return [
    ...heard,
    ...(madeBefore > 0
      ? [`I made ${plural(madeBefore, "call")} before the conversation was compacted.`]
      : []),
    ...reported(done),
    ...missing.map((tool) => `I have no tool ${tool} here, so I left that out.`),
    ...unclear.slice(0, REPORTED).map((part) => `I did not understand “${shortened(part, 60)}”.`),
  ].join(" ");
}

function acknowledged(words: string): string {
  return `A hook told me: “${shortened(words, 200)}”.`;
}

const REPORTED = 5;

function reported(done: readonly Done[]): string[] {
  const rest = done.slice(REPORTED);
  const failed = rest.filter(({ result }) => result?.success !== true).length;
  const more = `So much for the first ${REPORTED}; of ${rest.length} more calls ${failed === 0 ? "none" : failed} failed.`;
  return [...done.slice(0, REPORTED).map(sentenceFor), ...(rest.length > 0 ? [more] : [])];
}

function sentenceFor({ call, result, changed }: Done): string {
  const row = SENTENCES.find(({ tool }) => tool === call.name);
  const subject = subjectOf(call, changed, row?.about ?? "");
  const text = result?.result ?? "";
  const did = `I ${row?.done ?? "called"} ${subject}`;
  if (result?.success === true) return `${did}: ${quoted(text, "nothing came back")}.`;
  const [line, how] = HOW_IT_ENDED.exec(text) ?? [];
  if (line !== undefined)
    return `${did}, and it failed (${how}): ${quoted(text.replace(line, ""), "nothing came back")}.`;
  return `I could not ${row?.undone ?? "call"} ${subject}: ${quoted(text, "no reason was given")}.`;
}

/** What the call was about when it was made: a hook may have changed that. */
function subjectOf({ name, input }: Done["call"], changed: Done["changed"], field: string): string {
  const wanted = named(input[field] ?? name);
  if (!changed) return wanted;
  const made = named(changed[field] ?? name);
  return made === wanted ? made : `${made} (a hook changed it from ${wanted})`;
}

function named(subject: unknown): string {
  return `\`${shortened(String(subject), 60)}\``;
}

/** The line of a command that did run (tools/bash.ts). A call that was refused, or did not start, has none. */
const HOW_IT_ENDED = /^\[(exit code \d+|no exit within .*|killed by \w+)\]$/m;

function quoted(text: string, otherwise: string): string {
  const short = shortened(text, 160);
  return short === "" ? otherwise : `“${short}”`;
}
