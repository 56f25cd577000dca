import { isObject, messageOf } from "@belay/core/internal";
import { type Decoded, decode, type Harness } from "@belay/harness";
import { BELAY, isFolder } from "../args/flags.ts";
import { isTerminal, readAll } from "./streams.ts";

/** What an agent sent to a hook of ours, under our names. */
export interface Sent extends Decoded {
  /** The agent's own name of the event. */
  readonly native: string;
  /** The folder that it works in: the payload's, if that is a folder here, else the one that it was called in. */
  readonly cwd: string;
}

/** Why what came on stdin cannot be read, and the agent's name of the event as far as it is known. */
export interface Unread {
  readonly problem: string;
  readonly native: string | undefined;
}

/** Who sends: its stdin, the folder that it stands in, and how it calls this program. */
export interface Sender {
  read(): Promise<string>;
  readonly cwd: string;
  readonly program: string;
  readonly isTerminal?: boolean | undefined;
}

/** Who started this process. */
export function ownSender(): Sender {
  return { read: readAll, cwd: process.cwd(), program: BELAY, isTerminal: isTerminal() };
}

/**
 * Reads the payload on stdin. Never rejects. `named` is the agent's name of the event, for payloads that do not say it;
 * `command` is the command that reads, for the words of a problem.
 */
export async function readSent(
  harness: Harness,
  named: string | undefined,
  command: string,
  sender: Sender,
): Promise<Sent | Unread> {
  const { title, files } = harness;
  const { program } = sender;
  if (sender.isTerminal)
    return {
      native: named,
      problem: `${title} runs this as a hook, with the payload on stdin; next: ${program} ${command} --help shows entries for ${files[0]}`,
    };
  const given = await readObject(sender);
  if (typeof given === "string") return { native: named, problem: given };
  const decoded = decode(harness, given, named);
  if ("problem" in decoded) {
    const next = named === undefined ? `; name it: ${program} ${command} ${harness.name} <event>` : "";
    return { native: decoded.event, problem: `${decoded.problem}${next}` };
  }
  const { native, cwd } = decoded.payload;
  return {
    ...decoded,
    native: native.event,
    cwd: typeof cwd === "string" && isFolder(cwd) ? cwd : sender.cwd,
  };
}

/** The JSON object on stdin, or why there is none. */
async function readObject({ read }: Sender): Promise<Record<string, unknown> | string> {
  try {
    const sent: unknown = JSON.parse((await read()).replace(/^\uFEFF/, ""));
    return isObject(sent) ? sent : "the payload on stdin is no JSON object";
  } catch (error) {
    if (error instanceof SyntaxError) return "the payload on stdin is no JSON";
    return `the payload cannot be read: ${messageOf(error)}`;
  }
}
