import { randomUUID } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { UsageError } from "@belay/engine";
import { belayFolder, findProject, homeFolder, journalFolder } from "@belay/engine/internal";
import { type Conversation, createConversation, keepDraft } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import {
  findTranscripts,
  type OpenElsewhere,
  openTranscript,
  ownerOf,
  type PastSession,
  readTranscript,
  type Transcript,
  taken,
} from "../conversation/transcript.ts";
import type { AgentOptions } from "./compose.ts";

/** A session's place on disk and what was said in it so far. */
export interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  readonly past: PastSession | undefined;
  /** A newer session that was not resumed because another process has it open. */
  readonly passedOver: OpenElsewhere | undefined;
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  /** True once hooks have let a prompt pass, in this process or an earlier one. The transcript of such a session is kept. */
  wasUsed(): boolean;
}

/** Opens a new session or resumes one. Every change of the conversation is in the transcript before anything else happens. */
export function openSession(options: Pick<AgentOptions, "cwd" | "home" | "resume">): Session {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = homeFolder(options.home);
  const project = findProject(cwd, home);
  const folder = sessionsFolder(project, home);
  const found = options.resume === undefined ? undefined : pastSession(folder, options.resume);
  const past = found?.past;
  if (past && past.cwd !== "" && past.cwd !== cwd)
    throw new UsageError(
      `session ${past.id} was in ${past.cwd}; resume it there: belay chat --resume --cwd ${past.cwd}`,
    );
  const id = past?.id ?? randomUUID();
  const transcript = openTranscript(join(folder, `${id}.jsonl`));
  if (!past) transcript.write({ type: "session", version: 1, id, cwd, time: new Date().toISOString() });
  const conversation = createConversation(past?.messages);
  let isUsed = past !== undefined;
  conversation.subscribe((change) => {
    if (!change) return;
    transcript.write(change);
    isUsed ||= change.type === "accepted";
  });
  keepDraft(conversation, (text) => transcript.write({ type: "draft", text }));
  const passedOver = found?.passedOver;
  const wasUsed = () => isUsed;
  return { id, cwd, project, home, past, passedOver, conversation, transcript, wasUsed };
}

/** The folder of the project's transcripts. It has the name of the project's journal folder. */
function sessionsFolder(project: string, home: string): string {
  return join(belayFolder(home), "sessions", basename(journalFolder(project, home)));
}

/** True if only hooks have spoken: there is nothing to resume. */
function isSilent(messages: readonly Message[]): boolean {
  return messages.every(({ source }) => source === "hook");
}

/** True if the session's process was killed before the first prompt, so that it could not delete the transcript. */
function wasLeftEmpty({ messages, isCutOff, broken }: PastSession): boolean {
  return isSilent(messages) && !isCutOff && broken === 0;
}

/** The newest session in which something was said and that no other process has open, or the one whose id was given. */
function pastSession(
  folder: string,
  resume: true | string,
): { past: PastSession; passedOver: OpenElsewhere | undefined } {
  let passedOver: OpenElsewhere | undefined;
  for (const path of findTranscripts(folder, resume === true ? "" : resume)) {
    const owner = ownerOf(path);
    if (owner !== undefined) {
      passedOver ??= { id: basename(path, ".jsonl"), process: owner };
      continue;
    }
    const past = readTranscript(path);
    if (resume !== true || !wasLeftEmpty(past)) return { past, passedOver };
  }
  if (passedOver) throw taken(passedOver);
  const which = resume === true ? "no session" : `no session ${resume}`;
  throw new UsageError(`there is ${which} of this project to resume; start one with: belay chat`);
}
