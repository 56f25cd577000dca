import {
  type DecideContext,
  type Diagnostic,
  type DialectName,
  decide,
  type EventName,
  type EventRecord,
  type Hook,
  isRefused,
  type Mutable,
  type Outcome,
  parse,
  type Relayed,
  type Run,
  route,
  ruleFor,
  type Verdict,
} from "@belay/core";
import {
  dialectRow,
  type FiredHook,
  type Matching,
  matchersGivenUp,
  matching,
  placeOf,
  remarksOn,
  toRecord,
  winningRewrite,
  withToolOutput,
} from "@belay/core/internal";
import type { Payload } from "./payload.ts";

/** The effects that the flow needs. Everything else in this file is pure. */
export interface World {
  /** Says which of the hooks that match are asked. Evaluates their trust, once for the event. */
  trust(found: Matching): TrustedHooks;
  /** Shows what is known before a hook runs; absent when nobody looks. */
  readonly show?: ((found: Matching) => Promise<void> | void) | undefined;
  /** Runs one hook on a payload; `later` if hooks of the same chain ran before it. Never rejects. */
  run(hook: Hook, payload: Payload, later: boolean): Run | Promise<Run>;
  /** Returns why a rewritten input does not fit the tool, or undefined if it fits. */
  misfit(input: Readonly<Record<string, unknown>>): Promise<string | undefined>;
  /** Keeps the record. Returns diagnostics that came up meanwhile and are not in it. */
  record(record: EventRecord): readonly Diagnostic[];
  /** Names the event, and says when it fired. */
  stamp(): Pick<EventRecord, "id" | "time">;
}

/** What trust makes of the hooks that match. */
export interface TrustedHooks {
  /** The hooks that are asked, in configured order. */
  readonly hooks: readonly Hook[];
  /** What the user must be told of the other hooks. */
  readonly told: readonly Diagnostic[];
  /** How many hooks did not run for lack of trust; undefined if the project's hooks are all trusted. */
  readonly untrusted?: number | undefined;
}

export interface FireInput {
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly payload: Payload;
  readonly hooks: readonly Hook[];
  /** Hooks whose matchers are tested after all others. */
  readonly testLast?: ReadonlySet<Hook> | undefined;
  readonly stops?: DecideContext["stops"];
  readonly extra: readonly Diagnostic[];
  /** Says what another agent is told of the outcome. */
  readonly relay?: ((outcome: Outcome) => Relayed | Promise<Relayed>) | undefined;
}

/** event → match → trust → run → parse → decide → route → record */
export async function fire(input: FireInput, world: World): Promise<Outcome> {
  const { event, dialect, payload } = input;
  const found = matchHooks(input);
  const { hooks, told, untrusted } = world.trust(found);
  const givenUp = matchersGivenUp(hooks);
  if (world.show) await world.show(found);
  const running = runAndParse(hooks, payload, world);
  const stamp = world.stamp();
  const fired = await running;
  const context = await contextOf(input, fired, world);
  const verdicts = fired.map(({ verdict }) => verdict);
  const decided = decide(verdicts, context);
  const extra = [...told, ...input.extra, ...givenUp, ...fired.flatMap(({ hook }) => remarksOn(hook))];
  const outcome = route({ event, dialect, fired, decided, extra });
  const relayed = await input.relay?.(outcome);
  const decidedEvent = { ...input, ...stamp, untrusted, context, extra, relayed };
  const late = world.record(toRecord(decidedEvent, fired, outcome));
  return late.length > 0 ? route({ event, dialect, fired, decided, extra: [...extra, ...late] }) : outcome;
}

/** What the decision depends on besides the verdicts. */
async function contextOf(
  { stops, payload }: FireInput,
  fired: readonly FiredHook[],
  world: World,
): Promise<DecideContext> {
  const verdicts = fired.map(({ verdict }) => verdict);
  const finished = inOrderOfFinishing(fired);
  const rewritten = winningRewrite(verdicts, "updatedInput", finished ? { finished } : {})?.updatedInput;
  const misfit = rewritten && (await world.misfit(rewritten));
  return {
    ...(finished && { finished }),
    ...(stops && { stops }),
    ...(misfit !== undefined && { misfit }),
    ...(isMcpTool(payload) && { mcpTool: true }),
  };
}

/** Indexes of the hooks as they finished, if one of them is simulated as a system in which the last rewrite to finish counts. */
function inOrderOfFinishing(fired: readonly FiredHook[]): number[] | undefined {
  if (!fired.some(({ hook }) => dialectRow(hook.dialect, hook.simulated).lastFinishedWins)) return undefined;
  const end = ({ after = 0, run }: FiredHook) => after + run.executionTime;
  return fired
    .map((hook, index) => ({ index, end: end(hook) }))
    .sort((a, b) => a.end - b.end)
    .map(({ index }) => index);
}

/** The stage match: hooks in configured order, whatever order they are tested in. */
export function matchHooks({ hooks, event, payload, testLast }: MatchInput): Matching {
  if (!testLast) return matching(hooks, event, payload);
  const inOrder = [...hooks.filter((hook) => !testLast.has(hook)), ...testLast];
  const found = matching(inOrder, event, payload);
  const matched = new Set(found.matched);
  return { ...found, matched: hooks.filter((hook) => matched.has(hook)) };
}

type MatchInput = Pick<FireInput, "hooks" | "event" | "payload" | "testLast">;

/** Runs all chains at once, the hooks of one chain one after another. Results are in configured order. */
async function runAndParse(
  hooks: readonly Hook[],
  payload: Payload,
  world: World,
): Promise<readonly FiredHook[]> {
  const results = new Array<FiredHook | undefined>(hooks.length);
  await Promise.all(chainsOf(hooks).map((chain) => runChain(chain, hooks, payload, results, world)));
  return compact(results);
}

/** The chains, as indexes into `hooks`: the hooks of a sequential group are one chain, every other hook is alone. */
function chainsOf(hooks: readonly Hook[]): number[][] {
  const chains: number[][] = [];
  const groups = new Map<string, number[]>();
  hooks.forEach(({ sequential, group }, index) => {
    const begun = sequential ? groups.get(group) : undefined;
    if (begun) {
      begun.push(index);
      return;
    }
    const chain = [index];
    chains.push(chain);
    if (sequential) groups.set(group, chain);
  });
  return chains;
}

/** Each hook sees the input as the previous one left it; a deny, block or stop skips the rest (design §5). */
async function runChain(
  chain: readonly number[],
  hooks: readonly Hook[],
  payload: Payload,
  results: (FiredHook | undefined)[],
  world: World,
): Promise<void> {
  let current = payload;
  let saw: number | undefined;
  let after = 0;
  for (const index of chain) {
    const hook = hooks[index] as Hook;
    const run = await world.run(hook, current, index !== chain[0]);
    const parsed = parse(hook, run, ruleFor(hook.event, hook.dialect, hook.simulated));
    const verdict: Verdict = saw === undefined ? parsed : { ...parsed, saw };
    const fired: Mutable<FiredHook> = { hook, source: placeOf(hook.source), run, verdict };
    if (after > 0) fired.after = after;
    results[index] = fired;
    after += run.executionTime;
    if (verdict.observed) continue;
    if (isRefused(verdict.kind)) return;
    const rewritten = rewrite(current, verdict);
    if (rewritten !== current) saw = index;
    current = rewritten;
  }
}

function rewrite(payload: Payload, verdict: Verdict): Payload {
  const mcpTool = isMcpTool(payload) || undefined;
  const { updatedInput, updatedPrompt, updatedToolOutput } = withToolOutput(verdict, { mcpTool });
  if ((updatedInput ?? updatedPrompt ?? updatedToolOutput) === undefined) return payload;
  return {
    ...payload,
    ...(updatedInput && { tool_input: updatedInput }),
    ...(updatedPrompt !== undefined && { prompt: updatedPrompt }),
    ...(updatedToolOutput !== undefined && { tool_response: updatedToolOutput }),
  };
}

function isMcpTool({ tool_name: name }: Payload): boolean {
  return typeof name === "string" && name.startsWith("mcp__");
}

/** Drops what a chain skipped; `saw` goes on pointing at the same verdict. */
function compact(results: readonly (FiredHook | undefined)[]): readonly FiredHook[] {
  const position = new Map<number, number>();
  results.forEach((result, index) => {
    if (result) position.set(index, position.size);
  });
  return results
    .filter((result) => result !== undefined)
    .map((result) => {
      const saw = result.verdict.saw === undefined ? undefined : position.get(result.verdict.saw);
      return saw === undefined ? result : { ...result, verdict: { ...result.verdict, saw } };
    });
}
