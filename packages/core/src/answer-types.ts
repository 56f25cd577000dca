import type { COMMON_INPUT, EVENTS, EventName } from "./events.ts";
import type { Fields, Shape, ValueOf } from "./field.ts";
import type { ANSWER_FIELDS, AnswerField, behaviorAnswer, COMMON_FIELDS } from "./fields.ts";

/* The types that hook authors write against, derived from the tables; nothing here adds a fact. */

export type HookEventName = EventName;

type Rows = typeof EVENTS;
type Values<F extends Fields> = { [Name in keyof F]?: ValueOf<F[Name]> };
type DecisionOf<E extends EventName> = Rows[E]["decisions"] extends "behavior"
  ? ValueOf<typeof behaviorAnswer>
  : Rows[E]["decisions"] extends readonly (infer Word)[]
    ? Word
    : "block";
type Given<E extends EventName> =
  | (Rows[E]["answers"][number] & AnswerField)
  | ([DecisionOf<E>] extends [never] ? never : "decision" | "reason");
/** Fields the event cannot honour are `never`: a callback's result is not checked for fields that are merely unknown. */
type Answers<E extends EventName> = Omit<Values<Pick<typeof ANSWER_FIELDS, Given<E>>>, "decision"> & {
  decision?: DecisionOf<E>;
} & { [Other in Exclude<AnswerField, Given<E> | "decision">]?: never };
type TopLevel<E extends EventName> = [DecisionOf<E>] extends [never]
  ? { decision?: never; reason?: never }
  : { decision?: DecisionOf<E>; reason?: string };

/** What a hook may put into hookSpecificOutput for one event. */
export type HookSpecificOutput<E extends EventName = EventName> = E extends EventName
  ? { hookEventName: E } & Answers<E>
  : never;

/** The JSON a hook may answer with. Fields the event cannot honour do not compile. */
export type HookJsonOutput<E extends EventName = EventName> = E extends EventName
  ? Values<typeof COMMON_FIELDS> & TopLevel<E> & { hookSpecificOutput?: HookSpecificOutput<E> }
  : never;

/** The payload of an event. */
export type HookInput<E extends EventName = EventName> = E extends EventName
  ? Shape<typeof COMMON_INPUT> & Shape<Rows[E]["input"]>
  : never;
