import type { Action, DecisionKind, DialectName, EventName } from "@belay/engine";

/** A hook as a row writes it: what a real shell prints and how it ends, or a whole command, or a json entry. */
export interface HookSpec {
  readonly name?: string;
  /** Exact stdout; an object is printed as one line of JSON. */
  readonly out?: string | object;
  readonly err?: string;
  readonly exit?: number;
  /** Seconds to wait before anything is printed. */
  readonly delay?: number;
  /** Shell text that runs after the printing, instead of an exit. */
  readonly after?: string;
  readonly command?: string;
  readonly json?: object;
  readonly exitcode?: number;
  readonly onFailure?: "block" | "continue";
  readonly timeout?: number;
  readonly mode?: "observe" | "enforce";
  readonly enabled?: boolean;
}

export interface Group {
  readonly matcher?: string;
  readonly sequential?: boolean;
  readonly hooks: readonly HookSpec[];
}

/**
 * The whole outcome in a few lines. Everything left out must be absent: no messages, no diagnostics, decision "none",
 * action "continue", one run that was read by its exit code, or as JSON where the row's only hook prints an object.
 *
 * A message is "<to> <block>: <content>", with "(hook)" before the colon unless the hook is h. A content of `<code>` stands
 * for the words of that diagnostic: a fault as an error, a warning with its fix. A diagnostic is "<code> at <path>", a run
 * how it was read and "fault <code>" if it was one; both with "(hook)" where it is not h.
 */
export interface Expect {
  readonly action?: Action;
  readonly kind?: DecisionKind;
  readonly reason?: string;
  /** The hook that decided; h if absent. */
  readonly by?: string;
  readonly interrupt?: true;
  readonly updatedInput?: object;
  readonly updatedPrompt?: string;
  readonly updatedToolOutput?: unknown;
  readonly messages?: readonly string[];
  /** A fault: its diagnostic, and an error for the user behind the messages. */
  readonly fault?: string;
  /** Raw stdout, in the user's transcript behind those. */
  readonly shown?: true | string;
  /** JSON among other text, which the user is warned of. */
  readonly mixed?: true;
  /** Diagnostics that the user is warned of. */
  readonly warns?: readonly string[];
  /** Diagnostics that only the author sees. */
  readonly diagnostics?: readonly string[];
  /** How the only run was read. */
  readonly read?: "json" | "exit-code" | "mixed";
  readonly runs?: readonly string[];
  /** Facts of each run that matter here. */
  readonly facts?: readonly object[];
  /** What the only run took at least. */
  readonly takesMs?: number;
  /** Texts that must occur in the diagnostics. */
  readonly mentions?: readonly string[];
  /** What seed 003's processor does with the only run: operations in order, then the first operation it names. */
  readonly operations?: readonly (readonly unknown[])[];
  readonly operation?: string;
  /** Reading, deciding and routing the only run once more is held against JSON.parse, which reads as much. */
  readonly isQuick?: true;
}

export interface Step {
  readonly event: EventName;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly expect: Expect;
}

/** One case: where it comes from, in our own words what it says, what runs, what must come out. */
export interface Row extends Partial<Step> {
  /** References, separated by commas. */
  readonly ref: string;
  readonly says: string;
  readonly dialect?: DialectName;
  readonly hook?: HookSpec;
  readonly hooks?: readonly HookSpec[];
  readonly groups?: readonly Group[];
  readonly limits?: { readonly stopCap?: number; readonly outputCap?: number };
  /** A tool schema that takes a string in this field and nothing else. */
  readonly toolTakes?: string;
  /** Several events one after another on one engine; the hooks are configured for each of these events. */
  readonly steps?: readonly Step[];
}

type Extra = Pick<Row, "dialect" | "payload" | "toolTakes" | "limits">;
type Key = `${EventName}: ${string}`;

/** A row with one hook; its key is "<event>: <what the row says>". */
export function row(ref: string, key: Key, hook: HookSpec, expect: Expect, extra: Extra = {}): Row {
  const [event = ""] = key.split(": ", 1);
  return { ref, says: key.slice(event.length + 2), event: event as EventName, hook, expect, ...extra };
}

type Cell = readonly [ref: string, hook: HookSpec, expect: Expect, extra?: Extra];

/** Rows with one hook each, by their keys; all of them with what `common` says. */
export function rows(table: Readonly<Record<Key, Cell>>, common: Extra = {}): Row[] {
  return Object.entries(table).map(([key, [ref, hook, expect, extra]]) =>
    row(ref, key as Key, hook, expect, { ...common, ...extra }),
  );
}

export function refsOf({ ref }: Row): readonly string[] {
  return ref.split(", ");
}

/** hookSpecificOutput of an event, beside common fields. */
export function specific(event: EventName, fields: object, common: object = {}): object {
  return { ...common, hookSpecificOutput: { hookEventName: event, ...fields } };
}

/** An answer to a tool call, with its words; `fields` stand beside them. */
export function permission(
  decision: string,
  reason: string,
  fields: object = {},
  common: object = {},
): object {
  const answer = { permissionDecision: decision, permissionDecisionReason: reason };
  return specific("PreToolUse", { ...answer, ...fields }, common);
}

/** hookSpecificOutput without an event name. */
export function unnamed(fields: object, common: object = {}): object {
  return { ...common, hookSpecificOutput: fields };
}

/** What a builder's outcome has besides: messages after its own, and any other part. */
interface More extends Expect {
  readonly also?: readonly string[];
}

const outcome =
  (action: Action, kind: DecisionKind, to: string) =>
  (reason: string, { also = [], ...more }: More = {}): Expect => ({
    action,
    kind,
    reason,
    messages: [`${to}: ${reason}`, ...also],
    ...more,
  });

/** A tool call or a permission is refused; the agent reads why. */
export const denied = outcome("block-tool", "deny", "agent tool");
export const asked = outcome("ask-user", "ask", "user text");
/** The agent may not stop; it reads why, in JSON or on stderr. */
export const goesOn = outcome("block-stop", "block", "agent hook");
export const goesOnByStderr = outcome("block-stop", "block", "agent text");
export const promptBlocked = outcome("block-prompt", "block", "user error");
/** The tool has run; the agent reads what is wrong with its result, in JSON or on stderr. */
export const resultBlocked = outcome("error-displayed", "block", "agent hook");
export const resultBlockedByStderr = outcome("error-displayed", "block", "agent tool");
export const stopped = outcome("stop", "stop", "user error");

/** The agent reads a hook's context. */
export function context(text: string, { also = [], ...more }: More = {}): Expect {
  return { action: "context-injected", messages: [`agent hook: ${text}`, ...also], ...more };
}

/** Work goes on after a fault, and the user is told. */
export const faulty = (fault: string, more: Expect = {}): Expect => ({ fault, read: "exit-code", ...more });

export const DENY = permission("deny", "not here");

/** What becomes of a call that is refused with these words, by a DENY or by exit 2. */
export const DENIED: Expect = denied("not here", { read: "json" });

/** A deny of output that was not one sound answer: its words are for the user alone. */
export const WITHHELD: Expect = denied("not here", {
  messages: [
    "agent tool: blocked by hook h; its words went to the user only, because its output was not one sound answer",
    "user warn: hook h says: not here",
  ],
});
export const ALLOW = specific("PreToolUse", { permissionDecision: "allow" });
export const ASK = permission("ask", "sure?");

/** A restriction in the wrong place: taken as what it says, with a warning that names the place. */
export function taken(
  kind: "deny" | "ask",
  path: string,
  reason = `${kind === "deny" ? "blocked" : "confirmation asked"} by hook h: no reason given`,
  code = "output-misplaced-restriction",
): Expect {
  return (kind === "deny" ? denied : asked)(reason, { warns: [`${code} at ${path}`] });
}
