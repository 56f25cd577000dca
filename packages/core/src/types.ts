import type * as v from "valibot";
import type * as schema from "./schema/outcome.ts";
import type { DialectName } from "./tables/dialects.ts";
import type { ReadBy, VerdictKind } from "./tables/kinds.ts";

/** A value while it is built. V8 sets an optional field fifty times as fast as it spreads `...(condition && { field })`. */
export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;
type ReadonlyOf<Entries extends v.ObjectEntries> = DeepReadonly<
  v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
>;

export type Stream = "stdout" | "stderr";

/** Facts about one execution of one hook. */
export type Run = ReadonlyOf<typeof schema.RUN>;

/** What parse needs to know of a hook. */
export interface HookTerms {
  readonly name: string;
  readonly onFailure: "continue" | "block";
  readonly mode: "enforce" | "observe";
  /** Read to the letter of the system that its dialect is named after (design §7). */
  readonly simulated?: boolean;
}

export type Diagnostic = ReadonlyOf<typeof schema.DIAGNOSTIC>;

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
  readonly simulated?: true;
  readonly kind: VerdictKind;
  /** The hook's words for its kind; every ask, deny, block and stop has some. */
  readonly reason?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedPrompt?: string;
  readonly updatedToolOutput?: unknown;
  /** The same, for tools of MCP servers alone. */
  readonly updatedMCPToolOutput?: unknown;
  readonly parts: readonly Part[];
  readonly diagnostics: readonly Diagnostic[];
  readonly read: ReadBy;
  readonly fault?: string;
  readonly observed: boolean;
  /** Index of the verdict whose rewrite this hook was given (sequential groups); absent: the original input. */
  readonly saw?: number;
}

/** All verdicts folded into one. */
export type Decision = ReadonlyOf<typeof schema.DECISION>;

export type Rewrites = ReadonlyOf<typeof schema.REWRITES>;

export type Block = ReadonlyOf<typeof schema.BLOCK>;

export type Message = ReadonlyOf<typeof schema.MESSAGE>;

export type RunReport = ReadonlyOf<typeof schema.RUN_REPORT>;

/** What `fire` returns and `belay run --json` prints: a contract (design §8). */
export type Outcome = ReadonlyOf<typeof schema.outcomeSchema.entries>;
