import type { Run } from "@belay/core";
import { type Decoded, decode } from "../process/capture.ts";
import { capped } from "../runners/runner.ts";
import type { Said } from "./envelope.ts";

type Stream = "stdout" | "stderr";

/** How a line came: what was lost of it on the way. */
export interface Arrival {
  readonly isCut?: boolean;
  readonly isAltered?: boolean;
}

/** The facts of a run, as a cold hook that says the same would leave them; `real` is what it wrote to stderr itself. */
export function saidRun(said: Said, real: Decoded, cap: number, line: Arrival = {}): Partial<Run> {
  const between = real.text === "" || real.text.endsWith("\n") || !said.stderr ? "" : "\n";
  const texts = { stdout: said.stdout ?? "", stderr: real.text + between + (said.stderr ?? "") };
  const { cut: over = [], ...kept } = capped(texts, cap);
  const cut: Stream[] = line.isCut && !over.includes("stdout") ? ["stdout", ...over] : [...over];
  const notUtf8: Stream[] = [
    ...(line.isAltered ? ["stdout" as const] : []),
    ...(real.isAltered ? ["stderr" as const] : []),
  ];
  return {
    ...(said.exitCode !== undefined && { exitCode: said.exitCode }),
    ...kept,
    truncated: cut.length > 0,
    ...(cut.length > 0 && { cut, cap }),
    ...(notUtf8.length > 0 && { notUtf8 }),
  };
}

/** The beginning of what a process writes while a call is under way. */
export interface Kept {
  /** false when nothing more is kept. */
  add(chunk: Buffer): boolean;
  decoded(): Decoded;
}

/** One byte more than the cap: so it shows that there was more. */
export function keepFirst(cap: number): Kept {
  const chunks: Buffer[] = [];
  let room = cap + 1;
  return {
    add: (chunk) => {
      if (room === 0) return false;
      chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
      room -= Math.min(chunk.length, room);
      return true;
    },
    decoded: () => decode(Buffer.concat(chunks), room === 0),
  };
}
