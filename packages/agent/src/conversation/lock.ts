import { rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "@belay/engine";
import { holderName, livingHolder, readText } from "@belay/engine/tools";

/**
 * Two processes on one session would write into each other's turns: the one that has it says so beside the transcript.
 * Throws a UsageError when another one has it: it may have come since the transcript was looked for and read.
 */
export function lockTranscript(transcript: string): () => void {
  const file = `${transcript}.lock`;
  const content = holderName(process.pid);
  try {
    writeFileSync(file, content, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const owner = ownerOf(transcript);
    if (owner !== undefined) throw taken({ id: basename(transcript, ".jsonl"), process: owner });
    writeFileSync(file, content, { mode: 0o600 });
  }
  return () => rmSync(file, { force: true });
}

/** A session that another process has open. */
export interface OpenElsewhere {
  readonly id: string;
  readonly process: number;
}

export function taken({ id, process: owner }: OpenElsewhere): UsageError {
  return new UsageError(`session ${id} is open in process ${owner}; end that one first`);
}

/**
 * The process that has a session open, if another one has. One that died without a word has it no more, nor has the one
 * that was given its number since.
 */
export function ownerOf(transcript: string): number | undefined {
  const pid = livingHolder(contentOf(`${transcript}.lock`));
  return pid === process.pid ? undefined : pid;
}

function contentOf(file: string): string {
  try {
    return readText(file);
  } catch {
    return "";
  }
}
