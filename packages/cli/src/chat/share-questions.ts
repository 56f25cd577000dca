import type { Agent, Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { ANSWER_KINDS, type Answered, type ChatState, type GivenAnswer } from "@belay/inspector/api";
import { type GivenLine, placeOf, serveQuestions } from "../questions/serve.ts";

export interface SharedQuestions {
  answer(question: string, answer: Answer): void;
  end(): void;
}

/** The newest answers are told to pages; a page has heard of older ones. */
const MAX_ANSWERED = 64;

/**
 * Lets other processes of this user see and answer the session's questions, for as long as it runs. The agent's queue
 * decides: whoever answers first is heard, and the other is told. Without a socket the chat goes on.
 */
export async function shareQuestions(agent: Agent, cwd: string, home?: string): Promise<SharedQuestions> {
  let answered: readonly GivenAnswer[] = [];
  // Noted before the queue settles the question: pages learn in one message that it is over, and why.
  const take = (question: string, given: Answer, where: GivenAnswer["where"]) => {
    if (agent.state.pending.some(({ id }) => id === question))
      answered = [...answered, { question, kind: given.kind, where }].slice(-MAX_ANSWERED);
    agent.answer(question, given);
  };
  const served = await serveQuestions(
    {
      session: agent.sessionId,
      state: () => ({ ...stateOf(agent, cwd), answered }),
      take: (given) => answer(agent, given, take),
    },
    home,
  );
  if (!served) return { answer: agent.answer, end: () => {} };
  let { pending } = agent.state;
  const unsubscribe = agent.subscribe(() => {
    if (agent.state.pending === pending) return;
    pending = agent.state.pending;
    served.tell();
  });
  return {
    answer: (question, given) => take(question, given, "terminal"),
    end: () => {
      unsubscribe();
      served.end();
    },
  };
}

function stateOf(agent: Agent, cwd: string): ChatState {
  const questions = agent.state.pending.map((pending) => {
    const rules = agent.rulesFor(pending);
    return { ...pending, rules, kinds: answerKinds(pending, rules) };
  });
  return { session: agent.sessionId, cwd, questions };
}

const WORDS = {
  once: "allowed once",
  session: "allowed for this session",
  always: "always allowed",
  deny: "denied",
};

const PLACES: Record<GivenAnswer["where"], string> = {
  page: "on the page of belay inspect",
  terminal: "in another terminal",
};

function answer(
  agent: Agent,
  { question = "", kind, reason, where }: GivenLine,
  take: (question: string, given: Answer, where: GivenAnswer["where"]) => void,
): Answered {
  const no = (why: string) => ({ counted: false, why });
  const known = ANSWER_KINDS.find((one) => one === kind);
  if (!known || (reason !== undefined && typeof reason !== "string")) return no("that is no answer");
  const pending = agent.state.pending.find(({ id }) => id === question);
  if (!pending)
    return no("the question is not open any more: it was answered elsewhere, or its turn has ended");
  if (!answerKinds(pending, agent.rulesFor(pending)).includes(known))
    return no("this question cannot be given that answer; allow it once, or deny it");
  const place = placeOf(where);
  take(question, { kind: known, ...(reason !== undefined && { reason }) }, place);
  agent.warn(`${pending.toolName} was ${WORDS[known]} ${PLACES[place]}.`);
  return { counted: true };
}

/** The lasting answers that would spare the user the same question; others are not offered. */
const LASTING: Record<
  NonNullable<PendingPermission["by"]>,
  readonly Extract<Answer["kind"], "session" | "always">[]
> = { mode: ["session", "always"], outside: ["always"], rule: [], unreadable: [], hook: [] };

/** The answers that a question can be given, in the terminal and elsewhere. */
export function answerKinds(question: PendingPermission, rules: readonly string[]): Answer["kind"][] {
  const lasting = question.hook === undefined ? LASTING[question.by ?? "mode"] : [];
  return ["once", ...lasting.filter((kind) => kind === "session" || rules.length > 0), "deny"];
}
