import type { ModelMessage, ToolCallPart, ToolResultPart } from "../model.ts";
import { stepsLeft, unescaped } from "./done-before.ts";
import { type Plan, planOf, planOfHook } from "./plan.ts";
import type { Wish } from "./sentences.ts";

type Steps = Plan["steps"];

/** What the conversation so far says about the next answer. It is read anew each time: the model remembers nothing. */
export interface Past {
  /** Steps not taken yet. */
  readonly next: Steps;
  /** Calls to this prompt of which only a summary tells. */
  readonly madeBefore: number;
  /** Calls and results since the last answer without a call. */
  readonly done: readonly Done[];
  /** Words of hooks since the last answer. */
  readonly told: readonly string[];
  /** Parts of the prompt that were not understood. */
  readonly unclear: readonly string[];
  /** Tools that were wished for and are not there. */
  readonly missing: readonly string[];
  /** The prompt has its answer: what is said now is about a hook's words. */
  readonly hasAnswered: boolean;
  /** A hook asked for what it has asked for before. */
  readonly isRepeated: boolean;
}

export interface Done {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
  /** What a hook changed its input to. */
  readonly changed?: ToolCallPart["input"];
}

export function pastOf(messages: readonly ModelMessage[], tools: ReadonlySet<string>, system: string): Past {
  const said = messages.map((message) => (message.role === "user" ? heard(message.content) : undefined));
  const start = said.findLastIndex((each) => each !== undefined && each.prompt !== "");
  const plan = planOf(said[start]?.prompt ?? "");
  const results = new Map(
    messages.flatMap(resultsOf).map((result) => [result.id, withoutNote(result, system)]),
  );
  const { left, made } = stepsLeft(plan.steps, said[start]?.summary ?? "");
  const begin: Past = {
    next: possible(left, tools),
    madeBefore: made,
    done: [],
    told: said[start]?.hooks ?? [],
    unclear: plan.unclear,
    missing: missing(plan.steps, tools),
    hasAnswered: false,
    isRepeated: false,
  };
  const followed = new Set<string>();
  return messages.slice(start + 1).reduce((past, message, index) => {
    if (message.role === "assistant") return afterAnswer(past, callsIn(message.content), results);
    return afterHooks(past, said[start + 1 + index]?.hooks ?? [], followed, tools);
  }, begin);
}

function afterAnswer(
  past: Past,
  calls: readonly ToolCallPart[],
  results: ReadonlyMap<string, Omit<Done, "call">>,
): Past {
  const next = { ...past, told: [], isRepeated: false };
  if (calls.length === 0)
    return { ...next, next: [], madeBefore: 0, done: [], unclear: [], missing: [], hasAnswered: true };
  const done = calls.map((call) => ({ call, result: undefined, ...results.get(call.id) }));
  return { ...next, next: past.next.slice(1), done: [...past.done, ...done] };
}

/** A hook is followed once for each thing it says: one that says it after every step would keep the agent going round. */
function afterHooks(
  past: Past,
  hooks: readonly string[],
  followed: Set<string>,
  tools: ReadonlySet<string>,
): Past {
  const wished = hooks.flatMap(planOfHook);
  const fresh = wished.filter((step) => !followed.has(JSON.stringify(step)));
  for (const step of fresh) followed.add(JSON.stringify(step));
  return {
    ...past,
    next: [...possible(fresh, tools), ...past.next],
    missing: [...past.missing, ...missing(fresh, tools)],
    told: [...past.told, ...hooks],
    isRepeated: past.isRepeated || fresh.length < wished.length,
  };
}

function possible(steps: Steps, tools: ReadonlySet<string>): Steps {
  return steps.map((step) => step.filter(({ name }) => tools.has(name))).filter((step) => step.length > 0);
}

function missing(steps: Steps, tools: ReadonlySet<string>): string[] {
  const names = steps.flat().map(({ name }: Wish) => name);
  return [...new Set(names)].filter((name) => !tools.has(name));
}

function callsIn(parts: Extract<ModelMessage, { role: "assistant" }>["content"]): ToolCallPart[] {
  return parts.filter((part) => part.type === "tool-call");
}

function resultsOf(message: ModelMessage): readonly ToolResultPart[] {
  return message.role === "tool" ? message.content : [];
}

const CHANGED = /^<(hook(?:-[0-9a-f]{8})?)>\nA hook changed this call to ([^<>\n]*)\.\n<\/\1>\n/;

/** Takes from a result what conversation/convert.ts put in front of it. A tag that the system prompt does not name is the tool's own text. */
function withoutNote(result: ToolResultPart, system: string): Omit<Done, "call"> {
  const [note, tag, json = ""] = CHANGED.exec(result.result) ?? [];
  if (note === undefined || !system.includes(`<${tag}>`)) return { result };
  return {
    result: { ...result, result: result.result.slice(note.length) },
    changed: JSON.parse(unescaped(json)) as ToolCallPart["input"],
  };
}

const TAGGED = /<((?:hook|hook-output|warning)(?:-[0-9a-f]{8})?)(?: [^<>]*)?>\n([^<>]*)\n<\/\1>/g;

/** Of what was said before the conversation was compacted: background, never followed. In front of a prompt, it is about others. */
const SUMMARY = /^<(summary(?:-[0-9a-f]{8})?)>\n[^<>]*\n<\/\1>/;
const SUMMARY_BEHIND = /(?<=\S)\n\n<(summary(?:-[0-9a-f]{8})?)>\n([^<>]*)\n<\/\1>/;

interface Heard {
  readonly prompt: string;
  readonly hooks: readonly string[];
  /** Of what was done about the prompt. */
  readonly summary: string;
}

/** The user's own words, and those of hooks, which stand between tags (conversation/convert.ts). */
function heard(content: string): Heard {
  const whole = content.replace(SUMMARY, "");
  const [found, , words = ""] = SUMMARY_BEHIND.exec(whole) ?? [];
  const said = whole.replace(found ?? "", "");
  const hooks = [...said.matchAll(TAGGED)].map(([, , told = ""]) => unescaped(told));
  return { prompt: said.replaceAll(TAGGED, "").trim(), hooks, summary: unescaped(words) };
}
