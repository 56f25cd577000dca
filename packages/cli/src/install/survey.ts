import { execFile } from "node:child_process";
import { join } from "node:path";
import { type EventName, readConfig } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import { isOnPath, statOf } from "@belay/engine/internal";
import { closedEntry, entryEvent, HARNESSES, type Harness, installable } from "@belay/harness";
import { BELAY } from "../args/flags.ts";
import { type Deaths, deathsOf } from "./deaths.ts";
import type { Configured } from "./events.ts";
import type { Found } from "./format.ts";
import {
  type Base,
  fileFor,
  insteadFile,
  isPerEvent,
  lacksGit,
  relayIn,
  type Scope,
  settingsFile,
} from "./place.ts";
import { found, isOf, read, shown, unfitFor } from "./plan.ts";
import type { Installed } from "./state.ts";

/** Something that is wrong, or a note. */
export interface Finding {
  readonly severity: "error" | "note";
  readonly text: string;
  /** The command, or what to do. */
  readonly next?: string;
}

/** A file in which entries of ours stand. */
export interface Holding {
  readonly file: string;
  readonly scope: Scope;
  /** The agent's own names. */
  readonly events: readonly string[];
  /** Those whose entries use the agent's own setting for hooks that fail. */
  readonly closed: readonly string[];
}

/** What is known of one agent on this machine. */
export interface AgentState {
  readonly agent: string;
  readonly title: string;
  /** The version that answers on the PATH; absent where none does. */
  readonly version?: string;
  readonly tested: string;
  readonly holdings: readonly Holding[];
  /** What becomes of a call whose relay gives no answer. */
  readonly deaths?: Deaths;
  readonly findings: readonly Finding[];
}

const SCOPES: readonly Scope[] = ["project", "user"];

export interface World {
  readonly base: Omit<Base, "scope">;
  readonly installed: Installed;
  readonly configured: Configured;
}

/** Looks at every agent: those in whose files we stand, and those on the PATH. */
export async function survey(world: World): Promise<AgentState[]> {
  const looks = HARNESSES.map((harness) => ({ harness, ...lookInto(harness, world) }));
  const states = await Promise.all(
    looks.map(async ({ harness, holdings, findings }): Promise<AgentState | undefined> => {
      const version = await versionOf(harness.settings.program);
      if (holdings.length === 0 && findings.length === 0 && version === undefined) return undefined;
      const { name: agent, title, tested } = harness;
      const isOther = version !== undefined && holdings.length > 0 && version !== tested.version;
      const others = [
        ...(isOther ? [note(`version ${version} answers, and ${tested.version} was measured`)] : []),
        ...(holdings.length > 0 ? inUse(harness, holdings, world) : []),
        ...twice(harness, looks, world),
      ];
      return {
        agent,
        title,
        ...(version !== undefined && { version }),
        tested: tested.version,
        holdings,
        ...(holdings.length > 0 && { deaths: deathsOf(harness, closedEvents(harness, holdings)) }),
        findings: [...findings, ...others],
      };
    }),
  );
  return states.filter((state) => state !== undefined);
}

function note(text: string): Finding {
  return { severity: "note", text };
}

interface Look {
  readonly holdings: readonly Holding[];
  readonly findings: readonly Finding[];
}

function lookInto(harness: Harness, world: World): Look {
  const looks = SCOPES.map((scope) => lookAt(harness, { ...world.base, scope }, world.installed));
  return {
    holdings: looks.flatMap(({ holdings }) => holdings),
    findings: looks.flatMap(({ findings }) => findings),
  };
}

/** The files of one scope: what we wrote, and what stands there now. */
function lookAt(harness: Harness, base: Base, installed: Installed): Look {
  const file = settingsFile(harness, base);
  const own = Object.entries(installed).flatMap(([path, written]) =>
    isOf(written, harness, base) ? [path] : [],
  );
  const named = file === undefined ? [] : isPerEvent(file) ? perEvent(harness, file) : [file];
  const looks = [...new Set([...named, ...own])].map((path) =>
    lookIn(harness, path, base, own.includes(path)),
  );
  return {
    holdings: looks.flatMap(({ holdings }) => holdings),
    findings: looks.flatMap(({ findings }) => findings),
  };
}

function perEvent({ events }: Harness, file: string): string[] {
  return Object.keys(events).map((native) => fileFor(file, native));
}

function lookIn(harness: Harness, file: string, base: Base, isKnown: boolean): Look {
  const name = shown(file, base);
  const again = `${BELAY} install ${harness.name}${base.scope === "user" ? " --user" : ""}`;
  const failed = (text: string, next = again): Look => ({
    holdings: [],
    findings: [{ severity: "error", text, next }],
  });
  let text: string | undefined;
  try {
    text = read(file, base);
  } catch (error) {
    return isKnown ? failed(messageOf(error)) : { holdings: [], findings: [] };
  }
  const ours = text === undefined ? [] : found(harness, file, text).filter(({ command }) => relayIn(command));
  const unfit = text === undefined ? undefined : unfitFor(harness, text);
  if (unfit && (isKnown || ours.length > 0)) {
    const line = `mend that line, then: ${again}`;
    return failed(`${name}:${unfit.line}: ${unfit.detail}: no hook of ours runs`, line);
  }
  if (ours.length === 0)
    return isKnown ? failed(`the entries in ${name} are gone`) : { holdings: [], findings: [] };
  const events = ours.map(({ native }) => native);
  const doubled = [...new Set(events.filter((native, at) => events.indexOf(native) !== at))];
  const instead = insteadFile(harness, base);
  const off = offAt(harness, file, text ?? "");
  const errors = [
    ...new Set(ours.flatMap(({ command }) => deadRelay(relayIn(command)?.relay ?? "", name))),
    ...ours.flatMap(({ matcher, native, line }) =>
      matcher === undefined
        ? []
        : [`${name}:${line}: a matcher keeps ${native} from other tools than ${matcher}`],
    ),
    ...(doubled.length > 0 ? [`${doubled.join(", ")} stands twice in ${name}`] : []),
    ...(instead !== undefined && statOf(instead)
      ? [`${shown(instead, base)} takes the place of ${name}`]
      : []),
    ...(lacksGit(harness, base) ? [`${name} is read in a git repository alone`] : []),
    ...(off === undefined ? [] : [`all hooks are switched off in ${name}${off}`]),
  ];
  return {
    holdings: [{ file, scope: base.scope, events: [...new Set(events)], closed: closedOnes(harness, ours) }],
    findings: errors.map((error) => ({ severity: "error", text: error, next: again })),
  };
}

function closedOnes(harness: Harness, ours: readonly Found[]): string[] {
  const setting = Object.entries(closedEntry(harness) ?? {});
  if (setting.length === 0) return [];
  const isClosed = ({ fields }: Found) => setting.every(([name, value]) => fields[name] === value);
  return ours.filter(isClosed).map(({ native }) => native);
}

/** Our events that are closed in every file in which they stand. */
function closedEvents(harness: Harness, holdings: readonly Holding[]): EventName[] {
  return installable(harness).filter((event) => {
    const native = entryEvent(harness, event) ?? "";
    const having = holdings.filter(({ events }) => events.includes(native));
    return having.length > 0 && having.every(({ closed }) => closed.includes(native));
  });
}

/** What keeps the relay of an entry from starting: its script, or what the script starts. */
function deadRelay(relay: string, file: string): string[] {
  return statOf(relay) ? [] : [`${file} calls ${relay}, which is not there`];
}

/** Where the agent's own settings switch all hooks off, as far as its reading of them is known. */
function offAt({ settingsDialect }: Harness, file: string, text: string): string | undefined {
  if (settingsDialect === undefined) return undefined;
  const config = readConfig({ file, layer: "config", dialect: settingsDialect, simulate: true, text });
  const at = config.offAt ?? (config.hooks.length === 0 ? config.problems[0]?.path : undefined);
  return at?.replace(file, "");
}

/** What an agent in use cannot do, or waits for. */
function inUse(harness: Harness, holdings: readonly Holding[], { configured }: World): Finding[] {
  const natives = new Set(holdings.flatMap(({ events }) => events));
  const lacks = configured.events.filter((event) => entryEvent(harness, event) === undefined);
  const open = configured.events.filter((event) => {
    const native = entryEvent(harness, event);
    return native !== undefined && !natives.has(native);
  });
  const closed = closedEvents(harness, holdings);
  const loose = configured.guarded.filter(
    (event) =>
      closedEntry(harness) && !open.includes(event) && !lacks.includes(event) && !closed.includes(event),
  );
  const scopes = new Set(holdings.map(({ scope }) => scope));
  const next = `${BELAY} install ${harness.name}${scopes.has("project") ? "" : " --user"}`;
  const error = (events: readonly EventName[], text: (names: string) => string): Finding[] =>
    events.length > 0 ? [{ severity: "error", text: text(events.join(", ")), next }] : [];
  return [
    ...error(open, (names) => `hooks for ${names} do not run there: no entry calls them`),
    ...error(loose, (names) => `a guard of ${names} would let calls pass when the relay fails`),
    ...(lacks.length > 0
      ? [note(`hooks for ${lacks.join(", ")} never run there: it has no such event`)]
      : []),
    ...(harness.settings.trust ? [note(harness.settings.trust)] : []),
    ...(scopes.size > 1
      ? [note("it has entries for the project and for the user: an event comes twice")]
      : []),
  ];
}

/** Files of other agents that this one loads too, with entries of ours in them. */
function twice(
  { files, settings }: Harness,
  looks: readonly { readonly harness: Harness; readonly holdings: readonly Holding[] }[],
  { base }: World,
): Finding[] {
  const own = [settings.project, settings.user];
  const loaded = files
    .filter((file) => !own.includes(file))
    .map((file) => (file.startsWith("~/") ? join(base.home, file.slice(2)) : join(base.project, file)));
  return looks.flatMap(({ harness, holdings }) =>
    harness.files === files
      ? []
      : holdings
          .filter(({ file }) => loaded.includes(file))
          .map(({ file, scope }) =>
            note(
              `it also loads ${shown(file, { ...base, scope })}: the entries of ${harness.title} fire in it`,
            ),
          ),
  );
}

const VERSION_WAIT_MS = 5000;

/** What a program on the PATH says of its version. */
function versionOf(program: string): Promise<string | undefined> {
  if (!isOnPath(program, process.env.PATH)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = execFile(program, ["--version"], { timeout: VERSION_WAIT_MS }, (_error, stdout) =>
      resolve(/\d+\.\d+\.\d+[\w.-]*/.exec(String(stdout))?.[0] ?? "unknown"),
    );
    child.stdin?.end();
  });
}
