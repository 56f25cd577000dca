import { fstatSync, readSync, writeSync } from "node:fs";

/*
 * The streams of a relay, read and written without those of Node: to load them takes 7 ms of each call. A pipe that does not
 * wait is left to Node's streams from there on.
 */

const CHUNK = 64 * 1024;
/** More than any event holds. */
const MAX_INPUT = 256 * 1024 * 1024;

export async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  const keep = (chunk: Buffer) => {
    total += chunk.length;
    if (total > MAX_INPUT) throw new Error(`it has more than ${MAX_INPUT} bytes, and no more are read`);
    chunks.push(chunk);
  };
  const isWhole = readNow(keep);
  if (!isWhole) for await (const chunk of process.stdin as AsyncIterable<Buffer>) keep(chunk);
  return Buffer.concat(chunks).toString();
}

/** False if more may come. */
function readNow(keep: (chunk: Buffer) => void): boolean {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let length = 0;
    try {
      length = readSync(0, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") return false;
      if (code !== "EOF") throw error; // the end of a pipe, on Windows
    }
    if (length === 0) return true;
    keep(chunk.subarray(0, length));
  }
}

/** Node's own streams are loaded only for what may be a terminal. */
export function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice() && process.stdin.isTTY === true;
  } catch {
    return false;
  }
}

let isAllWritten = true;

/** Whether nothing that was written is still on its way. */
export const isWritten = (): boolean => isAllWritten;

/** Returns false if the text is lost. */
export function write(stream: "stdout" | "stderr", text: string): boolean {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(stream === "stdout" ? 1 : 2, rest));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return false;
    isAllWritten = false;
    process[stream].on("error", () => {}).write(rest);
  }
  return true;
}
