import { type FileHandle, open } from "node:fs/promises";
import { pauseNowAndThen } from "./walk.ts";

const CHUNK = 64 * 1024;
const LINE_END = 0x0a;

/**
 * Hands over a file's lines, one by one and without their ends, until one is answered with `false`: no more are wanted,
 * and "stopped" says that there are more. Of a line at most `keep` characters are handed over. Never more of the file than
 * a chunk is in memory, however long its lines. A file with a NUL in its first chunk is no text.
 */
export async function eachLine(
  file: string,
  { signal, keep }: { readonly signal: AbortSignal; readonly keep: number },
  visit: (text: string, isCut: boolean) => boolean,
): Promise<"end" | "stopped" | "binary"> {
  const handle = await open(file, "r");
  try {
    const chunks = chunksOf(handle, signal);
    const pauseIfDue = pauseNowAndThen(signal);
    let decoder = new TextDecoder();
    let begun = "";
    let isFirst = true;
    for await (const bytes of chunks) {
      if (isFirst && bytes.includes(0)) return "binary";
      isFirst = false;
      const end = begun.length > keep + 1 ? bytes.indexOf(LINE_END) : 0;
      // The rest of a line that is too long is not even decoded.
      if (end < 0) continue;
      if (end > 0) decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      const pieces = decoder.decode(bytes.subarray(end), { stream: true }).split("\n");
      const last = pieces.pop() ?? "";
      for (const [index, piece] of pieces.entries()) {
        const goesOn = visitLine(joined(begun, piece, keep), keep, visit);
        begun = "";
        if (!goesOn)
          return index + 1 < pieces.length || last !== "" || !(await chunks.next()).done ? "stopped" : "end";
        const pause = pauseIfDue();
        if (pause) await pause;
      }
      begun = joined(begun, last, keep);
    }
    begun = joined(begun, decoder.decode(), keep);
    if (begun !== "") visitLine(begun, keep, visit);
    return "end";
  } finally {
    await handle.close();
  }
}

/** Each chunk is in the same memory as the one before. */
async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Two characters more than are kept: one to see that it is too long, one for the CR of a line that just fits. */
function joined(start: string, piece: string, keep: number): string {
  return start.length > keep + 1 ? start : (start + piece).slice(0, keep + 2);
}

function visitLine(line: string, keep: number, visit: (text: string, isCut: boolean) => boolean): boolean {
  const text = line.length <= keep + 1 && line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.length > keep ? visit(cutAt(text, keep), true) : visit(text, false);
}

/** The first characters of a text; a pair that makes one character is not parted. */
export function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
