const NEWLINE = 10;
/** Space around JSON: tab, line end, carriage return, space. */
const SPACE = [9, NEWLINE, 13, 32];
const FIRST_ROOM = 4096;

/** Splits bytes into lines. Leading space is no part of a line; a line of space alone is none. */
export interface LineReader {
  /** Hands on every whole line, and the beginning of a line that got too long. The rest of such a line is dropped. */
  add(chunk: Buffer): void;
  /** The bytes after the last line end. */
  rest(): Buffer;
}

export function lineReader(limit: number, onLine: (line: Buffer, cut: boolean) => void): LineReader {
  let held = Buffer.alloc(0);
  let length = 0;
  let isDropping = false;

  const hold = (bytes: Buffer) => {
    if (isDropping) return;
    const fits = Math.min(bytes.length, limit - length);
    if (length + fits > held.length) {
      const room = Buffer.allocUnsafe(Math.max(FIRST_ROOM, 2 * held.length, length + fits));
      held.copy(room, 0, 0, length);
      held = room;
    }
    bytes.copy(held, length, 0, fits);
    length += fits;
    if (fits === bytes.length) return;
    isDropping = true;
    hand(true);
  };
  const hand = (cut: boolean) => {
    const line = held.subarray(0, length);
    length = 0;
    held = Buffer.alloc(0);
    onLine(line, cut);
  };

  /** Looks at bytes one by one, without a call for each: a hook may print line ends for ever. */
  const pastSpace = (chunk: Buffer, from: number) => {
    if (length > 0 || isDropping) return from;
    let at = from;
    while (SPACE.includes(chunk[at] ?? 0)) at += 1;
    return at;
  };

  return {
    add: (chunk) => {
      let from = pastSpace(chunk, 0);
      for (let end = chunk.indexOf(NEWLINE, from); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        hold(chunk.subarray(from, end));
        if (isDropping) isDropping = false;
        else hand(false);
        from = pastSpace(chunk, end + 1);
      }
      if (from < chunk.length) hold(chunk.subarray(from));
    },
    rest: () => held.subarray(0, length),
  };
}
