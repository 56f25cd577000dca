import type { Dialect } from "./dialects.ts";
import type { Fields } from "./field.ts";
import type { AnswerField } from "./fields.ts";
import type { Action, BlockType, Reader } from "./kinds.ts";
import type { Phase } from "./phases.ts";

/** Who reads a text, and in which kind of block. */
export interface Address {
  readonly to: Reader;
  readonly block: BlockType;
}

/** Settings of a dialect that are a plain yes or no. */
type Switch = Exclude<
  { [Name in keyof Dialect]: Dialect[Name] extends boolean ? Name : never }[keyof Dialect],
  undefined
>;

/** One row per event: everything the engine knows about it. A cell may name the dialect's setting that decides it. */
export type EventRow = Facts & (Refusable | Unrefusable);

/** An event whose step a hook can refuse, in one dialect at least. */
interface Refusable {
  readonly exit2: "deny" | "block" | { readonly blockIf: Switch };
  /** Where stderr of an exit 2 goes when it refuses the step. */
  readonly stderr: Address;
  /** Where the reason of a JSON refusal goes. */
  readonly reason: Address;
  /** The Outcome's action when the step is refused. */
  readonly blockedAction: Action;
}

/** Exit 2 is only shown, and the dialect says to whom. */
interface Unrefusable {
  readonly exit2: "notice";
}

interface Facts {
  /** When it fires, as the docs say it. */
  readonly when: string;
  /** Where it stands in an agent's life. */
  readonly phase: Phase;
  /** The payload field that a matcher is tested against. Absent: matchers have no meaning here. */
  readonly matcher?: string;
  /** Values of the matcher field that agents send, for docs and for `check`. */
  readonly matcherValues?: readonly string[];
  /** Payload fields of this event; the common ones are in COMMON_INPUT. */
  readonly input: Fields;
  /** A refusal takes the user's prompt out of the conversation, and with it every word to the agent. */
  readonly erasesPrompt?: boolean;
  /** What is said about the tool's result is added to it; elsewhere it stands in its place. */
  readonly appendsToResult?: boolean;
  /** Plain stdout of exit 0: context for the agent, or nothing (DESIGN §3). */
  readonly plainStdout: "context" | "nobody" | { readonly contextIf: Switch };
  /** The answer fields this event accepts, in the order the docs list them. */
  readonly answers: readonly AnswerField[];
  /** Accepted values of `decision`: words, or the long permission form. */
  readonly decisions: readonly ("block" | "approve")[] | "behavior" | { readonly blockIf: Switch };
  /** What additionalContext does; absent where it is no answer. */
  readonly context?: "agent" | { readonly as: "contextOnStop" };
  /**
   * What it means for an agent that goes on because of a stop hook: perhaps one more block in the chain; a sign of
   * progress, so that the count starts again; or something new, which is not because of a hook any more.
   */
  readonly stopChain?: "link" | "progress" | "end";
  /** A realistic payload, without the common fields. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** Whether `decision` is an answer at all, in words or in the long form; `reason` goes with it. */
export function takesDecision(decisions: readonly string[] | "behavior"): boolean {
  return decisions === "behavior" || decisions.length > 0;
}

/** The words `decision` may have in any dialect, or the long permission form. */
export function decisionWords({ decisions }: EventRow): readonly ("block" | "approve")[] | "behavior" {
  return typeof decisions === "object" && "blockIf" in decisions ? ["block"] : decisions;
}
