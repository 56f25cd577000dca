import { type Agent, type Answer, type Block, createAgent, offlineModel } from "@belay/agent";
import type { HookExecutionRecord } from "@belay/core";
import type { Io } from "../io.ts";
import { type ConversationWriter, conversationWriter } from "./conversation.ts";
import { type DemoFolder, renderStep, type Script, type Step } from "./script.ts";

export function openAgent({ project, home, configFiles }: DemoFolder): Promise<Agent> {
  return createAgent({
    model: offlineModel(),
    mode: "acceptEdits",
    isAttended: true,
    cwd: project,
    home,
    configFiles,
    journal: false,
  });
}

export function scriptedAnswer({ answers = [] }: Step, index: number): Answer {
  return answers[index] ?? { kind: "deny", reason: "the script has no answer to this" };
}

/** Plays the demo without a terminal: prints the conversation while it happens. */
export async function printDemo(
  { steps }: Script,
  folder: DemoFolder,
  left: AbortSignal,
  io: Io,
): Promise<void> {
  const head = (step: Step) => io.out(renderStep(step, steps.indexOf(step), steps.length, io));
  if (steps[0]) head(steps[0]); // The session's start is part of the first step.
  const agent = await openAgent(folder);
  const write = conversationWriter(io);
  const out = (text: string) => left.aborted || io.out(text);
  let answers: Step = { shows: [], story: "" };
  const look = follow(agent, write, out, (index) => scriptedAnswer(answers, index));
  const stop = () => agent.abort();
  left.addEventListener("abort", stop);
  try {
    look.begin();
    for (const step of steps) {
      if (left.aborted) return;
      if (step !== steps[0]) head(step);
      if (step.prompt === undefined) continue;
      answers = step;
      look.begin();
      out(write.prompt(step.prompt));
      out(write.end(await agent.send(step.prompt)));
    }
  } finally {
    left.removeEventListener("abort", stop);
    look.end();
    await agent.close("other");
  }
}

function follow(
  agent: Agent,
  write: ConversationWriter,
  out: (text: string) => void,
  answerTo: (index: number) => Answer,
) {
  const seen = new Map<string, Block>();
  const asked = new Set<string>();
  let known = 0;
  let questions = 0;

  function hooks(): void {
    const { history, recorded } = agent.state;
    const fresh = recorded === known ? [] : history.slice(known - recorded);
    known = recorded;
    for (const records of moments(fresh)) out(write.hooks(records));
  }
  function blocks(): void {
    for (const { id, source, blocks } of agent.state.messages)
      blocks.forEach((block, index) => {
        const key = `${id} ${index}`;
        const before = seen.get(key);
        if (before === block) return;
        seen.set(key, block);
        if (block.type !== "tool") out(write.block(block, source));
        else if (block.stage === "done")
          out(write.tool(block, before?.type === "tool" && before.stage === "called"));
      });
  }
  function question(): void {
    for (const pending of agent.state.pending) {
      if (asked.has(pending.id)) continue;
      asked.add(pending.id);
      const answer = answerTo(questions);
      questions += 1;
      out(write.question(pending));
      setImmediate(() => {
        out(write.answer(answer));
        agent.answer(pending.id, answer);
      });
    }
  }
  const look = () => {
    hooks();
    blocks();
    question();
  };
  const end = agent.subscribe(look);
  return {
    begin: () => {
      questions = 0;
      look();
    },
    end,
  };
}

function moments(records: readonly HookExecutionRecord[]): HookExecutionRecord[][] {
  return records.reduce<HookExecutionRecord[][]>((groups, record) => {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first?.hookEvent === record.hookEvent && first.timestamp === record.timestamp)
      group.push(record);
    else groups.push([record]);
    return groups;
  }, []);
}
