import { createInterface } from "node:readline/promises";
import { cleanOutput, safeJson } from "@belay/core/clean";
import { UsageError } from "@belay/engine";
import type { OpenQuestion, OpenSession } from "@belay/inspector/api";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import { canAsk, type Io, untilInterrupted } from "../io.ts";
import { makeCode } from "../questions/denied.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { findQuestions, type Questions } from "../questions/open.ts";
import { oneLine, wrap } from "../render/text.ts";

const USAGE = "belay questions [--watch] [--json]";

const FLAGS = {
  watch: { type: "boolean", help: "stay, and show each question as it comes up" },
  json: { type: "boolean", help: "print the questions as JSON; nothing is asked" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Lists the calls that wait for a person: those of other agents in which belay hook stands and that cannot ask, and those of belay chat. On a terminal each is answered with y or n. A call that was denied as nobody answered has a code for belay allow, which a terminal alone shows.",
  flags: FLAGS,
  examples: ["belay questions", "belay questions --watch", "belay questions --json"],
  run: async (args, io) => {
    const { values, positionals } = readFlags(args, FLAGS);
    noArguments(positionals, `usage: ${USAGE}`);
    const answers = canAsk(io) && !values.json;
    if (values.watch && !answers)
      throw new UsageError(
        "--watch asks a person, and there is no terminal",
        `${BELAY} questions --json lists`,
      );
    if (answers) refuseInsideAgent("questions");
    const questions = findQuestions(undefined, "terminal");
    const { signal, done } = untilInterrupted();
    try {
      if (values.watch) await answerAsTheyCome(questions, io, signal);
      else if (answers) await answerOpen(questions, io, signal);
      else list(await questions.now(), values.json ?? false, io);
    } finally {
      done();
      questions.close();
    }
    return 0;
  },
};

interface Shown {
  readonly session: OpenSession;
  readonly question: OpenQuestion;
}

function shownIn(sessions: readonly OpenSession[]): Shown[] {
  return sessions.flatMap((session) => session.questions.map((question) => ({ session, question })));
}

const keyOf = ({ session: { chat }, question: { id } }: Shown): string => `${chat} ${id}`;

function list(sessions: readonly OpenSession[], asJson: boolean, io: Io): void {
  const shown = shownIn(sessions);
  if (asJson) io.out(`${JSON.stringify(shown.map(asData), null, 2)}\n`);
  else io.out(shown.length === 0 ? NONE : shown.map((one) => `${text(one, io)}\n`).join("\n"));
}

const NONE = "No call waits for a person.\n";

function asData({ session: { session, cwd, agent, isOver }, question }: Shown) {
  const { id, toolName, toolInput, updatedInput, reason, hook, timestamp } = question;
  return {
    id,
    agent: agent ?? "belay chat",
    session,
    cwd,
    tool: toolName,
    input: toolInput,
    ...(updatedInput && { updatedInput }),
    ...(reason !== undefined && { reason }),
    ...(hook !== undefined && { hook }),
    ageMs: Math.max(0, Date.now() - timestamp),
    state: isOver ? "denied" : "waits",
  };
}

function text({ session: { session, cwd, agent = "belay chat", isOver }, question }: Shown, io: Io): string {
  const { toolName, toolInput, updatedInput, reason, hook, timestamp } = question;
  const age = Math.max(0, Math.round((Date.now() - timestamp) / 1000));
  const state = isOver ? `denied ${age} s ago, as nobody answered` : `waits for ${age} s`;
  const why = [hook, reason].filter((part) => part !== undefined).join(": ");
  return [
    ...wrap(oneLine(`${agent} wants ${toolName}; ${state}`), io.columns),
    ...wrap(oneLine(`session ${session} in ${cwd}`), io.columns),
    ...(why === "" ? [] : wrap(cleanOutput(why), io.columns)),
    ...whole(toolInput),
    ...(updatedInput ? ["A hook has rewritten it:", ...whole(updatedInput)] : []),
  ].join("\n");
}

/** Nothing is cut: a person allows what stands here. */
function whole(input: unknown): string[] {
  return safeJson(input)
    .split("\n")
    .map((line) => `  ${line}`);
}

async function answerOpen(questions: Questions, io: Io, signal: AbortSignal): Promise<void> {
  const shown = shownIn(await questions.now());
  if (shown.length === 0) io.out(NONE);
  const ended = new AbortController();
  // Its call waits while somebody watches.
  questions.watch(() => {}, ended.signal);
  for (const one of shown) if (!(await meet(one, questions, io, signal))) break;
  ended.abort();
}

async function answerAsTheyCome(questions: Questions, io: Io, signal: AbortSignal): Promise<void> {
  io.err("belay: questions are shown as they come up; Ctrl-C ends it\n");
  const seen = new Set<string>();
  let waiting: Shown[] = [];
  let wake = () => {};
  questions.watch((sessions) => {
    waiting = shownIn(sessions).filter((one) => !seen.has(keyOf(one)));
    wake();
  }, signal);
  signal.addEventListener("abort", () => wake(), { once: true });
  while (!signal.aborted) {
    const [next] = waiting;
    if (next) {
      seen.add(keyOf(next));
      waiting = waiting.slice(1);
      if (!(await meet(next, questions, io, signal))) return;
    } else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

/** Shows a question, and puts it to the person where its call still waits. Returns false if the person has left. */
async function meet(one: Shown, questions: Questions, io: Io, signal: AbortSignal): Promise<boolean> {
  const { chat, isOver } = one.session;
  const { id: question } = one.question;
  io.out(`${text(one, io)}\n`);
  if (isOver) {
    const code = makeCode({ print: question });
    io.out(`To let this call through once, when it comes again: ${BELAY} allow ${code}\n\n`);
    return true;
  }
  const ended = new AbortController();
  questions.watch((sessions) => {
    if (!shownIn(sessions).some((other) => keyOf(other) === keyOf(one))) ended.abort();
  }, ended.signal);
  for (;;) {
    const line = await readAnswer("Allow this call, once? [y/n] ", AbortSignal.any([ended.signal, signal]));
    if (line === undefined && !ended.signal.aborted) return false;
    // What was meant for this question answers no other one.
    if (line === undefined)
      return (await readAnswer("\nIt does not wait any more. Enter goes on. ", signal)) !== undefined;
    const kind = /^y(es)?$/i.test(line) ? "once" : /^no?$/i.test(line) ? "deny" : undefined;
    if (kind === undefined) continue;
    const { counted, why = "" } = await questions.answer({ chat, question, kind });
    ended.abort();
    const said = kind === "once" ? "Allowed once." : "Denied.";
    io.out(`${counted ? said : oneLine(`It did not count: ${why}`)}\n\n`);
    return true;
  }
}

/** A line that was typed; undefined after Ctrl-C or Ctrl-D, or when the signal ends it. */
async function readAnswer(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return (await Promise.race([terminal.question(question, { signal }), closed]))?.trim();
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
