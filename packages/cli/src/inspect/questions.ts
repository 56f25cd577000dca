import { readdirSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { isObject } from "@belay/core/internal";
import {
  ANSWER_KINDS,
  type Answered,
  type AnswerRequest,
  type ChatState,
  type OpenSession,
} from "@belay/inspector/api";
import { HAS_SOCKETS, isSocketName, readLines, runFolder, writeLine } from "../sockets.ts";

export interface Questions {
  /** Tells what is open, now and after each change, until it is ended. */
  watch(changed: (sessions: readonly OpenSession[]) => void, ended: AbortSignal): void;
  answer(request: Partial<AnswerRequest>): Promise<Answered>;
  close(): void;
}

const LOOK_MS = 500;
const ANSWER_MS = 5_000;

interface Chat {
  readonly socket: Socket;
  session: OpenSession | undefined;
  /** Pages that wait for the chat's reply to an answer. A chat replies in the order in which answers came. */
  readonly waiting: { readonly question: string; settle(answered: Answered): void }[];
}

export function findQuestions(home?: string): Questions {
  /** By the names of their sockets, which hold the process: two chats may be at one session. */
  const chats = new Map<string, Chat>();
  const watchers = new Set<(sessions: readonly OpenSession[]) => void>();
  const sessions = () => [...chats.values()].flatMap(({ session }) => session ?? []);
  const tell = () => {
    for (const watcher of watchers) watcher(sessions());
  };

  function connect(folder: string, name: string): void {
    const socket = createConnection(join(folder, name));
    const chat: Chat = { socket, session: undefined, waiting: [] };
    chats.set(name, chat);
    readLines(socket, (value) => {
      if (isState(value)) {
        const { session, cwd, questions, answered } = value;
        chat.session = { chat: name, session, cwd, questions, ...(answered && { answered }) };
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
      if (isSocketName(name) && !chats.has(name)) connect(folder, name);
    }
  }
  if (HAS_SOCKETS) look();
  const timer = HAS_SOCKETS ? setInterval(look, LOOK_MS) : undefined;

  return {
    watch: (changed, ended) => {
      if (ended.aborted) return;
      watchers.add(changed);
      ended.addEventListener("abort", () => watchers.delete(changed), { once: true });
      changed(sessions());
    },
    answer: async ({ chat: name = "", question, kind, reason }) => {
      const chat = chats.get(name);
      if (!chat?.session || typeof question !== "string")
        return { counted: false, why: "that chat is not open any more" };
      writeLine(chat.socket, { question, kind, ...(reason !== undefined && { reason }) });
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
  const { session, cwd, questions, answered = [] } = value;
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
