import type { Hash } from "node:crypto";

/*
 * Names for sessions, records and folders. None of them guards anything, so they are made without node:crypto, which
 * takes 4 ms of every start of `belay run`; it is loaded when a print of something trusted is needed.
 */

/** A UUID, version 4, as agents name their sessions. */
export function randomId(): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (char) => {
    const digit = Math.floor(Math.random() * 16);
    return (char === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}

/** Eight hex digits that tell texts apart (FNV-1a). */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

export function sha256(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}
