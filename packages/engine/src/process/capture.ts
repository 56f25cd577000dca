import type { Readable } from "node:stream";

/** What is kept of a stream: at most `cap` bytes. The rest is read and dropped, so that the writer never blocks. */
export interface Capture {
  text(): string;
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
    text: () => decode(Buffer.concat(chunks), bytes > kept),
    get cut() {
      return bytes > kept;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** A cut may fall inside a character: with `stream`, the decoder holds back what is not whole. */
export function decode(bytes: Uint8Array, cut: boolean): string {
  if (bytes.length === 0) return "";
  return new TextDecoder("utf-8").decode(bytes, { stream: cut });
}
