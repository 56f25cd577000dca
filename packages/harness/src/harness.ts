import type { DialectName, EventName, Handler, Run } from "@belay/core";
import type { SessionLog } from "./logs/log.ts";
import type { Answers, Flaw, Reads } from "./read/reads.ts";
import type { Settings } from "./settings.ts";

/** A tool of a harness under our name, and its input fields under ours. A field that is not listed keeps its name. */
export interface ToolNames {
  readonly name: string;
  readonly input?: Readonly<Record<string, string>>;
}

/** An event of a harness: our name for it, the payload fields it is sent with, and what a hook can answer. */
export interface HarnessEvent {
  readonly event: EventName;
  /** Under our names. The common fields are the harness's `fields`. */
  readonly fields: readonly string[];
  /** Known from documentation alone: no row was measured. */
  readonly documented?: true;
  /** Absent where hooks are functions, or where nothing that a program prints was measured to be read. */
  readonly answers?: Answers;
  /** Where hooks are functions: what a plugin can do that is told what to do in these words. */
  readonly plugin?: Answers;
}

/** An agent that other people make, in which hooks run. */
export interface Harness {
  readonly name: string;
  readonly title: string;
  /** The real program that the rows in fixtures/agents were measured on. */
  readonly tested: { readonly program: string; readonly version: string; readonly date: string };
  /** Where its hooks stand, from the project's folder or from the user's home on. */
  readonly files: readonly string[];
  readonly settings: Settings;
  /** The dialect that, to the letter, reads such a file as the harness does: one bad entry can take all its hooks. */
  readonly settingsDialect?: DialectName;
  /** What surprises, and no row of one output can show. */
  readonly notes: readonly string[];
  /** Its events, by their own names. */
  readonly events: Readonly<Record<string, HarnessEvent>>;
  /** Payload fields of every event, under our names. */
  readonly fields: readonly string[];
  /** Its tools, by their own names. */
  readonly tools: Readonly<Record<string, ToolNames>>;
  /** Fields of its payload that have another name with us: theirs to ours. */
  readonly payload?: Readonly<Record<string, string>>;
  /** Fields that its payload keeps inside of others, under their own names or ours. */
  readonly unfold?: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Variables that it sets for a hook. */
  readonly variables: readonly string[];
  /** Variables of a hook, or fields of the payload, that hold its version. */
  readonly versionIn?: readonly string[];
  /** Variables by which the commands that its tools run know that it runs them. */
  readonly inCalls?: readonly string[];
  /** How it reads what programs print; absent where hooks are functions. */
  readonly reads?: Reads;
  readonly log?: SessionLog;
}

/** What one hook did, and what its entry says of failures. */
export interface HookRun {
  readonly hook: string;
  readonly run: Run;
  readonly type: Handler["type"];
  /** The setting by which its entry asks that a failure refuses. */
  readonly failClosed?: FailClosed;
  /** Why the harness does not run it, though Belay did. */
  readonly off?: Flaw;
}

/** Settings by which an entry says that a failed hook refuses: Belay's and Claude Code's, and Cursor's. */
export type FailClosed = "onFailure" | "failClosed";

/** What an author can mean by an output. */
export type Meaning = "deny" | "ask" | "stop" | "rewrite" | "context" | "output" | "message";

/** Something that the author meant and the harness does not act on. */
export interface Loss {
  /** An error where a restriction was meant and the step goes on all the same, else a warning. */
  readonly code: "agent-loses-restriction" | "agent-loses-answer";
  readonly what: Meaning;
  readonly why: string;
  readonly fix: string;
}

/** What happens in a harness, with nothing of ours in between. */
export interface Emulated {
  readonly agent: string;
  /** The real program and the day it was measured; empty where only documentation is known. */
  readonly version: string;
  readonly measured: string;
  /** The tool call, the prompt, the stop …; after a tool call always "runs". */
  readonly step: "runs" | "refused" | "asks";
  readonly input?: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
  readonly toAgent: readonly string[];
  readonly toUser: readonly string[];
  readonly turn: "goes-on" | "ends";
  readonly lost: readonly Loss[];
  readonly runs: readonly Run[];
}
