import { type Agent, type Block, createAgent, type EndReason, type Message } from "@belay/agent";
import { clean } from "../clean.ts";
import type { Io } from "../io.ts";
import { type ChatOptions, modelFor } from "./options.ts";

export interface PrintOptions extends ChatOptions {
  readonly prompt: string;
  readonly output: "text" | "json" | "stream-json";
}

/** 0 done, 2 stopped by a hook or by a question that nobody could answer, 1 an error. */
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
  for (const signal of SIGNALS) process.on(signal, abort);
  // A reader that closes early (head): nobody wants the rest.
  process.stdout.on("error", abort);
  const print = output === "json" ? () => {} : blockPrinter(agent, output, began, io);
  const unsubscribe = agent.subscribe(print);
  try {
    print();
    const pending = options.resume === undefined ? undefined : await agent.goOn();
    const end = pending && pending.reason !== "done" ? pending : await agent.send(prompt);
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
    if (output === "json")
      io.out(`${JSON.stringify({ ...result, messages: agent.state.messages }, null, 2)}\n`);
    if (output === "stream-json") io.out(`${JSON.stringify({ type: "result", ...result })}\n`);
    return exitCode;
  } finally {
    unsubscribe();
    for (const signal of SIGNALS) process.off(signal, abort);
    process.stdout.off("error", abort);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Prints every block that is new or has changed since the last look; of a resumed session not what was said before. */
function blockPrinter(agent: Agent, output: "text" | "stream-json", began: string, io: Io): () => void {
  const seen = new Map<string, Block>();
  const isNew = (message: Message) => message.time >= began;
  return () => {
    for (const message of agent.state.messages.filter(isNew))
      message.blocks.forEach((block, index) => {
        const key = `${message.id} ${index}`;
        if (seen.get(key) === block) return;
        seen.set(key, block);
        if (output === "stream-json") io.out(streamLine(message, block));
        else io.err(sideLine(block));
      });
  };
}

function streamLine({ id, role, source }: Message, block: Block): string {
  return `${JSON.stringify({ type: "block", message: id, role, source, block })}\n`;
}

/** stdout is for the answer; what the user has to know besides goes to stderr. */
function sideLine(block: Block): string {
  if (block.type === "error") return `error: ${clean(block.content)}\n`;
  if (block.type === "warn" && block.to.includes("user")) return `warning: ${clean(block.content)}\n`;
  if (block.type === "tool" && block.stage === "done" && block.success === false)
    return `${block.name} failed: ${clean(block.result ?? "")}\n`;
  return "";
}
