import { chmodSync, readdirSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Agent, Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";
import { isObject } from "@belay/core/internal";
import {
  ANSWER_KINDS,
  type Answered,
  type AnswerRequest,
  type ChatState,
  type GivenAnswer,
} from "@belay/inspector/api";
import { HAS_SOCKETS, isSocketName, openRunFolder, readLines, socketName, writeLine } from "../sockets.ts";

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
  if (!HAS_SOCKETS) return { answer: agent.answer, end: () => {} };
  const readers = new Set<Socket>();
  let answered: readonly GivenAnswer[] = [];
  // Noted before the queue settles the question: pages learn in one message that it is over, and why.
  const take = (question: string, given: Answer, where: GivenAnswer["where"]) => {
    if (agent.state.pending.some(({ id }) => id === question))
      answered = [...answered, { question, kind: given.kind, where }].slice(-MAX_ANSWERED);
    agent.answer(question, given);
  };
  const state = () => ({ ...stateOf(agent, cwd), answered });
  const tell = () => {
    for (const reader of readers) writeLine(reader, state());
  };
  const server = createServer((socket) => {
    readers.add(socket);
    socket.once("close", () => readers.delete(socket));
    readLines(socket, (value) =>
      writeLine(socket, {
        type: "answered",
        ...answer(agent, value, (question, given) => take(question, given, "page")),
      }),
    );
    writeLine(socket, state());
  });
  const path = await listen(server, agent.sessionId, home);
  if (path === undefined) return { answer: agent.answer, end: () => {} };
  let { pending } = agent.state;
  const unsubscribe = agent.subscribe(() => {
    if (agent.state.pending === pending) return;
    pending = agent.state.pending;
    tell();
  });
  return {
    answer: (question, given) => take(question, given, "terminal"),
    end: () => {
      unsubscribe();
      for (const reader of readers) reader.destroy();
      server.close();
      rmSync(path, { force: true });
    },
  };
}

async function listen(
  server: ReturnType<typeof createServer>,
  sessionId: string,
  home: string | undefined,
): Promise<string | undefined> {
  try {
    const folder = openRunFolder(home);
    await removeLeftovers(folder);
    const path = join(folder, socketName(sessionId));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    server.unref();
    chmodSync(path, 0o600);
    return path;
  } catch {
    server.close();
    return undefined;
  }
}

/** Removes the sockets of killed chats. A socket without a listener is one; a process number may be used again. */
async function removeLeftovers(folder: string): Promise<void> {
  const paths = readdirSync(folder)
    .filter(isSocketName)
    .map((name) => join(folder, name));
  await Promise.all(
    paths.map(async (path) => {
      if (await isDeserted(path)) rmSync(path, { force: true });
    }),
  );
}

/** The errors of a socket without a listener, and of a file that is no socket. */
const DESERTED = ["ECONNREFUSED", "ENOTSOCK"];

function isDeserted(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(DESERTED.includes(code)));
  });
}

function stateOf(agent: Agent, cwd: string): ChatState & { readonly type: "state" } {
  const questions = agent.state.pending.map((pending) => {
    const rules = agent.rulesFor(pending);
    return { ...pending, rules, kinds: answerKinds(pending, rules) };
  });
  return { type: "state", session: agent.sessionId, cwd, questions };
}

const WORDS = {
  once: "allowed once",
  session: "allowed for this session",
  always: "always allowed",
  deny: "denied",
};

function answer(agent: Agent, value: unknown, take: Agent["answer"]): Answered & Partial<AnswerRequest> {
  const { question = "", kind, reason } = (isObject(value) ? value : {}) as Partial<AnswerRequest>;
  const no = (why: string) => ({ question, counted: false, why });
  const known = ANSWER_KINDS.find((one) => one === kind);
  if (!known || (reason !== undefined && typeof reason !== "string")) return no("that is no answer");
  const pending = agent.state.pending.find(({ id }) => id === question);
  if (!pending)
    return no("the question is not open any more: it was answered elsewhere, or its turn has ended");
  if (!answerKinds(pending, agent.rulesFor(pending)).includes(known))
    return no("this question cannot be given that answer; allow it once, or deny it");
  take(question, { kind: known, ...(reason !== undefined && { reason }) });
  agent.warn(`${pending.toolName} was ${WORDS[known]} on the page of belay inspect.`);
  return { question, counted: true };
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
