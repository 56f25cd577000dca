import { type Diagnostic, type DialectName, diagnose, type EventName, explain, type Hook } from "@belay/core";
import { needsTrust, splitByTrust, type Untrusted } from "./config/trust.ts";
import { trustCommand } from "./config/trust-command.ts";
import type { Folders } from "./environment.ts";
import type { Payload } from "./fire.ts";

/** What may run of an event's hooks, and what the user must be told about the rest. */
export interface Cleared {
  readonly hooks: readonly Hook[];
  /** Of these: guards that must not fail, and were edited since they were trusted. They are not run, and refuse. */
  readonly edited: ReadonlySet<Hook>;
  readonly told: readonly Diagnostic[];
}

/** Sessions whose user was told; the oldest are forgotten, and would be told once more. */
const MAX_SESSIONS = 1000;

/**
 * Checks trust and tells the user once per session: at its first event about every file with hooks that are not run,
 * later about a hook that would run now and was not among them. Only hooks that would fire are read again each time.
 */
export function trustNotices(
  dialect?: DialectName,
): (hooks: readonly Hook[], event: EventName, payload: Payload, folders: Folders) => Cleared {
  const sessions = new Map<string, ReadonlySet<string>>();

  function remember(session: string, untrusted: readonly Untrusted[]): void {
    sessions.delete(session);
    sessions.set(session, new Set(untrusted.map(({ print }) => print)));
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  }

  return (hooks, event, payload, folders) => {
    if (!hooks.some(needsTrust)) return { hooks, edited: new Set(), told: [] };
    const enabled = hooks.filter((hook) => hook.enabled);
    const known = sessions.get(payload.session_id);
    const checked = splitByTrust(known ? wouldFire(enabled, event, payload) : enabled, folders);
    const edited = new Set(checked.untrusted.filter(isEditedGuard).map(({ hook }) => hook));
    const trusted = new Set(checked.trusted);
    const cleared = { hooks: hooks.filter((hook) => trusted.has(hook) || edited.has(hook)), edited };
    const isNews = checked.untrusted.some(({ print }) => !known?.has(print));
    if (known && !isNews) return { ...cleared, told: [] };
    const { untrusted } = known ? splitByTrust(enabled, folders) : checked;
    remember(payload.session_id, untrusted);
    if (!isNews) return { ...cleared, told: [] };
    const ofSession = untrusted.some(({ hook }) => hook.source.layer === "session");
    const session = ofSession && { session: payload.session_id };
    const command = trustCommand({ ...folders, ...(dialect && { dialect }), ...session });
    return { ...cleared, told: [notice(untrusted, event, command)] };
  };
}

/** Otherwise an edit, or a file of the right name, would switch a guard off that the user relies on. */
function isEditedGuard({ hook, state }: Untrusted): boolean {
  return state === "changed" && hook.onFailure === "block";
}

/** Doubles included: which of them is trusted decides which of them runs. */
function wouldFire(hooks: readonly Hook[], event: EventName, payload: Payload): Hook[] {
  return explain(hooks, event, payload)
    .filter(({ fires, because }) => fires || because === "duplicate")
    .map(({ hook }) => hook);
}

function notice(untrusted: readonly Untrusted[], event: EventName, command: string): Diagnostic {
  const files = [...new Set(untrusted.map(({ hook }) => hook.source.file))].join(", ");
  const count = untrusted.length === 1 ? "1 hook" : `${untrusted.length} hooks`;
  const here = untrusted.filter(({ hook }) => hook.event === event).length;
  const why = here > 0 ? `${here} of them for ${event}` : "new, or edited since you trusted them";
  return diagnose("hook-untrusted", { count, files, why, command });
}
