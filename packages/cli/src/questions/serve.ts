import { chmodSync, readdirSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { isObject } from "@belay/core/internal";
import type { Answered, AnswerRequest, ChatState, GivenAnswer } from "@belay/inspector/api";
import { HAS_SOCKETS, isSocketName, openRunFolder, readLines, socketName, writeLine } from "../sockets.ts";

/** What comes over the socket: an answer, and where the person gave it. Nothing of it is checked. */
export type GivenLine = Partial<AnswerRequest> & { readonly where?: unknown };

export function placeOf(where: unknown): GivenAnswer["where"] {
  return where === "terminal" ? "terminal" : "page";
}

export interface ServedQuestions {
  /** Tells all readers how it stands now. */
  tell(): void;
  /** Tells how it stands a last time. */
  end(): void;
}

interface Asker {
  /** Names the socket; two may have the same. */
  readonly session: string;
  state(): ChatState;
  take(given: GivenLine): Answered;
  /** Called when somebody began to watch, or stopped. */
  watched?(watchers: number): void;
}

/**
 * Lets other processes of this user see and answer open questions. Returns undefined where there can be no socket: nobody
 * hears of the questions then.
 */
export async function serveQuestions(asker: Asker, home?: string): Promise<ServedQuestions | undefined> {
  if (!HAS_SOCKETS) return undefined;
  const readers = new Set<Socket>();
  const watching = new Set<Socket>();
  const line = () => ({ type: "state", ...asker.state() });
  const server = createServer((socket) => {
    readers.add(socket);
    socket.once("close", () => {
      readers.delete(socket);
      if (watching.delete(socket)) asker.watched?.(watching.size);
    });
    readLines(socket, (value) => {
      if (isObject(value) && typeof value.watching === "boolean") {
        if (value.watching) watching.add(socket);
        else watching.delete(socket);
        asker.watched?.(watching.size);
        return;
      }
      const given: GivenLine = isObject(value) ? value : {};
      writeLine(socket, { type: "answered", question: given.question ?? "", ...asker.take(given) });
    });
    writeLine(socket, line());
  });
  const path = await listen(server, asker.session, home);
  if (path === undefined) return undefined;
  const tell = () => {
    for (const reader of readers) writeLine(reader, line());
  };
  return {
    tell,
    end: () => {
      tell();
      for (const reader of readers) reader.end(() => reader.destroy());
      server.close();
      rmSync(path, { force: true });
    },
  };
}

async function listen(
  server: Server,
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
