import { type Diagnostic, type DialectName, diagnose, type EventName, type Hook } from "@belay/core";
import { plural, shellWord, whereOf } from "@belay/core/internal";
import { findProject, sessionOf } from "../config/discover.ts";
import type { Folders } from "../environment.ts";
import type { EngineOptions } from "../types.ts";
import { type HookTrust, isUntrusted, type ProjectTrust } from "./evaluate.ts";
import { needsTrust, type TrustState } from "./store.ts";

/** What trust made of the hooks of one event. */
export interface Met {
  readonly event: EventName;
  readonly session: string;
  readonly trust: ProjectTrust;
  /** Hooks that match and are not trusted. */
  readonly untrusted: readonly HookTrust[];
  /** Those of them that would have run: equal handlers count once. */
  readonly missed: readonly Hook[];
  readonly refusals: Refusals;
}

/** Guards that refuse the event instead of running, and what trust knows of each: it was edited, or is new. */
export type Refusals = ReadonlyMap<Hook, TrustState>;

/** The notices remember so many sessions. The user of an older session is told once more. */
const MAX_SESSIONS = 1000;

/**
 * Says what the user must be told of the trust that an event met. The first event of a session names every file with hooks
 * that do not run. A later event does so only if a hook that matches was not named yet. A guard that refuses is named at
 * each event.
 */
export function trustNotices(asker: Asker & Pick<EngineOptions, "memory">) {
  const { memory } = asker;
  /** By session: the prints that its user was told of. */
  const sessions = new Map<string, ReadonlySet<string>>();

  /** All enabled hooks that are not trusted, if the session was not told of all that match. */
  function news({ session, trust, untrusted }: Met, hooks: readonly Hook[]): readonly HookTrust[] {
    const known = sessions.get(session);
    const isKnown = (print: string) => known?.has(print) || memory?.has(session, `untrusted ${print}`);
    if ((known || isKnown("")) && untrusted.every(({ print }) => isKnown(print))) return [];
    const all = hooks
      .filter(({ enabled }) => enabled)
      .map(trust.of)
      .filter(isUntrusted);
    sessions.delete(session);
    sessions.set(session, new Set(all.map(({ print }) => print)));
    for (const print of ["", ...all.map((one) => one.print)]) memory?.add(session, `untrusted ${print}`);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return all;
  }

  return (met: Met, hooks: readonly Hook[], folders: Folders): Diagnostic[] => {
    if (!hooks.some(needsTrust)) return [];
    const { event, missed, refusals } = met;
    const { problem } = met.trust;
    const command = (concerned: readonly Hook[]) => trustCommand(asker, folders, concerned);
    const fresh = news(met, hooks);
    return [
      ...(problem !== undefined && fresh.length + refusals.size > 0
        ? [diagnose("trust-unreadable", { problem, command: command([]) })]
        : []),
      ...(fresh.length > 0 ? [notice(fresh, event, command(fresh.map(({ hook }) => hook)))] : []),
      ...fresh.flatMap(({ hook, taken }) =>
        taken?.refusal === undefined
          ? []
          : [diagnose("hook-not-trustable", { name: hook.name, why: taken.refusal }, whereOf(hook))],
      ),
      ...(problem === undefined
        ? [...refusals].map(([hook, state]) => refusalNotice(hook, state, command([hook])))
        : []),
      ...skipped(missed, event, command(missed)),
    ];
  };
}

const MAX_NAMED = 5;

/** Names, at each event, the hooks that match, would count, and did not run. */
function skipped(missed: readonly Hook[], event: EventName, command: string): Diagnostic[] {
  const counting = missed.filter(({ mode }) => mode === "enforce").map(({ name }) => name);
  if (counting.length === 0) return [];
  const more = counting.length > MAX_NAMED ? ` and ${counting.length - MAX_NAMED} more` : "";
  const names = `${counting.slice(0, MAX_NAMED).join(", ")}${more}`;
  return [diagnose("hook-skipped", { event, count: plural(counting.length, "hook"), names, command })];
}

function notice(untrusted: readonly HookTrust[], event: EventName, command: string): Diagnostic {
  const files = [...new Set(untrusted.map(({ hook }) => hook.source.file))].join(", ");
  const count = plural(untrusted.length, "hook");
  const here = untrusted.filter(({ hook }) => hook.event === event).length;
  const isOne = untrusted.length === 1;
  const some = isOne ? "it is" : `${here} of them`;
  const none = isOne ? "it is not" : "none of them";
  const where = `${here > 0 ? some : none} for ${event}`;
  const them = isOne ? "it" : "them";
  return diagnose("hook-untrusted", { count, files, why: whyNotRun(untrusted), where, them, command });
}

/** Why these hooks do not run, in words. */
export function whyNotRun(untrusted: readonly HookTrust[]): string {
  const edited = untrusted.filter(({ state }) => state === "changed").length;
  if (untrusted.length === 1)
    return edited === 1 ? "it was edited since you trusted it" : "it is not trusted";
  if (edited === 0) return "they are not trusted";
  if (edited === untrusted.length) return "they were edited since you trusted them";
  return `they are not trusted, ${edited} of them edited since`;
}

/** A guard that refuses instead of running, and the command that shows and trusts it. */
export function refusalNotice(hook: Hook, state: TrustState, command: string): Diagnostic {
  const code = state === "new" ? "guard-untrusted" : "hook-edited";
  return diagnose(code, { name: hook.name, event: hook.event, command }, whereOf(hook));
}

/** Who will type the command, and what they typed to get here. */
export interface Asker {
  /** How the command line is called here: "belay" if absent. */
  readonly program?: string | undefined;
  readonly dialect?: DialectName | undefined;
  /** Where the command is typed, if not where this process runs. */
  readonly typedIn?: string | undefined;
}

/** The command that shows and trusts these hooks of a project, as it is typed where this process runs. */
export function trustCommand(
  { program = "belay", dialect, typedIn = process.cwd() }: Asker,
  { project, home }: Folders,
  hooks: readonly Pick<Hook, "source">[],
): string {
  const ofSession = hooks.find(({ source }) => source.layer === "session");
  const isHere = findProject(typedIn, home) === project;
  const flags = {
    dialect,
    session: ofSession && sessionOf(ofSession.source.file),
    cwd: isHere ? undefined : project,
  };
  return `${program} trust${Object.entries(flags)
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("")}`;
}
