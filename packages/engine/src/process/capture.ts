import type { Readable } from "node:stream";

/** What is kept of a stream: at most `cap` bytes. The rest is read and dropped, so that the writer never blocks. */
export interface Capture {
  decoded(): Decoded;
  /** More came than is kept. */
  readonly cut: boolean;
  /** Everything that came, kept or not. */
  readonly bytes: number;
}

export function capture(stream: Readable, cap: number): Capture {
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (kept >= cap) return;
    const room = cap - kept;
    chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
    kept += Math.min(chunk.length, room);
  });
  stream.on("error", () => {});
  return {
    decoded: () => decode(Buffer.concat(chunks), bytes > kept),
    get cut() {
      return bytes > kept;
    },
    get bytes() {
      return bytes;
    },
  };
}

export interface Decoded {
  readonly text: string;
  /** Bytes were not UTF-8, and U+FFFD stands in their place. */
  readonly isAltered: boolean;
}

/** A cut may fall inside a character: with `stream`, the decoder holds back what is not whole. */
export function decode(bytes: Uint8Array, cut: boolean): Decoded {
  if (bytes.length === 0) return { text: "", isAltered: false };
  const text = new TextDecoder("utf-8").decode(bytes, { stream: cut });
  return { text, isAltered: text.includes("\uFFFD") && !isSound(bytes, cut) };
}

/** U+FFFD may be what was written: only bytes tell. */
function isSound(bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}
