import { closeSync, openSync, readSync } from "node:fs";
import { Decompress } from "fzstd";

/** The bytes of a file, in order. */
export interface Source {
  /** Puts bytes into a buffer from a place on; returns how many, and 0 at the end. */
  read(into: Buffer, at: number): number;
  close(): void;
}

/** Compressed bytes that are read at once. All that they become is held, which of text that repeats itself is a thousand times as much. */
const BLOCK = 4 * 1024;

/** A file as it is, or decompressed: what is held of a compressed one is its window, and what a block becomes. */
export function openSource(path: string): Source {
  const descriptor = openSync(path, "r");
  const close = () => closeSync(descriptor);
  const read = path.endsWith(".zst")
    ? decompressed(descriptor)
    : (into: Buffer, at: number) => readSync(descriptor, into, at, into.length - at, null);
  return { read, close };
}

function decompressed(descriptor: number): Source["read"] {
  const pieces: Uint8Array[] = [];
  const stream = new Decompress((piece) => void pieces.push(piece.slice()));
  let isAtEnd = false;
  return (into, at) => {
    while (pieces.length === 0 && !isAtEnd) {
      // The stream keeps what it cannot decompress yet.
      const block = new Uint8Array(BLOCK);
      const length = readSync(descriptor, block, 0, BLOCK, null);
      isAtEnd = length === 0;
      stream.push(block.subarray(0, length), isAtEnd);
    }
    const [piece] = pieces;
    if (!piece) return 0;
    const length = Math.min(piece.length, into.length - at);
    into.set(piece.subarray(0, length), at);
    if (length === piece.length) pieces.shift();
    else pieces[0] = piece.subarray(length);
    return length;
  };
}
