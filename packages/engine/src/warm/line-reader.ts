const NEWLINE = 10;
/** What JSON may have around it: tab, line end, carriage return, space. */
const SPACE = [9, NEWLINE, 13, 32];
const FIRST_ROOM = 4096;

/** Lines out of bytes as they come. Space that a line begins with is no part of it, and a line of nothing else is none. */
export interface LineReader {
  /** Hands on every line that is whole now, and the beginning of one that got too long; what follows of it is dropped. */
  add(chunk: Buffer): void;
  /** What came after the last line end. */
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

  /** One by one and without a call each: a hook may print nothing but line ends, for ever. */
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
