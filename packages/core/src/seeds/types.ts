import type { Fields, Shape, ValueOf } from "../schema/field.ts";
import type { COMMON_INPUT, EVENTS, EventName } from "../tables/events.ts";
import type {
  ANSWER_FIELDS,
  AnswerField,
  behaviorAnswer,
  COMMON_FIELDS,
  FURTHER_COMMON_FIELDS,
  FURTHER_FIELDS,
  FurtherField,
} from "../tables/fields.ts";
import type { Action, BlockType } from "../tables/kinds.ts";

/* The types that the seeds name. */

/** The result of running a hook, as seed 000 §1 describes it. */
export interface HookOutputResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  executionTime: number;
  hookEvent: HookEventName;
}

interface BlockOf<Type extends BlockType> {
  type: Type;
  content: string;
}

export type TextBlock = BlockOf<"text">;
export type ErrorBlock = BlockOf<"error">;
/** A warning for people, from a hook, a tool or the agent. */
export type WarnBlock = BlockOf<"warn">;
export type ToolBlock = BlockOf<"tool"> & { success?: boolean };
/** A hook's words for the agent. */
export type HookBlock = BlockOf<"hook"> & { hookEvent: HookEventName; metadata?: Record<string, unknown> };

export type MessageBlock = TextBlock | ErrorBlock | ToolBlock | WarnBlock | HookBlock;

/** The user's answer to a question a hook raised. */
export interface PermissionDecision {
  decision: "allow" | "deny";
  toolName: string;
  reason?: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** True for an allow: the agent goes on. False for a deny. */
  shouldContinueRecursion: boolean;
  /** How long an allow holds beyond this call: for the session, or always. */
  remember?: "session" | "always";
}

export interface PendingPermission {
  id: string;
  toolName: string;
  toolInput: Record<string, unknown>;
  /** Set when a hook rewrote the input; this is what an allow will run. */
  updatedInput?: Record<string, unknown>;
  reason?: string;
  /** The hook that asked. */
  hook?: string;
  /**
   * What asks. A rule, a rule that cannot be read, and a hook ask each time, whatever was allowed for longer. A path outside
   * of the working folder asks until a rule names it.
   */
  by?: "rule" | "unreadable" | "hook" | "outside" | "mode";
  timestamp: number;
}

export interface HookExecutionRecord {
  id: string;
  hookEvent: HookEventName;
  hook: string;
  /** File and line of the hook: another may have its name. */
  source?: string;
  exitCode?: number;
  executionTime: number;
  decision: string;
  timestamp: number;
}

/** How much of the hooks a user wants to see. */
export interface HookUserPreferences {
  showHookOutput: "all" | "decisions" | "none";
  notify: boolean;
  historyMinutes: number;
}

export interface AIManagerCallbacks {
  pauseRecursion(): void;
  /** With the question that was answered: several may be open. */
  resumeRecursion(decision: PermissionDecision, permission?: PendingPermission): void;
  /** With the decision when somebody made one. */
  abortRecursion(reason: string, permission?: PendingPermission, decision?: PermissionDecision): void;
}

export interface HookEventContext {
  pendingPermissions: readonly PendingPermission[];
  hookExecutionHistory: readonly HookExecutionRecord[];
  userPreferences: HookUserPreferences;
  isAwaitingPermission: boolean;
  aiManagerCallbacks: AIManagerCallbacks;
  addPendingPermission(permission: PendingPermission): void;
  /** A decision that is not sound, or about another tool, is a TypeError; the question stays open. */
  resolvePendingPermission(id: string, decision: PermissionDecision): void;
  clearHookHistory(): void;
  updateUserPreferences(preferences: Partial<HookUserPreferences>): void;
}

/** Seed 003's name for a run. `success` is exit 0 and no fault. */
export interface HookExecutionResult {
  success: boolean;
  exitCode?: number;
  stdout?: string;
  stderr?: string;
  duration: number;
  timedOut: boolean;
}

export type MessageOperation = Exclude<keyof MessageManager, "removeLastUserMessage" | "from">;

export interface HookProcessingResult {
  action: Action;
  metadata: {
    exitCode?: number;
    event: HookEventName;
    blocked: boolean;
    /** The first operation that added or changed a block; the removal of a prompt is not one. */
    messageOperationUsed: MessageOperation | "none";
  };
}

/** The conversation as Belay needs it: an agent implements these six. */
export interface MessageManager {
  /** Text for the agent, in the user's role. */
  addUserMessage(content: string): void;
  /** An error for the user alone. */
  addErrorBlock(content: string): void;
  updateToolBlock(update: { toolId?: string; result: string; success: boolean }): void;
  removeLastUserMessage(): void;
  addWarnBlock(content: string, to?: "user" | "agent"): void;
  addHookBlock(block: HookBlock): void;
  /** Text for the user alone: why a call is allowed or asked about. Without it, such text is a warning. */
  addTextBlock?(content: string): void;
  /** The same conversation for the words of one hook, or of several named with commas. Without it nobody is named. */
  from?(hook: string): MessageManager;
}

/* The types that hook authors use, derived from the tables. */

export type HookEventName = EventName;

type Rows = typeof EVENTS;
type Values<F extends Fields> = { [Name in keyof F]?: ValueOf<F[Name]> };
type DecisionOf<E extends EventName> = Rows[E]["decisions"] extends "behavior"
  ? ValueOf<typeof behaviorAnswer>
  : Rows[E]["decisions"] extends readonly (infer Word)[]
    ? Word
    : "block";
type Further<E extends EventName> = Rows[E] extends { further: readonly (infer Name extends FurtherField)[] }
  ? Name
  : never;
type Given<E extends EventName> =
  | (Rows[E]["answers"][number] & keyof typeof ANSWER_FIELDS)
  | ([DecisionOf<E>] extends [never] ? never : "decision" | "reason");
/** Fields the event cannot honour are `never`: a callback's result is not checked for fields that are merely unknown. */
type Answers<E extends EventName> = Omit<
  Values<Pick<typeof ANSWER_FIELDS, Given<E>>>,
  "decision" | Further<E>
> &
  Values<Pick<typeof FURTHER_FIELDS, Further<E>>> & { decision?: DecisionOf<E> } & {
    [Other in Exclude<AnswerField, Given<E> | Further<E> | "decision">]?: never;
  };
type TopLevel<E extends EventName> = [DecisionOf<E>] extends [never]
  ? { decision?: never; reason?: never }
  : { decision?: DecisionOf<E>; reason?: string };

/** What a hook may put into hookSpecificOutput for one event. */
export type HookSpecificOutput<E extends EventName = EventName> = E extends EventName
  ? { hookEventName: E } & Answers<E>
  : never;

/** The JSON a hook may answer with. Fields the event cannot honour do not compile. */
export type HookJsonOutput<E extends EventName = EventName> = E extends EventName
  ? Values<typeof COMMON_FIELDS & typeof FURTHER_COMMON_FIELDS> &
      TopLevel<E> & { hookSpecificOutput?: HookSpecificOutput<E> }
  : never;

/** The payload of an event. */
export type HookInput<E extends EventName = EventName> = E extends EventName
  ? Shape<typeof COMMON_INPUT> & Shape<Rows[E]["input"]>
  : never;
