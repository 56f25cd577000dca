import { HEAD, type LogFlaw, type RawLine } from "@belay/harness";
import { openSource } from "./source.ts";

/** A line of a log, or why it is left out. Lines are counted from 1. */
export type LogLine = { readonly number: number } & (
  | { readonly text: string }
  | { readonly flaw: LogFlaw["why"] }
);

/** Said after each block, for readers that let the event loop go on. */
export const PAUSE = "pause";

const ROOM = 256 * 1024;
/** Bytes. An image or a whole file in a line stays below; what is longer is not kept. */
const MAX_LINE = 16 * 1024 * 1024;
const LINE_END = 10;
const RETURN = 13;
/** Some editors put it before the first line. */
const MARK = Buffer.from("\ufeff");
const BEGIN = 123;
const END = 125;

/**
 * The lines of a file that matter. What is held is one block, or the longest line. A line that is not written to its end is
 * torn, also the last one of a session that goes on.
 */
export function* linesOf(
  path: string,
  matters: (line: RawLine) => boolean,
): Generator<LogLine | typeof PAUSE> {
  const source = openSource(path);
  let room = Buffer.allocUnsafe(ROOM);
  let start = 0;
  let end = 0;
  let number = 0;
  /** Of a line that is too long to be kept. */
  let tooLong: { readonly says: boolean } | undefined;

  const lineTo = (to: number): LogLine | undefined => {
    number += 1;
    if (tooLong) {
      const { says } = tooLong;
      tooLong = undefined;
      return says ? { number, flaw: "long" } : undefined;
    }
    if (number === 1 && room.subarray(start, to).indexOf(MARK) === 0) start += MARK.length;
    const until = to > start && room[to - 1] === RETURN ? to - 1 : to;
    if (until === start) return undefined;
    const bytes = room.subarray(start, until);
    const isWhole = bytes[0] === BEGIN && bytes[bytes.length - 1] === END;
    if (!isWhole) return { number, flaw: "torn" };
    const head = bytes.toString("latin1", 0, HEAD);
    if (!matters({ head, has: (text) => bytes.includes(text) })) return undefined;
    return { number, text: bytes.toString() };
  };

  try {
    for (;;) {
      if (end === room.length) {
        if (start > 0) room.copyWithin(0, start, end);
        else if (room.length < MAX_LINE) room = Buffer.concat([room], 2 * room.length);
        else {
          // What it holds further on is not known: it is not said only if its head is enough to pass it over.
          tooLong ??= { says: matters({ head: room.toString("latin1", 0, HEAD), has: () => true }) };
          end = 0;
        }
        end -= start;
        start = 0;
      }
      const from = end;
      const length = source.read(room, end);
      end += length;
      const read = room.subarray(0, end);
      for (let at = read.indexOf(LINE_END, from); at >= 0; at = read.indexOf(LINE_END, start)) {
        const line = lineTo(at);
        start = at + 1;
        if (line) yield line;
      }
      if (length === 0) break;
      yield PAUSE;
    }
    const last = start < end || tooLong ? lineTo(end) : undefined;
    if (last) yield last;
  } finally {
    source.close();
  }
}
