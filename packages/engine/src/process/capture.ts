import type { Readable } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { plural } from "@belay/core/internal";

/** What is kept of a stream: at most `cap` bytes. The rest is read and dropped, so that the writer never blocks. */
export interface Capture {
  decoded(): Decoded;
  /** More came than is kept. */
  readonly cut: boolean;
  /** Everything that came, kept or not. */
  readonly bytes: number;
}

/** The first `cap` bytes of a stream, and its last `tail` bytes where that is asked for. */
export function capture(stream: Readable, cap: number, tail = 0): Capture {
  const chunks: Buffer[] = [];
  const end = tail > 0 ? keepEnd(tail) : undefined;
  let kept = 0;
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    const room = cap - kept;
    if (room <= 0) {
      end?.add(chunk);
      giveBack(chunk);
      return;
    }
    chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
    kept += Math.min(chunk.length, room);
    if (chunk.length > room) end?.add(chunk.subarray(room));
  });
  stream.on("error", () => {});
  const isCut = () => bytes > kept + tail;
  return {
    decoded: () => {
      if (bytes === 0) return NOTHING;
      if (!end) return decode(Buffer.concat(chunks), isCut());
      if (!isCut()) return decode(Buffer.concat([...chunks, end.bytes()]), false);
      const [first, last] = [toWholeCharacter(Buffer.concat(chunks)), fromWholeCharacter(end.bytes())];
      const leftOut = bytes - first.length - last.length;
      const note = `[… ${plural(leftOut, "byte")} left out …]`;
      const [before, after] = [decode(first, false), decode(last, false)];
      return {
        text: `${before.text}\n${note}\n${after.text}`,
        isAltered: before.isAltered || after.isAltered,
      };
    },
    get cut() {
      return isCut();
    },
    get bytes() {
      return bytes;
    },
  };
}

/** A port that is closed: what is transferred to it is freed at once. Made when the first stream overflows. */
let nowhere: MessagePort | undefined;

/**
 * Frees a chunk that nobody needs any more. Left to the collector, a flood is held in tens of MiB of chunks already
 * dropped, and the more of it there is, the more of them are seen at once.
 */
export function giveBack(chunk: Buffer): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== chunk.byteLength) return;
  nowhere ??= closedPort();
  nowhere.postMessage(undefined, [buffer]);
}

function closedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  port2.close();
  return port1;
}

/** The last `size` bytes of what is added, copied: a small piece must not hold the stream's whole buffer. */
function keepEnd(size: number): { add(chunk: Buffer): void; bytes(): Buffer } {
  let held = Buffer.alloc(0);
  // Bytes are gathered up to twice the size before they are cut back: each is copied about twice, however small its chunk.
  const pieces: Buffer[] = [];
  let gathered = 0;
  const bytes = () => {
    held = Buffer.concat([held, ...pieces.splice(0)]).subarray(-size);
    gathered = 0;
    return held;
  };
  return {
    add: (chunk) => {
      const piece = Buffer.from(chunk.subarray(-size));
      pieces.push(piece);
      gathered += piece.length;
      if (gathered >= size) bytes();
    },
    bytes,
  };
}

/** The first part may end inside a character: what is there of it is left out, too. */
function toWholeCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

/** A tail may begin inside a character: its continuation bytes, three at most, are left out. */
function fromWholeCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

export interface Decoded {
  readonly text: string;
  /** Bytes were not UTF-8, and U+FFFD stands in their place. */
  readonly isAltered: boolean;
}

const NOTHING: Decoded = { text: "", isAltered: false };

/** A cut may fall inside a character: with `stream`, the decoder holds back what is not whole. */
export function decode(bytes: Uint8Array, cut: boolean): Decoded {
  if (bytes.length === 0) return NOTHING;
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
