const NEWLINE = 10;
const FIRST_ROOM = 4096;

/** Lines out of bytes as they come. */
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

  return {
    add: (chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        hold(chunk.subarray(from, end));
        if (isDropping) isDropping = false;
        else hand(false);
        from = end + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
    },
    rest: () => held.subarray(0, length),
  };
}
