import type {
  Addition,
  DecisionKind,
  Diagnostic,
  EventName,
  EventRecord,
  Hook,
  Outcome,
  PendingPermission,
  VerdictKind,
} from "@belay/core";
import type { EventMark } from "@belay/core/compare";

/*
 * What the page and its server say to each other: types, and the names of the filters and of the answers.
 *
 * POST /api/session      SessionRequest          → 204 and a cookie
 * GET  /api/events       EventFilter in the query → EventsPage
 * GET  /api/events/:key                          → EventDetail
 * GET  /api/test-case/:key                       → Shared
 * GET  /api/live         ?after=PLACE            → a stream of LiveEvents, each with the place to go on from as its id
 * GET  /api/hooks                                → HooksPage
 * GET  /api/samples                              → Samples
 * POST /api/fire         FireRequest             → Fired
 * POST /api/answer       AnswerRequest           → Answered
 *
 * Whatever fails is answered by a Refusal; without the cookie everything is a 401 that says nothing.
 */

export interface SessionRequest {
  /** What stood in the fragment of the page's address. */
  readonly token: string;
}

export interface Refusal {
  readonly error: string;
  /** What to do about it. */
  readonly next?: string;
}

/** What an event is about, on one line. */
export interface EventAbout {
  /** What its matcher is tested against: mostly the tool. */
  readonly about: string;
  /** In a few words: a command, a path, a prompt. */
  readonly subject: string;
  /** Who refused it in another agent, in words: a hook that its log does not name, the user, a rule. */
  readonly refuser?: string;
}

/** An event as a line of the timeline. */
export interface EventRow extends EventAbout {
  /** Where its record stands in the journal: "FILE~MARK@BYTE". */
  readonly key: string;
  readonly id: string;
  readonly time: string;
  readonly event: string;
  readonly decision: DecisionKind;
  readonly action: string;
  readonly reason: string;
  /** The hook that decided, or the only one that ran; else empty. */
  readonly hook: string;
  /** How many hooks ran. */
  readonly hooks: number;
  /** How many hooks gave no answer: by a fault, or by their exit codes. */
  readonly failed: number;
  /** What the decision does not tell, the weightiest first. */
  readonly marks: readonly EventMark[];
  /** Until the last hook was done, in milliseconds. */
  readonly took: number;
  readonly session: string;
  /** The agent from whose session log it is, or in which the relay was asked. */
  readonly agent?: string;
  /** Of a relay: what the agent was not told, and what a person said; in words. */
  readonly told?: readonly { readonly words: string; readonly looser: boolean }[];
  /** A turn of its session begins or ends with it. */
  readonly edge?: "begins" | "ends";
  /** It does not pass the filter, and is there for its edge alone. */
  readonly isAside?: true;
}

export const FILTER_FIELDS = ["event", "decision", "tool", "hook", "session", "agent", "text"] as const;

/**
 * Each narrows what is shown; an empty string is no filter. `decision`: a kind, or "fault" if a hook gave no answer of its own.
 * `text`: words anywhere in the event, as in its payload, output or reason.
 */
export type EventFilter = Readonly<Partial<Record<(typeof FILTER_FIELDS)[number], string>>>;

export interface EventsPage {
  /** The newest first. With a filter, the edges of the turns of these events are among them. */
  readonly rows: readonly EventRow[];
  /** What to ask `before` for the rows that follow; absent when the journal's beginning is reached. */
  readonly before?: string;
  /** How far back was searched, when not all that was asked for was found yet: the search goes on with `before`. */
  readonly searchedTo?: string;
  /** The end of the journal when it was read: where the live stream goes on. */
  readonly place: string;
  /** Lines on the way that are no whole records. */
  readonly flaws: number;
  readonly folder: string;
  readonly logs?: ShownLogs;
}

/** The session logs of other agents that are shown in the place of the journal, as they were read once. */
export interface ShownLogs {
  readonly agents: readonly { readonly name: string; readonly title: string }[];
  /** ISO 8601: when they were read. */
  readonly read: string;
  /** How many of the oldest events are not shown, for lack of room. */
  readonly dropped: number;
  /** How many files and lines could not be read. */
  readonly unread: number;
}

export type LiveEvent =
  | { readonly type: "rows"; readonly rows: readonly EventRow[] }
  /** The place to go on from is gone, or too far back: read the newest again. */
  | { readonly type: "reset" }
  | { readonly type: "questions"; readonly sessions: readonly OpenSession[] };

/** A hook of today's config, held against an event. */
export interface HookMatch {
  readonly hook: string;
  readonly source: string;
  readonly fires: boolean;
  readonly because: string;
  readonly explanation: string;
  readonly event: string;
  /** Its group, where the hooks of that run one after another. */
  readonly group?: string;
}

export interface EventDetail extends EventAbout {
  readonly record: EventRecord;
  /** Today's hooks: the journal keeps those that ran, not those that did not. */
  readonly matches: readonly HookMatch[];
  /** Why today's hooks could not be asked, or not all of them. */
  readonly unmatched?: string;
  /** The matches are of a config that was edited on the page. */
  readonly isEdited?: true;
}

export interface Shared {
  /** A file for `belay test`. */
  readonly testCase: string;
  /** The same event, for a shell. */
  readonly commandLine: string;
  /** What of the event the two do not hold. */
  readonly lacks?: string;
}

export interface HookRun {
  readonly key: string;
  readonly time: string;
  readonly took: number;
  readonly verdict: VerdictKind;
  /** What it added besides. */
  readonly adds: readonly Addition[];
  /** Why it gave no answer of its own. */
  readonly fault?: string;
}

export interface InspectedHook
  extends Pick<Hook, "name" | "event" | "dialect" | "timeoutMs" | "mode" | "onFailure" | "enabled"> {
  readonly matcher: string;
  readonly type: string;
  /** What runs. */
  readonly runs: string;
  readonly layer: string;
  readonly source: string;
  readonly path: string;
  readonly trusted: boolean;
  /** The command that trusts it. */
  readonly trust: string;
  /** The newest last. */
  readonly recent: readonly HookRun[];
}

export interface HooksPage {
  readonly hooks: readonly InspectedHook[];
  readonly problems: readonly Diagnostic[];
  /** Names the files of other dialects whose hooks are not among these; empty where there are none. */
  readonly unread: string;
  readonly project: string;
  /** How many events the runs were looked for in, and since when. */
  readonly searched: number;
  /** How many of these events name something unknown to this version: their runs are left out. */
  readonly unknown: number;
  readonly since?: string;
  /** The files that were read, as they are now: where an edited config begins. */
  readonly files: readonly ConfigText[];
}

export interface ConfigText {
  readonly file: string;
  readonly layer: string;
  readonly text: string;
}

export interface Samples {
  readonly samples: readonly {
    readonly event: EventName;
    readonly payload: Readonly<Record<string, unknown>>;
  }[];
}

export interface FireRequest {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The text of a settings file to use in place of the current hooks. */
  readonly config?: string;
}

export interface Fired extends EventDetail {
  readonly outcome: Outcome;
  readonly share: Shared;
}

/** What a `belay chat` that runs now, or a relay whose call waits, tells of itself. */
export interface ChatState {
  /** Of a relay: the agent that it stands in. */
  readonly agent?: string;
  readonly session: string;
  readonly cwd: string;
  readonly questions: readonly OpenQuestion[];
  /** The newest answers that counted; chats of earlier versions do not tell them. */
  readonly answered?: readonly GivenAnswer[];
}

export interface OpenSession extends ChatState {
  /** Which chat it is: two chats may be at one session, each with its own questions. */
  readonly chat: string;
  /** The call was denied, as nobody answered: an answer is for the same call, when it comes again. */
  readonly isOver?: true;
}

export interface GivenAnswer {
  readonly question: string;
  readonly kind: AnswerKind;
  readonly where: "terminal" | "page";
}

export interface OpenQuestion extends PendingPermission {
  /** What an answer of "always" would store. */
  readonly rules: readonly string[];
  /** The answers that it can be given, the same as in the terminal. */
  readonly kinds: readonly AnswerKind[];
}

export const ANSWER_KINDS = ["once", "session", "always", "deny"] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface AnswerRequest {
  readonly chat: string;
  readonly question: string;
  readonly kind: AnswerKind;
  readonly reason?: string;
}

/** Whether it counted: someone may have answered first. */
export interface Answered {
  readonly counted: boolean;
  readonly why?: string;
}
