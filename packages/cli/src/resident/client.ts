import { request } from "node:http";
import { isObject } from "@belay/core/internal";
import type { Answer } from "../relay/answer.ts";
import type { Caller } from "./caller.ts";
import type { Place } from "./place.ts";
import type { Status } from "./server.ts";

/** A resident that says nothing for so long hangs. */
const SILENT_MS = 3_000;

interface Reply {
  /** Absent: there was none. */
  readonly status?: number;
  readonly text: string;
  /** It was reached: a hook may have run. */
  readonly wasReached: boolean;
}

/** One question to the resident. Never rejects. */
function put(
  { socket }: Place,
  method: string,
  path: string,
  body = "",
  silentMs = SILENT_MS,
): Promise<Reply> {
  return new Promise((resolve) => {
    let wasReached = false;
    const fail = () => resolve({ text: "", wasReached });
    const headers = { "content-length": Buffer.byteLength(body) };
    const asking = request({ socketPath: socket, method, path, headers, timeout: silentMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("close", () => {
        const { statusCode: status = 0, complete } = response;
        if (complete) resolve({ status, text: Buffer.concat(chunks).toString(), wasReached });
        else fail();
      });
    });
    asking.on("socket", (connection) => connection.once("connect", () => (wasReached = true)));
    asking.on("timeout", () => asking.destroy());
    asking.on("error", fail);
    asking.end(body);
  });
}

/** The answer of the resident, or the milliseconds that were waited in vain: 0 if no hook can have run. */
export async function askResident(
  place: Place,
  caller: Caller & { payload: string },
): Promise<Answer | number> {
  const began = performance.now();
  const { status, text, wasReached } = await put(place, "POST", "/call", JSON.stringify(caller));
  const answer = status === 200 ? readAnswer(text) : undefined;
  if (answer) return answer;
  const mayHaveRun = wasReached && (status === undefined || status < 400);
  return mayHaveRun ? Math.max(1, performance.now() - began) : 0;
}

function readAnswer(text: string): Answer | undefined {
  const [, code, stream, words = ""] = /^\n*(\d+) ([12])\n(.*)$/s.exec(text) ?? [];
  if (code === undefined) return undefined;
  return { exitCode: Number(code), stream: stream === "1" ? "stdout" : "stderr", text: words };
}

const STATUS_MS = 1_000;

export async function askStatus(place: Place): Promise<Status | undefined> {
  const { status, text } = await put(place, "GET", "/status", "", STATUS_MS);
  if (status !== 200) return undefined;
  const said: unknown = JSON.parse(text);
  return isObject(said) ? (said as unknown as Status) : undefined;
}

/** True if it was told. It may take some time to end what is under way. */
export async function tellToStop(place: Place): Promise<boolean> {
  return (await put(place, "POST", "/stop")).status === 200;
}
