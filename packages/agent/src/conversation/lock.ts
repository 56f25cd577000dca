import { rmSync, writeFileSync } from "node:fs";
import { readText } from "@belay/engine/tools";

/** Two processes on one session would write into each other's turns: the one that has it says so beside the transcript. */
export function lockTranscript(transcript: string): () => void {
  const file = `${transcript}.lock`;
  writeFileSync(file, String(process.pid), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The process that has a session open, if another one has. One that died without a word has it no more. */
export function ownerOf(transcript: string): number | undefined {
  const pid = Number(contentOf(`${transcript}.lock`));
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid) ? pid : undefined;
}

function contentOf(file: string): string {
  try {
    return readText(file);
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
