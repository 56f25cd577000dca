import { type Block, createAgent, type EndReason, type TurnEnd } from "@belay/agent";
import { clean, safeJson } from "@belay/core/clean";
import { INTERRUPTIONS, type Io } from "../io.ts";
import { refusedBy, withHookName } from "../render/hook-name.ts";
import { followMessages } from "./follow.ts";
import { type ChatOptions, modelFor, resumeCommand } from "./options.ts";

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
