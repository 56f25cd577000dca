import {
  type Diagnostic,
  diagnose,
  type EventName,
  explain,
  type Hook,
  match,
  plural,
  whereOf,
} from "@belay/core";
import { asked, type Clearance, clear, type Untrusted, whyNotRun } from "./config/clear.ts";
import { whyUnclear } from "./config/named-files.ts";
import { needsTrust } from "./config/trust.ts";
import { type Asker, trustCommand } from "./config/trust-command.ts";
import type { Folders } from "./environment.ts";
import type { Payload } from "./payload.ts";

/** What may run of an event's hooks, and what the user must be told about the rest. */
export interface Cleared {
  readonly hooks: readonly Hook[];
  /** Of these: guards that were edited since they were trusted. They are not run, and refuse. */
  readonly edited: ReadonlySet<Hook>;
  readonly told: readonly Diagnostic[];
  /** How many more the event would have run, had they been trusted; undefined where none that was looked at is untrusted. */
  readonly untrusted?: number | undefined;
}

/** Sessions whose user was told; the oldest are forgotten, and would be told once more. */
const MAX_SESSIONS = 1000;

/** What is known from one event to the next. */
interface Memory {
  /** By session: the prints that its user was told of. */
  readonly sessions: Map<string, ReadonlySet<string>>;
  /** Not trusted when last looked at. */
  readonly doubted: WeakSet<Hook>;
}

/**
 * Checks trust and tells the user once per session: at its first event about every file with hooks that are not run,
 * later about a hook that would run now and was not among them. An edited guard is told whenever it refuses. Only hooks
 * that would fire are read again each time.
 */
export function trustNotices(
  asker: Asker,
): (hooks: readonly Hook[], event: EventName, payload: Payload, folders: Folders) => Cleared {
  const memory: Memory = { sessions: new Map(), doubted: new WeakSet() };
  return (hooks, event, payload, folders) => {
    if (!hooks.some(needsTrust)) return { hooks, edited: new Set(), told: [] };
    const enabled = hooks.filter((hook) => hook.enabled);
    const isKnown = memory.sessions.has(payload.session_id);
    const checked = check(memory, enabled, event, payload, folders);
    const mayRun = asked(hooks, checked);
    const news = newsOf(memory, payload.session_id, checked.untrusted, () =>
      isKnown ? clear(enabled, folders).untrusted : checked.untrusted,
    );
    const refusing = match(mayRun, event, payload).filter((hook) => checked.edited.has(hook));
    const command = (concerned: readonly Hook[]) => trustCommand(asker, folders, concerned);
    return {
      hooks: mayRun,
      edited: checked.edited,
      untrusted: missing(mayRun, checked.untrusted, event, payload),
      told: [
        ...(news.length > 0 ? [notice(news, event, command(news.map(({ hook }) => hook)))] : []),
        ...unclear(news, event, folders),
        ...refusing.map((hook) => editedNotice(hook, command([hook]))),
      ],
    };
  };
}

/** Behind those that run: their slow patterns go first, and the copy of one of them is not missing. */
function missing(
  mayRun: readonly Hook[],
  untrusted: readonly Untrusted[],
  event: EventName,
  payload: Payload,
): number | undefined {
  if (untrusted.length === 0) return undefined;
  const doubted = new Set(untrusted.map(({ hook }) => hook));
  return match([...mayRun, ...doubted], event, payload).filter((hook) => doubted.has(hook)).length;
}

/** All hooks at a session's first event, later those that would fire. */
function check(
  { sessions, doubted }: Memory,
  enabled: readonly Hook[],
  event: EventName,
  payload: Payload,
  folders: Folders,
): Clearance {
  const isKnown = sessions.has(payload.session_id);
  // Slow patterns have one time for all: those of hooks that will not run must not take it from the others.
  if (isKnown && enabled.some(({ matcher }) => matcher.kind === "unsafe-pattern"))
    match(
      enabled.filter((hook) => !doubted.has(hook)),
      event,
      payload,
    );
  const checked = clear(isKnown ? wouldFire(enabled, event, payload) : enabled, folders);
  for (const hook of checked.runs) doubted.delete(hook);
  for (const { hook } of checked.untrusted) doubted.add(hook);
  return checked;
}

/** What is not trusted, when some of it is news to the session. */
function newsOf(
  { sessions }: Memory,
  session: string,
  firing: readonly Untrusted[],
  all: () => readonly Untrusted[],
): readonly Untrusted[] {
  const known = sessions.get(session);
  const isNews = firing.some(({ print }) => !known?.has(print));
  if (known && !isNews) return [];
  const untrusted = all();
  sessions.delete(session);
  sessions.set(session, new Set(untrusted.map(({ print }) => print)));
  const [oldest] = sessions.keys();
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return isNews ? untrusted : [];
}

/** So many of an event's hooks are looked through for why they cannot be trusted; `belay trust` says it of all. */
const MAX_EXPLAINED = 3;

function unclear(untrusted: readonly Untrusted[], event: EventName, folders: Folders): Diagnostic[] {
  const here = untrusted.map(({ hook }) => hook).filter((hook) => hook.event === event);
  return here.slice(0, MAX_EXPLAINED).flatMap((hook) => {
    const why = whyUnclear(hook, folders);
    return why === undefined ? [] : [diagnose("hook-not-trustable", { name: hook.name, why }, whereOf(hook))];
  });
}

/** Doubles included: which of them is trusted decides which of them runs. */
function wouldFire(hooks: readonly Hook[], event: EventName, payload: Payload): Hook[] {
  return explain(hooks, event, payload)
    .filter(({ fires, because }) => fires || because === "duplicate")
    .map(({ hook }) => hook);
}

function notice(untrusted: readonly Untrusted[], event: EventName, command: string): Diagnostic {
  const files = [...new Set(untrusted.map(({ hook }) => hook.source.file))].join(", ");
  const count = plural(untrusted.length, "hook");
  const here = untrusted.filter(({ hook }) => hook.event === event).length;
  const isOne = untrusted.length === 1;
  const them = isOne ? "it" : "them";
  const some = isOne ? "it is" : `${here} of them`;
  const where = here > 0 ? `${some} for ${event}` : `${isOne ? "it is not" : "none of them"} for ${event}`;
  return diagnose("hook-untrusted", { count, files, why: whyNotRun(untrusted), where, them, command });
}

/** A guard that refuses because it was edited, and the command that shows and trusts it. */
export function editedNotice(hook: Hook, command: string): Diagnostic {
  return diagnose("hook-edited", { name: hook.name, event: hook.event, command }, whereOf(hook));
}
