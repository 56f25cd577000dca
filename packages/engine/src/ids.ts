/*
 * Names for sessions, records and folders. None of them guards anything, so they are made without node:crypto, which
 * takes 4 ms of every start of `belay run`; it is loaded when a print of something trusted is needed.
 */

/** A UUID, version 4, as agents name their sessions. */
export function randomId(): string {
  const hex = Array.from({ length: 4 }, randomWord).join("");
  const variant = "89ab"[Math.floor(Math.random() * 4)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** One id after another: a UUID whose first part counts, as that is the part by which people name one. */
export function idSequence(): () => string {
  const rest = randomId().slice(8);
  let count = Math.floor(Math.random() * 2 ** 32);
  return () => {
    count = (count + 1) % 2 ** 32;
    return count.toString(16).padStart(8, "0") + rest;
  };
}

function randomWord(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}

/** Eight hex digits that tell texts apart (FNV-1a). */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

export function sha256(content: string | Uint8Array, encoding: "hex" | "base64" = "hex"): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest(encoding);
}
