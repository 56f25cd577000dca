import type { EventName } from "@belay/core";

/** What a session log says, one thing at a time, under our names. Fields that the log lacks are absent. */
export type LogEntry = { readonly session: string; readonly time: string; readonly cwd?: string } & (
  | { readonly kind: "start"; readonly source?: string; readonly version?: string }
  | { readonly kind: "prompt"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** The agent's own name and input, where they differ from ours. */
      readonly native?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
      /** The call was made by a subagent. */
      readonly subagent?: string;
    }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly output?: unknown;
      readonly failed: boolean;
      /** Who refused the call, if it was refused. */
      readonly deniedBy?: "hook" | "user" | "rule";
      readonly reason?: string;
    }
  | {
      readonly kind: "hook";
      readonly event: EventName;
      readonly hook: string;
      /** The call that it was about. */
      readonly call?: string;
      readonly ms?: number;
      readonly exitCode?: number;
      readonly stdout?: string;
      readonly stderr?: string;
      readonly failed: boolean;
      readonly refused: boolean;
    }
  | { readonly kind: "stop" }
);

/** Why a line of a log was left out. */
export interface LogFlaw {
  readonly kind: "flaw";
  readonly why: "torn" | "foreign" | "long";
}

/** Where a harness writes its session logs, and how a line is read. */
export interface SessionLog {
  /** Folders below the user's home, or below the folder that a variable names. */
  readonly folders: readonly { readonly below: string; readonly variable?: string }[];
  /** True for the name of a log file, from its folder on. */
  readonly isLog: (path: string) => boolean;
  /** A reader for one file: it is given each line in turn, and keeps what later lines refer to. */
  readonly reader: (path: string) => (line: string) => readonly (LogEntry | LogFlaw)[];
}
