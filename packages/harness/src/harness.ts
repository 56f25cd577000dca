import type { EventName, Run } from "@belay/core";
import type { SessionLog } from "./logs/log.ts";

/** A tool of a harness under our name, and its input fields under ours. A field that is not listed keeps its name. */
export interface ToolNames {
  readonly name: string;
  readonly input?: Readonly<Record<string, string>>;
}

/** An event of a harness under our name, with the payload fields it is sent with, under our names. */
export interface HarnessEvent {
  readonly event: EventName;
  readonly fields: readonly string[];
}

/** What one hook did, and what its entry says of failures. */
export interface HookRun {
  readonly hook: string;
  readonly run: Run;
  readonly type: "command" | "http";
  /** The setting by which its entry asks that a failure refuses. */
  readonly failClosed?: "onFailure" | "failClosed";
}

/** Where a run is read: our event, and what the harness calls it in the config that named the hook. */
export interface Occasion {
  readonly event: EventName;
  readonly native: string;
}

/** What an author can mean by an output. */
export type Meaning = "deny" | "ask" | "stop" | "rewrite" | "context" | "message" | "output" | "failure";

/** A part of an output that the harness does not act on. */
export interface Ignored {
  readonly what: Meaning;
  readonly why: string;
  readonly fix: string;
}

/** What a harness makes of one hook's output. A refusal of any step is a deny here. */
export interface Reading {
  readonly decision?: "allow" | "deny" | "ask";
  /** Replaces the input, or is laid over it: the harness's `rewrites` says which. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
  readonly toAgent: readonly string[];
  readonly toUser: readonly string[];
  /** The turn ends after this step. */
  readonly ends: boolean;
  readonly ignored: readonly Ignored[];
}

/** An agent that other people make, in which hooks run. */
export interface Harness {
  readonly name: string;
  readonly title: string;
  /** The real program that the rows in fixtures/agents were measured on. */
  readonly tested: { readonly program: string; readonly version: string; readonly date: string };
  /** Its events, by their own names. */
  readonly events: Readonly<Record<string, HarnessEvent>>;
  /** Its tools, by their own names. */
  readonly tools: Readonly<Record<string, ToolNames>>;
  /** Variables that it sets for a hook. */
  readonly variables: readonly string[];
  /** Reads one run; absent where hooks are functions, not programs. */
  readonly read?: (run: HookRun, occasion: Occasion) => Reading;
  /** Folds the readings of several hooks, which are in configured order. `finished`: their order of finishing. */
  readonly merge: (readings: readonly Reading[], finished: readonly number[]) => Reading;
  readonly log?: SessionLog;
}
