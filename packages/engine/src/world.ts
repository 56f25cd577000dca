import {
  type Diagnostic,
  diagnose,
  type EventName,
  type EventRecord,
  type Hook,
  parse,
  type Run,
  ruleFor,
} from "@belay/core";
import { isInBackground, isObject, type Matching, withoutDoubles } from "@belay/core/internal";
import type { Loaded } from "./config/load.ts";
import type { EngineState } from "./engine.ts";
import type { Folders } from "./environment.ts";
import { explainHooks } from "./explain.ts";
import type { TrustedHooks, World } from "./fire.ts";
import { idSequence } from "./ids.ts";
import { type Payload, textOf } from "./payload.ts";
import { runHook } from "./runners/index.ts";
import { EDITED, EDITED_MEANWHILE, NEVER_TRUSTED, notRun } from "./runners/runner.ts";
import { misfitOf } from "./tool-schema.ts";
import { isUntrusted, mayRun, type ProjectTrust } from "./trust/evaluate.ts";
import { isUntouched } from "./trust/fingerprint.ts";
import type { Refusals } from "./trust/notices.ts";
import type { TrustState } from "./trust/store.ts";
import type { FireOptions, HookStep } from "./types.ts";

/** What is known of an event before its flow begins. */
export interface Firing {
  readonly event: EventName;
  readonly payload: Payload;
  readonly loaded: Loaded;
  readonly folders: Folders;
  readonly trust: ProjectTrust;
  /** Config problems that the user was not told of yet. */
  readonly problems: readonly Diagnostic[];
  readonly signal: AbortSignal;
  /** When the hooks that are waited for must have ended, on the clock of `performance`. */
  readonly until?: number | undefined;
}

const nextId = idSequence();

/** The effects of one event's flow. */
export function worldFor(
  state: EngineState,
  firing: Firing,
  { toolSchema, onMatched, limitMs }: Pick<FireOptions, "toolSchema" | "onMatched" | "limitMs">,
): World {
  const { event, payload, loaded, trust, problems, signal } = firing;
  let refusals: Refusals = new Map();
  const until = limitMs === undefined ? undefined : performance.now() + limitMs;
  return {
    trust: (found) => {
      const trusted = askedHooks(state, firing, found);
      refusals = trusted.refusals;
      return trusted;
    },
    show:
      onMatched &&
      ((found) =>
        onMatched({
          matches: explainHooks(loaded.hooks, { event, payload, ...found, trust }),
          payload,
          problems,
        })),
    // Whoever is shown what matched may take long: files may have changed since trust was evaluated.
    run: (hook, given, later) => {
      const refuses = refusals.get(hook);
      if (refuses) return notRun(refuses === "new" ? NEVER_TRUSTED : EDITED);
      return runCounted(state, { ...firing, until }, hook, given, later || onMatched !== undefined);
    },
    misfit: async (input) => toolSchema && misfitOf(toolSchema, input, signal),
    record: (record) => {
      const unwritten = writeRecord(
        state,
        signal.aborted ? { ...record, aborted: true } : record,
        loaded.redact,
      );
      return once(state, [unwritten, state.observer.failure(), state.kept.launch.failure()]);
    },
    stamp: () => ({ id: nextId(), time: new Date().toISOString() }),
  };
}

/** The hooks that are asked, guards that refuse included, and what the user must be told of the others. */
function askedHooks(
  state: EngineState,
  { event, payload, loaded, folders, trust }: Firing,
  matching: Matching,
): TrustedHooks & { readonly refusals: Refusals } {
  const found = matching.matched.map(trust.of);
  const turnedAway = [...trust.turnedAway(event, matching).values()];
  const asked = found.flatMap((one) => (mayRun(one) ? one.hook : (one.refusesAs ?? [])));
  const hooks = [...withoutDoubles(asked), ...turnedAway];
  const refusals = new Map<Hook, TrustState>();
  for (const { refusesAs, state: known } of found)
    if (refusesAs && known !== "needs none") refusals.set(refusesAs, known);
  for (const hook of turnedAway) refusals.set(hook, "changed");
  const untrusted = found.filter(isUntrusted);
  // The untrusted hooks that would have run: a hook whose double is asked is not missed.
  const missed = withoutDoubles([...hooks, ...untrusted.map(({ hook }) => hook)]).slice(hooks.length);
  const met = { event, session: payload.session_id, trust, untrusted, missed, refusals };
  const told = state.trustNotices(met, loaded.hooks, folders);
  return {
    hooks,
    told,
    untrusted: untrusted.length + told.length > 0 ? missed.length : undefined,
    refusals,
  };
}

/** Starts a hook that nobody waits for, and runs any other. One that says once has run when it came to its end without a fault. */
async function runCounted(
  state: EngineState,
  firing: Firing,
  hook: Hook,
  payload: Payload,
  later: boolean,
): Promise<Run> {
  const session = payload.session_id;
  const running = isInBackground(hook.handler)
    ? state.background.start(hook, (signal) => runTrusted(state, { ...firing, signal }, hook, payload, later))
    : runTrusted(state, firing, hook, payload, later);
  const run = await running;
  const isFault = () =>
    parse(hook, run, ruleFor(hook.event, hook.dialect, hook.simulated)).fault !== undefined;
  if (hook.once && !isFault()) state.once.add(session, hook);
  return run;
}

/** Runs a hook when it is its turn. A hook whose files were written since trust was evaluated is a fault. */
async function runTrusted(
  state: EngineState,
  firing: Firing,
  hook: Hook,
  payload: Payload,
  later: boolean,
): Promise<Run> {
  const { folders, trust, signal } = firing;
  const isStillTrusted = () => {
    const { taken } = trust.of(hook);
    return taken === undefined || isUntouched(hook, taken, folders);
  };
  const limit = isInBackground(hook.handler) ? state.background.limit : state.limit;
  return limit(async (waited) => {
    const mayHaveChanged = later || waited;
    if (mayHaveChanged && !isStillTrusted()) return notRun(EDITED);
    const run = await runObserved(state, firing, hook, payload);
    return isStillTrusted() ? run : { ...run, failure: EDITED_MEANWHILE };
  }, signal);
}

async function runObserved(
  state: EngineState,
  { folders, loaded, signal, until }: Firing,
  configured: Hook,
  payload: Payload,
): Promise<Run> {
  const hook = endingBy(until, configured);
  const { limits, kept, project, env, environment, options, observer } = state;
  const { allowedHttpHookUrls } = loaded;
  const { name, event, statusMessage: status, handler } = hook;
  const step: Omit<HookStep, "phase"> = {
    hook: name,
    event,
    ...(status !== undefined && { status }),
    ...(isInBackground(handler) && { background: true }),
  };
  observer.tell({ phase: "start", ...step });
  const envFile = state.variables.fileFor(hook);
  const effort = isObject(payload.effort) ? payload.effort.level : undefined;
  const run = await runHook({
    hook,
    input: textOf(payload),
    cwd: payload.cwd,
    projectDir: project,
    sessionId: payload.session_id,
    env,
    environment,
    limits,
    modules: kept.modules,
    launch: kept.launch.run,
    warm: kept.warm,
    folders,
    signal,
    ...(typeof effort === "string" && { effort }),
    ...(envFile !== undefined && { envFile }),
    ...(allowedHttpHookUrls && { allowedHttpHookUrls }),
    ...(options.ask && { ask: options.ask }),
  });
  observer.tell({ phase: "end", ...step });
  if (envFile !== undefined) state.unsaid.push(...state.variables.take(hook, payload.session_id, envFile));
  return run;
}

/** The hook with no more time than is left for all. */
function endingBy(until: number | undefined, hook: Hook): Hook {
  if (until === undefined || isInBackground(hook.handler)) return hook;
  const leftMs = Math.max(1, Math.ceil(until - performance.now()));
  return hook.timeoutMs <= leftMs ? hook : { ...hook, timeoutMs: leftMs };
}

function writeRecord(
  { journal }: EngineState,
  record: EventRecord,
  redact: Loaded["redact"],
): Diagnostic | undefined {
  const detail = journal?.write(record, redact);
  return detail === undefined
    ? undefined
    : diagnose("journal-failed", { detail, folder: journal?.folder ?? "" });
}

/** Those of these failures that this engine has not told before. */
function once({ toldOf }: EngineState, failures: readonly (Diagnostic | undefined)[]): Diagnostic[] {
  const fresh = failures.filter((failure) => failure !== undefined).filter(({ code }) => !toldOf.has(code));
  for (const { code } of fresh) toldOf.add(code);
  return fresh;
}
