import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "@belay/engine";
import { readText } from "@belay/engine/tools";

/**
 * Two processes on one session would write into each other's turns: the one that has it says so beside the transcript.
 * Throws a UsageError when another one has it: it may have come since the transcript was looked for and read.
 */
export function lockTranscript(transcript: string): () => void {
  const file = `${transcript}.lock`;
  const content = [process.pid, birthOf(process.pid) ?? []].flat().join(" ");
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
  const [number, birth] = contentOf(`${transcript}.lock`).split(" ");
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid || !isAlive(pid)) return undefined;
  const known = birth === undefined ? undefined : birthOf(pid);
  return known === undefined || known === birth ? pid : undefined;
}

/** When a process began: which boot, and at which tick of it. undefined where the system does not tell. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name in brackets that may hold anything; the 22nd is the tick.
    const tick = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return tick === undefined ? undefined : `${boot}:${tick}`;
  } catch {
    return undefined;
  }
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
