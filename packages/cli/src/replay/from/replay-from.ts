import { matching, plural } from "@belay/core/internal";
import { createEngine, type EventName, type EventRecord, type ListedHook, UsageError } from "@belay/engine";
import { LOGGED_EVENTS, OPINION_EVENTS } from "@belay/harness";
import { type FlagValues, oneOf, parallelOf, wholeNumber } from "../../args/args.ts";
import { BELAY, type CONFIG_FLAGS, nextCommand, refuseBroken, simulatingOptions } from "../../args/flags.ts";
import { hintAtDialects } from "../../hooks/dialect-hint.ts";
import { disabledEntries, errorsIn } from "../../hooks/disabled.ts";
import { canAsk, closeStdin, type Io, isAgreed, untilInterrupted } from "../../io.ts";
import { type FromValues, findNamed, leftOutSayer, refuseMixed, wantedBy } from "../../logs/from.ts";
import { progressLine } from "../../render/progress.ts";
import { oneLine } from "../../render/text.ts";
import { changesAsJson } from "../changes.ts";
import { inOrder } from "../rerun.ts";
import { evenly, eventsMeant, type Meant, skimsFor } from "./events.ts";
import { examples, type Plan, renderFrom, renderPlan, type Summary } from "./report.ts";
import { type Survey, surveyOf } from "./survey.ts";
import { answerOf, type Changed, changeOf, hookTally, kindOf, looksAround } from "./tally.ts";
import { openWorlds } from "./worlds.ts";

type Values = FromValues &
  FlagValues<typeof CONFIG_FLAGS> & {
    readonly parallel?: string;
    readonly sample?: string;
    readonly json?: boolean;
    readonly yes?: boolean;
  };

/** `belay replay --from`: what hooks would have said to what the session logs of other agents tell of. */
export async function replayFrom(values: Values, positionals: readonly string[], io: Io): Promise<number> {
  refuseMixed(values, positionals, {
    in: "hooks of logged events run in scratch folders",
    limit: "--sample N takes N events evenly",
    hook: "the hooks of --config run, and the log has others",
    decision: "the log does not say what other hooks decided",
  });
  const meant = meantBy(values);
  const parallel = parallelOf(values.parallel, "events");
  const sample = sampleOf(values);
  const hooks = await hooksFor(values, meant.events);
  hintAtDialects(values, io);
  const leftOut = leftOutSayer();
  const survey = await surveyOf(meant, hooks, leftOut.add, values, io);
  leftOut.say(io);
  const plan: Plan = { survey, asks: Math.min(sample, survey.events), hooks, parallel };
  const say = values.json ? io.err : io.out;
  say(renderPlan(plan, values.json ? { ...io, color: false } : io));
  if (!(await mayRun(values, io))) return 1;
  closeStdin();
  return run({ meant, survey, plan, hooks, parallel }, values, io);
}

function meantBy(values: Values): Meant {
  const events =
    values.event?.map((name) => oneOf(name, LOGGED_EVENTS, "event that a session log tells of")) ??
    OPINION_EVENTS;
  const wanted = wantedBy(values, skimsFor(events));
  return { found: findNamed(values, wanted), wanted, events, tools: values.tool };
}

/** The hooks of these events. Throws where there are none, or some cannot be asked: what was not asked has not passed. */
async function hooksFor(values: Values, events: readonly EventName[]): Promise<ListedHook["hook"][]> {
  const engine = await createEngine({
    ...simulatingOptions(values),
    journal: false,
    reload: false,
    program: BELAY,
  });
  const listed = await engine.hooks();
  await engine.close();
  refuseBroken(engine.problems, values);
  const check = `next: ${nextCommand("check", values)}`;
  const off = errorsIn(engine.problems);
  if (off.length > 0) throw new UsageError(`of the hooks to ask, ${disabledEntries(off)}`, check);
  const concerned = listed.filter(({ hook }) => hook.enabled && events.includes(hook.event));
  if (concerned.length === 0)
    throw new UsageError(
      `no hook that is configured answers ${events.join(", ")}`,
      values.config || values.plugin
        ? check
        : `name a file with hooks: ${BELAY} replay --from ${values.from} --config FILE`,
    );
  const untrusted = concerned.filter(({ trusted }) => !trusted);
  if (untrusted.length > 0)
    throw new UsageError(
      `${plural(untrusted.length, "hook")} of the project ${untrusted.length === 1 ? "is" : "are"} not trusted, and would not run`,
      `next: ${nextCommand("trust", values)}`,
    );
  return concerned.map(({ hook }) => hook);
}

function sampleOf({ sample }: Values): number {
  if (sample === undefined) return Number.POSITIVE_INFINITY;
  return wholeNumber("--sample", sample, "number of events", "for example: --sample 500", [1, 1e9]);
}

async function mayRun(values: Values, io: Io): Promise<boolean> {
  if (values.yes) return true;
  if (canAsk(io) && !values.json) return isAgreed("Run them? [y/N] ", "Nothing was run.", io);
  throw new UsageError(
    "the hooks would run, and nobody is there to be asked",
    "add --yes to run them, and --sample 100 for a first look",
  );
}

interface Asked {
  /** Names the call that it is about. */
  readonly call: string;
  readonly blocked?: boolean;
  readonly changed: Changed | undefined;
}

interface Running {
  readonly meant: Meant;
  readonly survey: Survey;
  readonly plan: Plan;
  readonly hooks: readonly ListedHook["hook"][];
  readonly parallel: number;
}

async function run(
  { meant, survey, plan, hooks, parallel }: Running,
  values: Values,
  io: Io,
): Promise<number> {
  const { json = false } = values;
  const started = performance.now();
  const worlds = openWorlds(simulatingOptions(values));
  const tally = hookTally(hooks);
  const shown = examples();
  const counts = { loosened: 0, denied: 0, asked: 0, rewritten: 0 };
  const { signal, done } = untilInterrupted();
  const known = new Set<string>();
  /** Calls that do not come as far as their next event. */
  const refusedNow = new Set<string>();
  let seen = 0;
  const isMeant = evenly(plan.asks, survey.events);

  async function* wanted(): AsyncGenerator<EventRecord> {
    let index = 0;
    for await (const one of eventsMeant(meant, () => {})) {
      if (signal.aborted || index >= survey.events) return;
      if (isMeant(index++)) yield one;
    }
  }

  async function ask(logged: EventRecord): Promise<Asked> {
    const call = `${logged.agent} ${logged.session} ${logged.payload.tool_use_id ?? logged.id}`;
    const { matched } = matching(hooks, logged.event, logged.payload);
    if (signal.aborted || matched.length === 0) return { call, changed: changeOf(logged, undefined) };
    const looks = matched.some(looksAround);
    const answered = await worlds.fire(logged, "empty", looks);
    const { blocked } = answered.outcome;
    tally.add(answered.outcome);
    const kind = looks ? `${kindOf(logged)} ${answerOf(answered.outcome)}` : "";
    if (looks && !known.has(kind)) {
      known.add(kind);
      tally.check(answered, await worlds.fire(logged, "furnished", true));
    }
    return { call, blocked, changed: changeOf(logged, answered) };
  }

  const left = () => (seen === 0 ? "" : `, ${leftText(performance.now() - started, seen, plan.asks)}`);
  const progress = progressLine(
    io,
    () => `${seen} of ${plan.asks} events${left()} …   Ctrl-C ends it`,
    values,
  );
  const interrupt = () => void worlds.close();
  signal.addEventListener("abort", interrupt);
  let stays: Awaited<ReturnType<typeof worlds.close>>;
  const printed = json ? changesAsJson(io) : undefined;
  try {
    for await (const { call, blocked, changed } of inOrder(wanted(), parallel, ask)) {
      if (signal.aborted) break;
      seen += 1;
      const isOver = refusedNow.has(call);
      if (blocked) refusedNow.add(call);
      if (!changed || isOver) continue;
      counts[changed.change] += 1;
      if (printed) await printed.add(changed);
      else shown.add(changed);
    }
  } catch (error) {
    // What was under way when it was interrupted says nothing of a hook.
    if (!signal.aborted) throw error;
  } finally {
    progress.wipe();
    signal.removeEventListener("abort", interrupt);
    done();
    stays = await worlds.close();
  }
  const { first, last, sessions } = survey;
  const summary: Summary = {
    agents: [...survey.agents.keys()],
    events: seen,
    of: survey.events,
    sessions: sessions.size,
    first,
    last,
    ...counts,
    ms: performance.now() - started,
  };
  const asked = tally.hooks();
  if (printed) printed.end({ hooks: asked, summary });
  else io.out(renderFrom(summary, asked, shown, io));
  if (stays) io.err(`belay: ${oneLine(stays.folder)} could not be removed: ${oneLine(stays.why)}\n`);
  if (signal.aborted) {
    io.err("belay: interrupted; not all events were asked\n");
    return 130;
  }
  if (counts.loosened > 0) return 2;
  return asked.some(({ runs, failed }) => runs > 0 && failed === runs) ? 1 : 0;
}

function leftText(ms: number, seen: number, all: number): string {
  const seconds = Math.round(((ms / seen) * (all - seen)) / 1000);
  return seconds < 90 ? `${seconds} s left` : `${Math.round(seconds / 60)} min left`;
}
