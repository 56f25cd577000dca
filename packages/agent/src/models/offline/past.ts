import type { ModelMessage, ToolCallPart, ToolResultPart } from "../model.ts";
import { aboutOf, type Plan, planOf, planOfHook, shortened, VERBS } from "./verbs.ts";

/** What the conversation so far says about the next answer. It is read anew each time: the model remembers nothing. */
export interface Past {
  /** Steps not taken yet. */
  readonly next: Plan["steps"];
  /** The conversation was compacted in the middle of the work. No call is made twice, so none is made any more. */
  readonly isCompacted: boolean;
  /** Calls and results since the last answer without a call. */
  readonly done: readonly Done[];
  /** Words of hooks since the last answer. */
  readonly told: readonly string[];
  /** Parts of the prompt that were not understood. */
  readonly unclear: readonly string[];
  /** The prompt has its answer: what is said now is about a hook's words. */
  readonly hasAnswered: boolean;
}

interface Done {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
  /** What a hook changed its input to. */
  readonly changed?: ToolCallPart["input"];
}

export function pastOf(messages: readonly ModelMessage[], system: string): Past {
  const said = messages.map((message) => (message.role === "user" ? heard(message.content) : undefined));
  const start = said.findLastIndex((each) => each !== undefined && each.prompt !== "");
  const { prompt = "", hooks = [], isCompacted = false } = said[start] ?? {};
  const plan = planOf(isCompacted ? "" : prompt);
  const results = new Map(
    messages.flatMap(resultsOf).map((result) => [result.id, withoutNote(result, system)]),
  );
  let past: Past = {
    next: plan.steps,
    isCompacted,
    done: [],
    told: hooks,
    unclear: plan.unclear,
    hasAnswered: false,
  };
  const followed = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (index <= start) continue;
    past =
      message.role === "assistant"
        ? afterAnswer(past, message.content, results)
        : afterHooks(past, said[index]?.hooks ?? [], followed);
  }
  return past;
}

function afterAnswer(
  past: Past,
  parts: Extract<ModelMessage, { role: "assistant" }>["content"],
  results: ReadonlyMap<string, Omit<Done, "call">>,
): Past {
  const calls = parts.filter((part) => part.type === "tool-call");
  const next = { ...past, told: [] };
  if (calls.length === 0)
    return { ...next, next: [], isCompacted: false, done: [], unclear: [], hasAnswered: true };
  const done = calls.map((call) => ({ call, result: undefined, ...results.get(call.id) }));
  return { ...next, next: past.next.slice(1), done: [...past.done, ...done] };
}

/** A hook is followed once for each thing it says: one that says it after every step would keep the agent going round. */
function afterHooks(past: Past, hooks: readonly string[], followed: Set<string>): Past {
  const fresh = hooks.flatMap(planOfHook).filter((step) => !followed.has(JSON.stringify(step)));
  for (const step of fresh) followed.add(JSON.stringify(step));
  return { ...past, next: [...fresh, ...past.next], told: [...past.told, ...hooks] };
}

function resultsOf(message: ModelMessage): readonly ToolResultPart[] {
  return message.role === "tool" ? message.content : [];
}

const CHANGED = /^<(hook(?:-[0-9a-f]{8})?)>\nA hook changed this call to ([^<>\n]*)\.\n<\/\1>\n/;

/** Separates a result from the note that conversation/convert.ts put in front of it. A tag that the system prompt does not name is text of the tool. */
function withoutNote(result: ToolResultPart, system: string): Omit<Done, "call"> {
  const [note, tag, json = ""] = CHANGED.exec(result.result) ?? [];
  if (note === undefined || !system.includes(`<${tag}>`)) return { result };
  return {
    result: { ...result, result: result.result.slice(note.length) },
    changed: JSON.parse(unescaped(json)) as ToolCallPart["input"],
  };
}

const TAGGED = /<((?:hook|hook-output|warning)(?:-[0-9a-f]{8})?)(?: [^<>]*)?>\n([^<>]*)\n<\/\1>/g;

/** A summary is never followed. In front of a prompt it is about other prompts, behind a prompt about the work on it. */
const SUMMARY = /(?:^|\n\n)<(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/;

interface Heard {
  readonly prompt: string;
  readonly hooks: readonly string[];
  /** A summary stands behind the prompt. */
  readonly isCompacted: boolean;
}

/** The user's own words, and those of hooks, which stand between tags (conversation/convert.ts). */
function heard(content: string): Heard {
  const said = content.replace(SUMMARY, "");
  const hooks = [...said.matchAll(TAGGED)].map(([, , told = ""]) => unescaped(told));
  return {
    prompt: said.replaceAll(TAGGED, "").trim(),
    hooks,
    isCompacted: (SUMMARY.exec(content)?.index ?? 0) > 0,
  };
}

/** What conversation/convert.ts escapes. */
function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const USE = [
  'Put "then" or a new line between two of them to have them done one after another, "and" or a comma to have them done at once.',
  `Text in quotes stays together: run \`make && echo "then read the log"\`.`,
  "For everything else, start me again with a model of your own: belay chat --model anthropic/<name>, or --base-url for a server on your machine.",
].join(" ");

const INTRODUCTION = `I am Belay's offline model: no network, no key, and no understanding of anything but sentences like these:

${VERBS.map(({ example }) => `- ${example}`).join("\n")}

${USE}`;

const COMPACTED =
  "The conversation was compacted in the middle of this, so I stop: I cannot tell what is left to do. Ask me for the rest.";

/** Said before the next calls: only what hooks have told it. */
export function wordsBefore({ told }: Past): string {
  return told.length === 0 ? "" : `${told.map(acknowledged).join(" ")} I go on with that in mind.`;
}

/** Said at the end: what was done, what came back, and what was not understood. */
export function lastWords({ done, isCompacted, told, unclear, hasAnswered }: Past): string {
  const heard = told.map(acknowledged);
  if (isCompacted) return [...heard, ...reported(done), COMPACTED].join(" ");
  if (done.length === 0 && !hasAnswered) return [...heard, INTRODUCTION].join("\n\n");
  if (done.length === 0) return [...heard, "I know of nothing more to do about it."].join(" ");
  return [
    ...heard,
    ...reported(done),
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
  const row = VERBS.find(({ tool }) => tool === call.name);
  const subject = subjectOf(call, changed, row ? aboutOf(row) : "");
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
