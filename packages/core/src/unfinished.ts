import type { Run, Stream } from "./types.ts";

/** Why an answer among a run's output counts only as far as it restricts, in words that are true of this kind of hook. */
export interface Hedge {
  readonly found: string;
  readonly advice: string;
  /** For the agent, which reads no word that the hook or its server chose. */
  readonly withheld: string;
}

/** The shell says so when a command is not executable or not found. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127];

const AMONG = "JSON was found among other output";
const NOT_SOUND = "its output was not one sound JSON object";
const ON_STDOUT = "Print one JSON object and nothing else on stdout; send logs to stderr.";
const BY_ITSELF = "Let the hook end by itself: what it prints counts in full only then.";

export const AMONG_OTHER: Hedge = { found: AMONG, advice: ON_STDOUT, withheld: NOT_SOUND };

/** Why what a hook said may not be all that it meant to say; undefined when it ended by itself. */
export function whyUnfinished(run: Run): Hedge | undefined {
  const { failure, exitCode } = run;
  if (run.cut?.includes("stdout")) {
    const found = `JSON was found in ${isProcess(run) ? "stdout, which" : "an answer that"} was cut`;
    const advice = `${isProcess(run) ? "Print" : "Answer with"} less: what is within the cap counts in full.`;
    return { found, advice, withheld: isProcess(run) ? NOT_SOUND : "its answer was cut" };
  }
  if (run.timedOut) return notAll("of a hook that timed out");
  if (failure?.kind === "http")
    return {
      found: `JSON was found in a body that is no answer (${failure.detail})`,
      advice: "Answer with a 2xx status and one JSON object, nothing else.",
      withheld: "its server did not answer with a 2xx status and one JSON object",
    };
  if (failure !== undefined || run.signal !== undefined)
    return notAll("of a hook that did not end by itself");
  if (exitCode !== undefined && NOT_STARTED_CODES.includes(exitCode))
    return notAll(`of a command that did not start (exit ${exitCode})`);
  return undefined;
}

function notAll(whose: string): Hedge {
  return { found: `JSON was found in the output ${whose}`, advice: BY_ITSELF, withheld: NOT_SOUND };
}

/** Whether a run was one of a process: what it says came on stdout. Others answer, and have no exit code. */
export function isProcess({ exitCode, signal, failure }: Run): boolean {
  if (exitCode !== undefined || signal !== undefined) return true;
  return failure !== undefined && failure.kind !== "http" && failure.kind !== "throw";
}

/** What became of output that is no answer. */
export function whatDecided({ exitCode }: Run, isRead: boolean): string {
  if (isRead) return "only what restricts was read";
  return exitCode === undefined ? "nothing of it counts" : "the exit code decided";
}

/** Streams that held something other than text in UTF-8. A NUL is in no text, and between all letters in UTF-16. */
export function notText({ notUtf8, stdout, stderr }: Run): Stream[] {
  const texts = { stdout, stderr };
  return (["stdout", "stderr"] as const).filter(
    (stream) => notUtf8?.includes(stream) || texts[stream].includes("\0"),
  );
}
