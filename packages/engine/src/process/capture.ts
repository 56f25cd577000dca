import type { Readable } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import type { Run } from "@belay/core";
import { plural } from "@belay/core/internal";

/** What a Run keeps of one stream. */
export interface Kept {
  readonly text: string;
  /** More came than is kept. */
  readonly isCut: boolean;
  /** Bytes were not UTF-8, and U+FFFD stands in their place. */
  readonly isAltered: boolean;
}

/** Keeps the first bytes of a stream. */
export interface Capture {
  /** Returns true if the chunk itself is held, and false if its bytes were copied or dropped. */
  add(chunk: Uint8Array): boolean;
  /** `isWhole` is false for a stream that broke off: its last character may be incomplete. */
  kept(isWhole?: boolean): Kept;
  /** Everything that came, kept or not. */
  readonly bytes: number;
}

/** Keeps at most `cap` bytes from the beginning, and `tail` bytes from the end where that is asked for. */
export function capture(cap: number, tail = 0): Capture {
  const chunks: Uint8Array[] = [];
  const end = tail > 0 ? keepEnd(tail) : undefined;
  let bytes = 0;
  const isCut = () => bytes > cap + tail;
  return {
    add: (chunk) => {
      const room = Math.max(0, cap - bytes);
      bytes += chunk.length;
      const fits = chunk.length <= room;
      if (room > 0) chunks.push(fits ? chunk : Buffer.from(chunk.subarray(0, room)));
      if (!fits) end?.add(chunk.subarray(room));
      return fits;
    },
    kept: (isWhole = true) => {
      const first = Buffer.concat(chunks);
      if (!end) return { ...decode(first, isCut() || !isWhole), isCut: isCut() };
      if (!isCut()) return { ...decode(Buffer.concat([first, end.bytes()]), false), isCut: false };
      return joined(toWholeCharacter(first), fromWholeCharacter(end.bytes()), bytes);
    },
    get bytes() {
      return bytes;
    },
  };
}

/** Captures a stream. What is not kept is read and dropped, so that the writer never blocks. */
export function captureStream(stream: Readable, cap: number, tail?: number): Capture {
  const kept = capture(cap, tail);
  stream.on("data", (chunk: Buffer) => {
    if (!kept.add(chunk)) giveBack(chunk);
  });
  stream.on("error", () => {});
  return kept;
}

function joined(first: Buffer, last: Buffer, bytes: number): Kept {
  const [before, after] = [decode(first, false), decode(last, false)];
  const note = `[… ${plural(bytes - first.length - last.length, "byte")} left out …]`;
  return {
    text: `${before.text}\n${note}\n${after.text}`,
    isCut: true,
    isAltered: before.isAltered || after.isAltered,
  };
}

type Stream = "stdout" | "stderr";

/** A Run that began at `started` (performance.now()) and ends now; silent but for the given facts. */
export function runSince(started: number, facts: Partial<Run>): Run {
  return {
    stdout: "",
    stderr: "",
    executionTime: performance.now() - started,
    timedOut: false,
    truncated: false,
    ...facts,
  };
}

/** The facts that the streams of a Run make; at most `cap` bytes of each were kept. */
export function outputFacts(streams: Partial<Record<Stream, Kept>>, cap: number): Partial<Run> {
  const { stdout = NOTHING, stderr = NOTHING } = streams;
  const cut = streamNames(stdout.isCut, stderr.isCut);
  const notUtf8 = streamNames(stdout.isAltered, stderr.isAltered);
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: cut.length > 0,
    ...(cut.length > 0 && { cut, cap }),
    ...(notUtf8.length > 0 && { notUtf8 }),
  };
}

function streamNames(stdout: boolean, stderr: boolean): Stream[] {
  return [...(stdout ? ["stdout" as const] : []), ...(stderr ? ["stderr" as const] : [])];
}

/** A text as a Run keeps it: at most `cap` bytes, cut between characters. */
export function keptText(text: string, cap: number): Kept {
  const bytes = Buffer.from(text);
  const isCut = bytes.length > cap;
  return { text: decode(bytes.subarray(0, cap), isCut).text, isCut, isAltered: false };
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
function keepEnd(size: number): { add(chunk: Uint8Array): void; bytes(): Buffer } {
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

const NOTHING: Kept = { text: "", isCut: false, isAltered: false };

/** `mayEndEarly`: the bytes may end inside a character, which is then left out. */
export function decode(bytes: Uint8Array, mayEndEarly: boolean): Omit<Kept, "isCut"> {
  if (bytes.length === 0) return NOTHING;
  const text = new TextDecoder("utf-8").decode(bytes, { stream: mayEndEarly });
  return { text, isAltered: text.includes("\uFFFD") && !isUtf8(bytes, mayEndEarly) };
}

/** A stream may hold U+FFFD itself, so the text does not tell. */
function isUtf8(bytes: Uint8Array, mayEndEarly: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayEndEarly });
    return true;
  } catch {
    return false;
  }
}
