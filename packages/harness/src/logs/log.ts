import type { Denier } from "@belay/core";

/** What a session log says, one thing at a time. Events have our names. A field that the log lacks is absent. */
export type LogEntry = Said & (Started | Prompted | Called | Returned | HookRan | Stopped);

/** Who says it, when and where. */
export interface Said {
  readonly session: string;
  /** ISO 8601. */
  readonly time: string;
  readonly cwd?: string;
  /** The subagent in which it happened. */
  readonly subagent?: string;
  /** Identity of the line. A session that was forked begins with copies of another's lines, which keep theirs. */
  readonly line?: string;
}

export interface Started {
  readonly kind: "start";
  readonly source?: string;
  readonly version?: string;
}

export interface Prompted {
  readonly kind: "prompt";
  readonly text: string;
}

export interface Called {
  readonly kind: "call";
  readonly id: string;
  /** Readers give the agent's own name and input; `logReader` puts them into `native`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly native?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

export interface Returned {
  readonly kind: "result";
  readonly id: string;
  readonly output?: unknown;
  readonly failed: boolean;
  readonly deniedBy?: Denier;
  /** The hook that refused, where the log names it, and the event that it answered. */
  readonly hook?: string;
  readonly event?: string;
  readonly reason?: string;
}

export interface HookRan {
  readonly kind: "hook";
  readonly event: string;
  /** What it runs; absent where the log does not name it. */
  readonly hook?: string;
  /** Runs for one event share it. It is the id of the call, if the event is about a call. */
  readonly moment?: string;
  readonly ms?: number;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly did: "pass" | "refuse" | "fail";
  /** It was ended before it was done. */
  readonly cut?: "timeout" | "abort";
  /** Why it refused or failed. */
  readonly reason?: string;
  /** So many hooks ran together, and `ms` is the time of all. */
  readonly together?: number;
  /** Nobody waited for it. */
  readonly background?: true;
}

export interface Stopped {
  readonly kind: "stop";
}

/** Why a line of a log was left out. */
export interface LogFlaw {
  readonly kind: "flaw";
  readonly why: "torn" | "foreign" | "long";
}

/** What a line says. */
export type Entries = readonly (LogEntry | LogFlaw)[];

/** A line before it is decoded. */
export interface RawLine {
  /** Its first HEAD bytes, a character each. */
  readonly head: string;
  /** True if the line holds this ASCII text. */
  has(text: string): boolean;
}

export const HEAD = 512;

/** Where an agent writes its session logs, and how a line is read. */
export interface SessionLog {
  /** `below` the folder that the variable names, or else the user's home and `home`. */
  readonly folders: readonly { readonly variable: string; readonly home: string; readonly below: string }[];
  /** True for the name of a log file, from its folder on. */
  readonly isLog: (path: string) => boolean;
  /**
   * False for a line that says nothing. When skimming, results of calls that succeeded say nothing either. It is asked of
   * every line, so it looks at bytes, and a line that it lets through may still say nothing.
   */
  readonly matters: (line: RawLine, skims: boolean) => boolean;
  /** A reader for the file at this path: it is given each line that matters in turn, as the object that it is, and keeps what later lines refer to. */
  readonly reader: (path: string) => (line: Readonly<Record<string, unknown>>) => Entries;
  /** What this log does not tell, as a person should know it. */
  readonly gaps: readonly string[];
}
