import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Diagnostic, diagnose, type EventName, type Hook } from "@belay/core";
import {
  type Assignments,
  eventRow,
  hasEnvFile,
  messageOf,
  readEnvFile,
  shorten,
  whereOf,
} from "@belay/core/internal";
import { type Variables, withVariables } from "./environment.ts";
import { readText } from "./files/read.ts";
import { bySession } from "./sessions.ts";

/** Variables that hooks set for the commands of a session, by writing assignments into a file. No hook sees them. */
export interface SessionVariables {
  /** Forgets what counts for one folder, if the event is that the folder has changed. */
  before(event: EventName, session: string): void;
  /** A file for what this hook sets; undefined where its event or its dialect has none. */
  fileFor(hook: Hook): string | undefined;
  /** Takes over what the hook has written. Returns what of it does not count. */
  take(hook: Hook, session: string, file: string): Diagnostic[];
  of(session: string): Record<string, string | undefined>;
  close(): void;
}

/** Bytes of such a file. */
const MAX_BYTES = 256 * 1024;
const MAX_WORDS = 200;
/** So many of its lines that do not count are said. */
const MAX_SAID = 5;

export function sessionVariables(env: Variables): SessionVariables {
  const sessions = bySession(() => ({ session: empty(), folder: empty() }));
  let folder: string | undefined;
  let files = 0;
  const valuesOf = (session: string) => {
    const kept = sessions.get(session);
    return Object.fromEntries([...(kept?.session ?? []), ...(kept?.folder ?? [])]);
  };
  return {
    before: (event, session) => {
      if (eventRow(event).setsVariables === "new folder" && sessions.get(session))
        sessions.of(session).folder = empty();
    },
    fileFor: ({ event, dialect, handler }) => {
      if (!eventRow(event).setsVariables || !hasEnvFile(dialect)) return undefined;
      if (handler.type !== "command" || handler.warm) return undefined;
      folder ??= mkdtempSync(join(tmpdir(), "belay-env-")); // the user's alone
      files += 1;
      return join(folder, `${files}.sh`);
    },
    take: (hook, session, file) => {
      const unreadable = (line: string) =>
        diagnose("env-file-unread", { line: shorten(line, MAX_WORDS) }, whereOf(hook));
      const { text = "", problem } = written(file);
      if (problem !== undefined) return [unreadable(problem)];
      if (text === "") return [];
      const { assignments, unread } = readEnvFile(text, withVariables(env, valuesOf(session)));
      const kept = sessions.of(session);
      const lasts = eventRow(hook.event).setsVariables === "session" ? "session" : "folder";
      kept[lasts] = new Map([...kept[lasts], ...assignments]);
      return unread.slice(0, MAX_SAID).map(unreadable);
    },
    of: valuesOf,
    close: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const empty = (): Assignments => new Map();

/** The file's text, if the hook wrote any. */
function written(file: string): { readonly text?: string; readonly problem?: string } {
  try {
    return { text: readText(file, { max: MAX_BYTES }) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : { problem: messageOf(error) };
  } finally {
    rmSync(file, { recursive: true, force: true });
  }
}
