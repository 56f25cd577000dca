import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import {
  DEFAULT_DIALECT,
  type Diagnostic,
  diagnose,
  type EventName,
  type Hook,
  type Outcome,
} from "@belay/core";
import { eventRow, isTold, messageOf } from "@belay/core/internal";
import { backgroundRuns } from "./background.ts";
import { configPlaces, findProject, hasSessionLayer, homeFolder } from "./config/discover.ts";
import { configLoader, type Loaded } from "./config/load.ts";
import type { Folders } from "./environment.ts";
import { type Explanation, explainHooks } from "./explain.ts";
import { fire, matchHooks } from "./fire.ts";
import { randomId } from "./ids.ts";
import { type Journal, journalFolder, openJournal, ownFolders } from "./journal/write.ts";
import { environmentKey, keepProcesses } from "./kept.ts";
import { checkOptions, completeLimits, type Limits, UsageError } from "./options.ts";
import { completePayload, untestedMatchers } from "./payload.ts";
import { endWithHost } from "./process/group.ts";
import { warmUp } from "./runners/command.ts";
import { sessionVariables } from "./session-variables.ts";
import { bySession } from "./sessions.ts";
import { stopChains } from "./stop-chains.ts";
import { checkSchema } from "./tool-schema.ts";
import { mayRun, readProjectTrust } from "./trust/evaluate.ts";
import { trustNotices } from "./trust/notices.ts";
import type { Engine, EngineOptions, FireOptions, HookStep, ListedHook, SessionMemory } from "./types.ts";
import { limiter } from "./waiting.ts";
import { worldFor } from "./world.ts";

/** Reads the layers, checks trust, opens the journal. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const state = await open(options);
  return {
    project: state.project,
    sessionId: state.sessionId,
    journalFolder: state.journal?.folder,
    problems: [...state.unsaid],
    fire: (event, ...rest: Given) => fireEvent(state, event, ...rest),
    explain: (event, ...[input]: Given) => explainEvent(state, event, input),
    variables: (session = state.sessionId) => state.variables.of(session),
    hooks: () => listHooks(state),
    switchHook: (id, on) => state.switches.set(id, on),
    close: async ({ waitMs = 0, onLate = () => {} } = {}) => {
      await state.background.close(waitMs);
      state.closing.abort();
      for (const { end } of state.underWay) end("the engine was closed");
      await Promise.all([...state.underWay].map(({ settled }) => settled));
      if (!options.kept) await state.kept.close();
      state.journal?.close();
      state.variables.close();
      for (const diagnostic of state.unsaid.splice(0).filter(isTold)) onLate(diagnostic);
    },
  };
}

/** What is given with an event, whichever it is: for a name that is not known yet, TypeScript does not see it. */
type Given = [input?: Record<string, unknown>, options?: FireOptions];

interface UnderWay {
  /** Aborts it, with an AbortError that says why. */
  end(why: string): void;
  readonly settled: Promise<void>;
}

/** What an engine keeps from one event to the next. */
export type EngineState = Awaited<ReturnType<typeof open>>;

async function open(options: EngineOptions) {
  checkOptions(options);
  const cwd = resolve(options.cwd ?? process.cwd());
  const project = findProject(cwd, options.home);
  const sessionId = options.sessionId ?? randomId();
  const limits = completeLimits(options.limits);
  const { handleSignals = true } = options;
  const placesFor = (session: string) => configPlaces({ ...options, cwd, project, sessionId: session });
  const ownPlaces = placesFor(sessionId);
  const state = {
    options,
    cwd,
    project,
    sessionId,
    /** Where config files may be; worked out once for the session that nearly every event belongs to. */
    ownPlaces,
    placesFor: hasSessionLayer(options) ? placesFor : () => ownPlaces,
    env: options.env ?? process.env,
    limits,
    limit: limiter(limits.maxParallel),
    background: backgroundRuns(limits.maxParallel, (diagnostic) => state.unsaid.push(diagnostic)),
    once: onceInSession(options.memory),
    variables: sessionVariables(options.env ?? process.env),
    loader: configLoader(options),
    journal: journalFor(options, project, limits),
    kept: options.kept ?? keepProcesses({ ...options, handleSignals }),
    /** Which of the kept processes are this engine's to ask. */
    environment: options.kept ? environmentKey(options.env ?? process.env) : "",
    handleSignals,
    /** Aborted by close(). */
    closing: new AbortController(),
    /** Events that fire now; close() ends them and waits for them. */
    underWay: new Set<UnderWay>(),
    stops: stopChains(limits.stopCap),
    switches: switches(),
    trustNotices: trustNotices(options),
    observer: observer(options.onHook),
    /** Failures of the engine itself that the user knows of: each is told once. */
    toldOf: new Set<string>(),
    /** Problems of the last load that no event has carried to the user yet. */
    unsaid: [] as Diagnostic[],
  };
  await load(state, sessionId);
  return state;
}

function journalFor(
  { journal = true, home, env = {} }: EngineOptions,
  project: string,
  limits: Limits,
): Journal | undefined {
  if (journal === false) return undefined;
  if (typeof journal === "string") return openJournal(journal, limits, [], env);
  const folder = journalFolder(project, home);
  return openJournal(folder, limits, ownFolders(folder), env);
}

function load(state: EngineState, sessionId: string): Loaded | Promise<Loaded> {
  if (state.closing.signal.aborted) throw new UsageError("the engine is closed");
  const places = sessionId === state.sessionId ? state.ownPlaces : state.placesFor(sessionId);
  const loaded = state.loader.load(places);
  return loaded instanceof Promise
    ? loaded.then((read) => inForce(state, sessionId, read))
    : inForce(state, sessionId, loaded);
}

function inForce(state: EngineState, sessionId: string, loaded: Loaded): Loaded {
  state.unsaid.push(...loaded.fresh);
  const hooks = state.once.apply(sessionId, state.switches.apply(loaded.hooks));
  return hooks === loaded.hooks ? loaded : { ...loaded, hooks };
}

/**
 * An event that is aborted, by the caller, by close() or by a signal of the host, rejects once its hooks have ended and its
 * record is written: it never comes back as an outcome, which would read as "not blocked".
 */
async function fireEvent(
  state: EngineState,
  event: EventName,
  input: Record<string, unknown> = {},
  { signal, ...options }: FireOptions = {},
): Promise<Outcome> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal); // every hook listens to it
  if (signal) setMaxListeners(0, signal); // and every event to its caller's, which Node warns of from the eleventh on
  const end = (why: string) => ending.abort(new DOMException(why, "AbortError"));
  // AbortSignal.any would leak on a signal that lives long.
  const onAbort = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const forget = state.handleSignals ? endWithHost((got) => got && end(`the process got ${got}`)) : () => {};
  const firing = fireUntil(ending.signal, state, event, input, options).finally(() => {
    signal?.removeEventListener("abort", onAbort);
    forget();
    state.underWay.delete(entry);
  });
  const settled = firing.then(
    () => {},
    () => {},
  );
  const entry: UnderWay = { end, settled };
  state.underWay.add(entry);
  return firing;
}

async function fireUntil(
  signal: AbortSignal,
  state: EngineState,
  event: EventName,
  input: Record<string, unknown>,
  options: Omit<FireOptions, "signal">,
): Promise<Outcome> {
  checkSchema(options.toolSchema);
  const prepared = await prepare(state, event, input);
  const { payload, loaded, folders } = prepared;
  const unsaid = state.unsaid.splice(0);
  state.variables.before(event, payload.session_id);
  const outcome = await fire(
    {
      ...prepared,
      hooks: options.wasAnswered ? [] : prepared.hooks,
      dialect: state.options.dialect ?? loaded.dialect ?? DEFAULT_DIALECT,
      relay: options.relay,
      extra: [...untestedMatchers(loaded.hooks, event, payload), ...unsaid.filter(isTold)],
    },
    worldFor(state, { ...prepared, problems: unsaid, signal }, options),
  ).finally(() => {
    if (signal.aborted) state.unsaid.unshift(...unsaid);
  });
  signal.throwIfAborted();
  state.stops.after(event, payload, outcome.decision.kind);
  if (eventRow(event).phase === "session start")
    warmUp(
      loaded.hooks,
      { warm: state.kept.warm, folders, env: state.env, environment: state.environment },
      state.options.kept ? state.kept.closing : state.closing.signal,
    );
  return outcome;
}

/** Everything that match and trust need of an event. */
async function prepare(state: EngineState, event: EventName, input: Record<string, unknown>) {
  const completed = completePayload(state, event, input);
  const loaded = await load(state, completed.session_id);
  const { payload, stops } = state.stops.before(event, completed);
  const folders = foldersOf(state, payload.cwd);
  const { hooks } = loaded;
  const trust = readProjectTrust(hooks, folders, state.options.untrustedRefuse);
  // Slow patterns share one time limit. Entries that the user never trusted must not use it up, so they are tested last.
  const hasSlow = hooks.some(({ matcher }) => matcher.kind === "unsafe-pattern");
  const testLast = hasSlow ? new Set(hooks.filter((hook) => !trust.isEntryTrusted(hook))) : undefined;
  return { event, payload, stops, loaded, folders, hooks, trust, testLast };
}

async function explainEvent(
  state: EngineState,
  event: EventName,
  input: Record<string, unknown> = {},
): Promise<Explanation> {
  const prepared = await prepare(state, event, input);
  const { payload, hooks } = prepared;
  const matches = explainHooks(hooks, { ...prepared, ...matchHooks(prepared) });
  return { matches, payload, problems: [...state.unsaid] };
}

async function listHooks(state: EngineState): Promise<ListedHook[]> {
  const { hooks } = await load(state, state.sessionId);
  const trust = readProjectTrust(hooks, foldersOf(state, state.cwd));
  return hooks.map((hook) => ({ id: switchId(hook), hook, trusted: mayRun(trust.of(hook)) }));
}

function foldersOf({ project, options }: EngineState, cwd: string): Folders {
  return { project, cwd, home: homeFolder(options.home) };
}

/** Hooks that the user has switched on or off for as long as this engine lives; their files stay as they are. */
interface Switches {
  set(id: string, on: boolean): void;
  /** The same hooks, as they were switched. */
  apply(hooks: readonly Hook[]): readonly Hook[];
}

/** By what a hook is, not by where it stands: an edit of the file must not switch off another one. */
function switchId({ event, matcher, identity, source }: Hook): string {
  return JSON.stringify([event, matcher.source, source.file, identity]);
}

function switches(): Switches {
  const given = new Map<string, boolean>();
  return {
    set: (id, on) => void given.set(id, on),
    apply: (hooks) =>
      given.size === 0
        ? hooks
        : hooks.map((hook) => ({ ...hook, enabled: given.get(switchId(hook)) ?? hook.enabled })),
  };
}

/** Hooks that say once and have run, by session. */
interface Once {
  add(session: string, hook: Hook): void;
  /** The same hooks; those that have run in the session are off. */
  apply(session: string, hooks: readonly Hook[]): readonly Hook[];
}

function onceInSession(memory?: SessionMemory): Once {
  const sessions = bySession(() => new Set<string>());
  return {
    add: (session, hook) => {
      sessions.of(session).add(switchId(hook));
      memory?.add(session, `ran ${switchId(hook)}`);
    },
    apply: (session, hooks) => {
      const ran = sessions.get(session);
      const hasRun = (hook: Hook) =>
        hook.once &&
        (ran?.has(switchId(hook)) === true || memory?.has(session, `ran ${switchId(hook)}`) === true);
      return hooks.some(hasRun)
        ? hooks.map((hook) => (hasRun(hook) ? { ...hook, enabled: false, hasRun: true as const } : hook))
        : hooks;
    },
  };
}

/** Who watches the hooks: its failure is none of theirs. */
interface Observer {
  tell(step: HookStep): void;
  failure(): Diagnostic | undefined;
}

function observer(onHook: EngineOptions["onHook"]): Observer {
  let failure: Diagnostic | undefined;
  const note = (error: unknown) => {
    failure ??= diagnose("observer-failed", { detail: messageOf(error) });
  };
  return {
    tell: (step) => {
      try {
        const given: unknown = onHook?.(step);
        if (given instanceof Promise) given.catch(note);
      } catch (error) {
        note(error);
      }
    },
    failure: () => failure,
  };
}
