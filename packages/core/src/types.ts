import type { DiagnosticCode } from "./tables/diagnostics/index.ts";
import type { DialectName } from "./tables/dialects.ts";
import type { EventName } from "./tables/events.ts";
import type {
  Action,
  Addition,
  BlockType,
  DecisionKind,
  FailureKind,
  ReadBy,
  Reader,
  Severity,
  VerdictKind,
} from "./tables/kinds.ts";

/** A value while it is built. V8 sets an optional field fifty times as fast as it spreads `...(condition && { field })`. */
export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export type Stream = "stdout" | "stderr";

/** Facts about one execution of one hook. */
export interface Run {
  /** Absent, never 0, when the process gave none or there was no process. A prompt hook's yes is 0, and its no is 2. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly executionTime: number;
  readonly timedOut: boolean;
  /** Some output was over the cap and was not kept. */
  readonly truncated: boolean;
  /** The streams that were cut. */
  readonly cut?: readonly Stream[];
  /** The cap that cut it, in bytes. */
  readonly cap?: number;
  /** Streams with bytes that were not UTF-8; U+FFFD stands in their place. */
  readonly notUtf8?: readonly Stream[];
  /** The process exited while a child still held stdout open; what the child prints is not kept. */
  readonly leftOpen?: true;
  /** Variables that the headers name and the environment lacks. */
  readonly unset?: readonly string[];
  readonly failure?: { readonly kind: FailureKind; readonly detail: string };
}

/** What parse needs to know of a hook. */
export interface HookTerms {
  readonly name: string;
  readonly onFailure: "continue" | "block";
  readonly mode: "enforce" | "observe";
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly fix: string;
  readonly hook?: string;
  /** Where: a path in the hook's JSON, or file:line of a config entry. */
  readonly path?: string;
  /** In a config file: the event whose hooks it is about. */
  readonly event?: EventName;
  /** In a config file: it is about hooks, not about another setting. */
  readonly about?: "hooks";
}

/** The kinds of text that a hook produces; route.ts gives each kind its address. */
export type PartKind =
  | "permission-reason" // words of an allow or ask
  | "refusal-reason" // words of a JSON deny or block
  | "refusal-stderr" // stderr of an exit 2 that refuses
  | "notice" // stderr of an exit 2 where nothing can be refused
  | "stop-reason"
  | "context" // additionalContext
  | "plain-context" // stdout that is context
  | "system" // systemMessage
  | "error" // other exits and faults
  | "transcript" // raw stdout, where the dialect shows it
  | "withheld"; // words of a hook that were not trusted to reach the agent

export interface Part {
  readonly kind: PartKind;
  readonly text: string;
  /** Overrides the address: text read from mixed output never reaches the agent. */
  readonly userOnly?: boolean;
}

/** What one Run says, read by the event's rule. */
export interface Verdict {
  readonly hook: string;
  readonly dialect: DialectName;
  readonly kind: VerdictKind;
  /** The hook's words for its kind; every ask, deny, block and stop has some. */
  readonly reason?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedPrompt?: string;
  readonly parts: readonly Part[];
  readonly diagnostics: readonly Diagnostic[];
  readonly read: ReadBy;
  readonly fault?: string;
  readonly observed: boolean;
  /** Index of the verdict whose rewrite this hook was given (sequential groups); absent: the original input. */
  readonly saw?: number;
}

/** All verdicts folded into one. */
export interface Decision {
  readonly kind: DecisionKind;
  readonly reason?: string;
  readonly hook?: string;
  readonly interrupt?: boolean;
}

export interface Rewrites {
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedPrompt?: string;
}

export interface Block {
  readonly type: BlockType;
  readonly content: string;
  /** On type "tool": the call failed. */
  readonly success?: false;
  /** On type "hook". */
  readonly hookEvent?: EventName;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly to: Reader;
  readonly hook: string;
  readonly block: Block;
}

export interface RunReport extends Run {
  readonly hook: string;
  readonly source: string;
  readonly dialect: DialectName;
  readonly read: ReadBy;
  /** What this hook alone says, before the fold. */
  readonly verdict: VerdictKind;
  /** What it added: a rewrite, context for the agent, a message. */
  readonly adds?: readonly Addition[];
  readonly fault?: string;
  readonly observed?: true;
}

/** What `fire` returns and `belay run --json` prints: a contract (design §8). */
export interface Outcome extends Rewrites {
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly action: Action;
  readonly blocked: boolean;
  readonly decision: Decision;
  readonly messages: readonly Message[];
  readonly runs: readonly RunReport[];
  readonly diagnostics: readonly Diagnostic[];
}
