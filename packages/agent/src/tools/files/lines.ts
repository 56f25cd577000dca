import { open } from "node:fs/promises";
import { breather } from "./breather.ts";

const CHUNK = 64 * 1024;

export interface LineReading {
  readonly signal: AbortSignal;
  /** Characters kept of a line; a longer one is handed over cut. */
  readonly keep: number;
}

/**
 * Hands over a file's lines, one by one and without their ends, until one is answered with `false`. Never more of the
 * file than a chunk is in memory, however long its lines. A file with a NUL in its first chunk is no text.
 */
export async function eachLine(
  file: string,
  { signal, keep }: LineReading,
  visit: (text: string, isCut: boolean) => boolean,
): Promise<"end" | "stopped" | "binary"> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const decoder = new TextDecoder();
    const breathe = breather(signal);
    let open = "";
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, CHUNK);
      const bytes = buffer.subarray(0, bytesRead);
      if (isFirst && bytes.includes(0)) return "binary";
      const pieces = decoder.decode(bytes, { stream: bytesRead > 0 }).split("\n");
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        if (!visitLine(join(open, piece, keep), keep, visit)) return "stopped";
        open = "";
        if (breathe.isDue()) await breathe();
      }
      open = join(open, last, keep);
      if (bytesRead > 0) continue;
      if (open !== "" && !visitLine(open, keep, visit)) return "stopped";
      return "end";
    }
  } finally {
    await handle.close();
  }
}

/** Two characters more than are kept: one to see that it is too long, one for the CR of a line that just fits. */
function join(start: string, piece: string, keep: number): string {
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
