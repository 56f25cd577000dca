import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { findProject, type Kept, keepProcesses } from "@belay/engine/internal";
import { typedProgram } from "../args/flags.ts";
import { type Answer, answerCall } from "../relay/answer.ts";
import { placeRelay } from "../relay/script.ts";
import { type Caller, callerOf, readCaller } from "./caller.ts";
import { askStatus } from "./client.ts";
import { buildMark, type Place } from "./place.ts";
import { OWN } from "./start.ts";

/** The resident ends after so long without an event. */
const IDLE_MS = 30 * 60_000;
/** The processes of a project are ended after so long without an event there. */
const PROJECT_MS = 10 * 60_000;
const SWEEP_MS = 5_000;
/** A caller hears something so often, and knows by it that the resident lives. */
const BEAT_MS = 500;
/** A larger payload is left to a process of its own. */
const MAX_BODY = 16 * 1024 * 1024;
/** Bytes of all payloads under way. */
const MAX_BODIES = 64 * 1024 * 1024;
const MAX_CALLS = 64;
const MAX_CONNECTIONS = 256;
/** A request must have come by then, and its answer must have been taken. */
const TRANSFER_MS = 10_000;
/** Calls under way may take so long to end when the resident is told to. */
const LEAVE_MS = 40_000;

/** Said with a status from 400 on: no hook was run, and the caller starts Belay itself. */
const BUSY = 503;
const NOT_HERE = 409;
const TOO_LARGE = 413;

interface Project {
  readonly kept: Kept;
  lastAt: number;
  calls: number;
}

/** What the resident says of itself. */
export interface Status {
  readonly pid: number;
  readonly since: string;
  readonly events: number;
  readonly projects: readonly string[];
  readonly rss: number;
}

interface Times {
  readonly idleMs?: number;
  readonly projectMs?: number;
  readonly sweepMs?: number;
}

/** Answers until it is told to leave, has nothing to do, or another has taken its place. Undefined if another answers already. */
export async function serve(
  place: Place,
  { idleMs = IDLE_MS, projectMs = PROJECT_MS, sweepMs = SWEEP_MS }: Times = {},
): Promise<Promise<void> | undefined> {
  const { socket, home } = place;
  const build = buildMark();
  const since = new Date().toISOString();
  const projects = new Map<string, Project>();
  let lastAt = Date.now();
  let events = 0;
  let calls = 0;
  let bodies = 0;
  let isLeaving = false;

  function enter(cwd: string): Project {
    const name = findProject(cwd, home);
    const project = projects.get(name) ?? {
      kept: keepProcesses({ handleSignals: false }),
      lastAt: 0,
      calls: 0,
    };
    projects.set(name, project);
    project.lastAt = Date.now();
    project.calls += 1;
    return project;
  }

  async function answer(caller: Caller, payload: string, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort(new Error("nobody waits for the answer any more")));
    const beat = setInterval(() => response.write("\n"), BEAT_MS);
    let project: Project | undefined;
    try {
      const { close, ...answered } = await answerCall({
        ...caller,
        program: typedProgram(caller.env),
        read: async () => payload,
        signal: gone.signal,
        keptFor: (cwd) => {
          project = enter(cwd);
          return project.kept;
        },
      });
      clearInterval(beat);
      events += 1;
      end(response, 200, framed(answered));
      await close();
    } finally {
      clearInterval(beat);
      lastAt = Date.now();
      if (project) {
        project.calls -= 1;
        project.lastAt = lastAt;
      }
    }
  }

  async function takeCall(request: IncomingMessage, response: ServerResponse, pid?: number): Promise<void> {
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    if (!(length <= MAX_BODY)) return end(response, TOO_LARGE);
    if (isLeaving || calls >= MAX_CALLS || bodies + length > MAX_BODIES) return end(response, BUSY);
    if (buildMark() !== build) {
      end(response, NOT_HERE);
      return leave();
    }
    calls += 1;
    bodies += length;
    try {
      const body = await readBody(request);
      const said = pid === undefined ? readCaller(parsed(body)) : undefined;
      const caller = pid === undefined ? said : callerOf(pid);
      if (!caller || OWN.some((name) => caller.env[name] !== process.env[name]))
        return end(response, NOT_HERE);
      await answer(caller, said?.payload ?? body, response);
    } finally {
      calls -= 1;
      bodies -= length;
    }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "" } = request;
    const [path, query] = url.split("?");
    const route = `${method} ${path}`;
    if (route === "POST /hook" && /^[1-9]\d{0,9}$/.test(query ?? ""))
      return takeCall(request, response, Number(query));
    if (route === "POST /call") return takeCall(request, response);
    if (route === "GET /status") {
      const rss = process.memoryUsage.rss();
      const status: Status = { pid: process.pid, since, events, projects: [...projects.keys()], rss };
      return end(response, 200, JSON.stringify(status));
    }
    if (route === "POST /stop") {
      end(response, 200);
      return leave();
    }
    end(response, 404);
  }

  const server = createServer(
    { maxHeaderSize: 4096, connectionsCheckingInterval: 1000 },
    (request, response) => {
      request.on("error", () => {});
      response.on("error", () => {});
      take(request, response).catch(() => response.destroy());
    },
  );
  Object.assign(server, {
    maxConnections: MAX_CONNECTIONS,
    headersTimeout: TRANSFER_MS / 2,
    requestTimeout: TRANSFER_MS,
    keepAliveTimeout: 1,
  });

  // Under a name of its own first: a socket that is replaced in one step is never missing, nor open to others.
  const draft = `${socket}.${process.pid}`;
  rmSync(draft, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(draft, resolve);
  });
  chmodSync(draft, 0o600);
  if ((await askStatus(place)) !== undefined) {
    server.close();
    rmSync(draft, { force: true });
    return undefined;
  }
  renameSync(draft, socket);
  const { ino } = lstatSync(socket);
  const isOurs = () => lstatSync(socket, { throwIfNoEntry: false })?.ino === ino;
  placeRelay(home);

  let left = () => {};
  const leaving = new Promise<void>((resolve) => {
    left = resolve;
  });
  const sweep = setInterval(() => {
    const now = Date.now();
    for (const [name, project] of projects) {
      if (project.calls > 0 || now - project.lastAt < projectMs) continue;
      projects.delete(name);
      void project.kept.close();
    }
    if (!isOurs() || (calls === 0 && now - lastAt >= idleMs)) void leave();
  }, sweepMs);

  /** Takes no more calls, and ends when those under way have ended. */
  async function leave(): Promise<void> {
    if (isLeaving) return;
    isLeaving = true;
    clearInterval(sweep);
    if (isOurs()) rmSync(socket, { force: true });
    server.close();
    const until = Date.now() + LEAVE_MS;
    while (calls > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    server.closeAllConnections();
    await Promise.all([...projects.values()].map(({ kept }) => kept.close()));
    left();
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void leave());
  return leaving;
}

/** As the script reads it: the exit code and the stream in a line, and the words. */
function framed({ exitCode, stream, text }: Answer): string {
  return `${exitCode} ${stream === "stdout" ? 1 : 2}\n${text}`;
}

function end(response: ServerResponse, status: number, text = ""): void {
  if (!response.headersSent) response.writeHead(status, { connection: "close" });
  response.end(text);
  // A caller that takes nothing holds nothing for long.
  response.socket?.setTimeout(TRANSFER_MS, () => response.destroy());
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
