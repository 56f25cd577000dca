import {
  type AgentOptions,
  type Block,
  createAgent,
  type EndReason,
  type Message,
  type Model,
  type ModelChoice,
  openModel,
  type TurnEnd,
} from "@belay/agent";
import { clean, safeJson } from "@belay/core/clean";
import { INTERRUPTIONS, type Io } from "../io.ts";
import { refusedBy, withHookName } from "../render/brief.ts";

export interface ChatOptions extends Omit<AgentOptions, "model" | "isAttended"> {
  readonly model: Pick<ModelChoice, "model" | "baseUrl">;
}

export function resumeCommand(sessionId: string, { flags = "" }: Pick<ChatOptions, "flags">): string {
  return `belay chat --resume ${sessionId.slice(0, 8)}${flags}`;
}

export function modelFor({ model }: ChatOptions): Promise<Model> {
  return openModel({ ...model, env: process.env });
}

interface PrintOptions extends ChatOptions {
  readonly prompt: string;
  readonly output: "text" | "json" | "stream-json";
}

/** 0: done. 2: stopped by a hook, or by a question that nobody could answer. 1: an error. */
const EXIT_CODES: Record<EndReason, number> = {
  done: 0,
  denied: 0,
  stopped: 2,
  "prompt-blocked": 2,
  unanswered: 2,
  "turn-limit": 1,
  error: 1,
  aborted: 130,
};

/** One prompt, one answer, nobody to ask: for scripts and CI. */
export async function printChat({ prompt, output, ...options }: PrintOptions, io: Io): Promise<number> {
  const began = new Date().toISOString();
  const agent = await createAgent({ ...options, model: await modelFor(options), isAttended: false });
  const abort = () => agent.abort();
  for (const signal of INTERRUPTIONS) process.on(signal, abort);
  // A reader that closes early (head): nobody wants the rest.
  process.stdout.on("error", abort);
  // Messages of a resumed session are printed only if they change.
  const past = agent.state.messages.filter(({ time }) => time < began);
  const follow = followMessages(past, (step) => {
    if (output === "stream-json") io.out(`${safeJson(step, 0)}\n`);
    if (output === "text" && step.type === "block") io.err(sideLine(step.block));
  });
  const print = () => follow(agent.state.messages);
  const unsubscribe = agent.subscribe(print);
  try {
    print();
    const pending = options.resume === undefined ? undefined : await agent.goOn();
    const isCutOff = pending !== undefined && pending.reason !== "done";
    if (isCutOff) io.err(notSent(pending, resumeCommand(agent.sessionId, options)));
    const end = isCutOff ? pending : await agent.send(prompt);
    const exitCode = EXIT_CODES[end.reason];
    await agent.close("other");
    const result = {
      sessionId: agent.sessionId,
      result: end.text,
      stopReason: end.reason,
      ...(end.detail !== undefined && { detail: end.detail }),
      exitCode,
    };
    if (output === "text" && end.text !== "") io.out(`${clean(end.text)}\n`);
    if (output === "json") io.out(`${safeJson({ ...result, messages: agent.state.messages })}\n`);
    if (output === "stream-json") io.out(`${safeJson({ type: "result", ...result }, 0)}\n`);
    return exitCode;
  } finally {
    unsubscribe();
    for (const signal of INTERRUPTIONS) process.off(signal, abort);
    process.stdout.off("error", abort);
  }
}

/** A resumed session finishes its last turn first; if it cannot, the prompt is not sent. */
function notSent({ reason, detail }: TurnEnd, next: string): string {
  const what =
    reason === "unanswered"
      ? "a question of the resumed session is open"
      : `the turn that the session was left in ended early (${reason})`;
  const why = detail === undefined ? "" : `: ${clean(detail)}`;
  return `warning: ${what}, and the prompt was not sent${why}. Next: ${next}\n`;
}

/** What the user has to know besides the answer: a line on stderr, as stdout is for the answer. */
function sideLine(block: Block): string {
  if (block.type === "error") return `error: ${clean(withHookName(block))}\n`;
  if (block.type === "warn" && block.to.includes("user")) return `warning: ${clean(withHookName(block))}\n`;
  // The answer has the agent among its readers as well.
  if (block.type === "text" && block.to.every((reader) => reader === "user"))
    return `note: ${clean(withHookName(block))}\n`;
  if (block.type === "tool" && block.stage === "done" && block.success === false)
    return `${clean(block.name)} failed${refusedBy(block.hook)}: ${clean(block.result ?? "")}\n`;
  return "";
}

/** One change of a conversation. A reader builds the conversation from all steps; each is a line of stream-json. */
export type Step =
  /** A new block, or one that replaces the block at this index of the message. */
  | ({ readonly type: "block"; readonly message: string; readonly index: number } & Pick<
      Message,
      "role" | "source"
    > & { readonly block: Block })
  /** A hook erased a prompt. */
  | { readonly type: "remove"; readonly message: string }
  /** All messages so far are void; the new ones follow. */
  | { readonly type: "reset" };

/** Tells every step between two calls. The messages in `past` are known to the reader. */
export function followMessages(
  past: readonly Message[],
  tell: (step: Step) => void,
): (messages: readonly Message[]) => void {
  let known = past;
  return (messages) => {
    const before = known;
    known = messages;
    const gone = before.filter(({ id }) => !messages.some((message) => message.id === id));
    const kept = before.filter((message) => !gone.includes(message));
    const isOther = gone.length > 1 || kept.some(({ id }, index) => messages[index]?.id !== id);
    if (isOther) tell({ type: "reset" });
    else for (const { id } of gone) tell({ type: "remove", message: id });
    const last = new Map((isOther ? [] : before).map(({ id, blocks }) => [id, blocks]));
    for (const { id, role, source, blocks } of messages)
      blocks.forEach((block, index) => {
        if (last.get(id)?.[index] !== block) tell({ type: "block", message: id, index, role, source, block });
      });
  };
}
