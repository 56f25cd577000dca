import { readdirSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { isObject } from "@belay/core/internal";
import {
  ANSWER_KINDS,
  type Answered,
  type AnswerRequest,
  type ChatState,
  type GivenAnswer,
  type OpenQuestion,
  type OpenSession,
} from "@belay/inspector/api";
import { HAS_SOCKETS, isSocketName, readLines, runFolder, writeLine } from "../sockets.ts";
import { allowDenied, type DeniedCall, deniedCalls, dropDenied } from "./denied.ts";
import { questionOf } from "./question.ts";

export interface Questions {
  /** Tells what is open, and what was denied since nobody answered, now and after each change, until it is ended. */
  watch(changed: (sessions: readonly OpenSession[]) => void, ended: AbortSignal): void;
  /** What is open, once all that ask have told it. */
  now(): Promise<readonly OpenSession[]>;
  answer(request: Partial<AnswerRequest>): Promise<Answered>;
  close(): void;
}

const LOOK_MS = 500;
const ANSWER_MS = 5_000;
const TELL_MS = 1_000;

interface Chat {
  readonly socket: Socket;
  session: OpenSession | undefined;
  /** Pages that wait for the chat's reply to an answer. A chat replies in the order in which answers came. */
  readonly waiting: { readonly question: string; settle(answered: Answered): void }[];
}

/** `where` is said of the answers. */
export function findQuestions(home?: string, where: GivenAnswer["where"] = "page"): Questions {
  /** By the names of their sockets, which hold the process: two chats may be at one session. */
  const chats = new Map<string, Chat>();
  const watchers = new Set<(sessions: readonly OpenSession[]) => void>();
  let denied: readonly OpenSession[] = [];
  const sessions = () => [...[...chats.values()].flatMap(({ session }) => session ?? []), ...denied];
  const tell = () => {
    for (const watcher of watchers) watcher(sessions());
  };

  function connect(folder: string, name: string): void {
    const socket = createConnection(join(folder, name));
    const chat: Chat = { socket, session: undefined, waiting: [] };
    chats.set(name, chat);
    if (watchers.size > 0) writeLine(socket, { watching: true });
    readLines(socket, (value) => {
      if (isState(value)) {
        const { session, cwd, questions, answered, agent } = value;
        const more = { ...(answered && { answered }), ...(agent !== undefined && { agent }) };
        chat.session = { chat: name, session, cwd, questions, ...more };
        tell();
      } else if (isAnswered(value)) {
        const first = chat.waiting.findIndex(({ question }) => question === value.question);
        if (first >= 0) chat.waiting.splice(first, 1)[0]?.settle(value);
      }
    });
    socket.once("close", () => {
      chats.delete(name);
      for (const { settle } of chat.waiting) settle({ counted: false, why: "the chat has ended" });
      if (chat.session) tell();
    });
  }

  function look(): void {
    const folder = runFolder(home);
    for (const name of namesIn(folder)) {
      if (HAS_SOCKETS && isSocketName(name) && !chats.has(name)) connect(folder, name);
    }
    const found = deniedCalls(home).map(asSession);
    const isSame = JSON.stringify(found) === JSON.stringify(denied);
    denied = found;
    if (!isSame) tell();
  }
  look();
  const timer = setInterval(look, LOOK_MS);
  const sayWatching = (watching: boolean) => {
    for (const { socket } of chats.values()) writeLine(socket, { watching });
  };

  return {
    watch: (changed, ended) => {
      if (ended.aborted) return;
      watchers.add(changed);
      if (watchers.size === 1) sayWatching(true);
      const forget = () => {
        watchers.delete(changed);
        if (watchers.size === 0) sayWatching(false);
      };
      ended.addEventListener("abort", forget, { once: true });
      changed(sessions());
    },
    now: async () => {
      const until = performance.now() + TELL_MS;
      const isTold = () => [...chats.values()].every(({ session }) => session);
      while (!isTold() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      return sessions();
    },
    answer: async ({ chat: name = "", question, kind, reason }) => {
      if (question !== undefined && name === chatOf(question)) return answerDenied(question, kind, home);
      const chat = chats.get(name);
      if (!chat?.session || typeof question !== "string")
        return { counted: false, why: "that chat is not open any more" };
      writeLine(chat.socket, {
        question,
        kind,
        ...(where !== "page" && { where }),
        ...(reason !== undefined && { reason }),
      });
      return new Promise<Answered>((resolve) => {
        const settle = ({ counted, why }: Answered) =>
          resolve({ counted, ...(why !== undefined && { why }) });
        chat.waiting.push({ question, settle });
        setTimeout(() => resolve({ counted: false, why: "the chat does not answer" }), ANSWER_MS).unref();
      });
    },
    close: () => {
      clearInterval(timer);
      for (const { socket } of chats.values()) socket.destroy();
    },
  };
}

/** What a denied call is open as: whoever allows it lets the same call through once. */
function asSession(call: DeniedCall): OpenSession {
  const { title, session, project, time, print } = call;
  const question: OpenQuestion = { ...questionOf(call), id: print, timestamp: time };
  return { chat: chatOf(print), session, cwd: project, agent: title, isOver: true, questions: [question] };
}

/** Stands in the place of a chat that could be answered. */
function chatOf(print: string): string {
  return `denied ${print}`;
}

function answerDenied(print: string | undefined, kind: unknown, home: string | undefined): Answered {
  const isCounted =
    typeof print === "string" &&
    (kind === "once" ? allowDenied(print, home) !== undefined : kind === "deny" && dropDenied(print, home));
  const why = "this call cannot be allowed any more: ten minutes are over, or it was answered elsewhere";
  return isCounted ? { counted: true } : { counted: false, why };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Checks the fields that the page relies on; it shows them as text. */
function isState(value: unknown): value is ChatState & { type: "state" } {
  if (!isObject(value) || value.type !== "state") return false;
  const { session, cwd, questions, answered = [], agent = "" } = value;
  if (typeof agent !== "string") return false;
  if (typeof session !== "string" || typeof cwd !== "string") return false;
  if (!Array.isArray(answered) || !answered.every(isGiven)) return false;
  return Array.isArray(questions) && questions.every(isQuestion);
}

function isGiven(value: unknown): boolean {
  if (!isObject(value) || typeof value.question !== "string") return false;
  const isPlace = value.where === "terminal" || value.where === "page";
  return isPlace && ANSWER_KINDS.some((kind) => kind === value.kind);
}

/** Checks the fields that the page relies on. */
function isQuestion(value: unknown): boolean {
  if (!isObject(value) || typeof value.id !== "string" || typeof value.toolName !== "string") return false;
  const { rules, kinds } = value;
  const areKinds = Array.isArray(kinds) && kinds.every((kind) => ANSWER_KINDS.includes(kind));
  return areKinds && Array.isArray(rules) && rules.every((rule) => typeof rule === "string");
}

function isAnswered(value: unknown): value is Answered & { readonly question: string } {
  return isObject(value) && value.type === "answered" && typeof value.question === "string";
}
