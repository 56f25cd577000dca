import { extname } from "node:path";
import { isRefused, type Outcome, type RunReport } from "@belay/core";
import { isSame, whyNoAnswer } from "@belay/core/compare";
import { isObject, placeOf } from "@belay/core/internal";
import type { EventName, EventRecord, ListedHook } from "@belay/engine";
import { redacted } from "../../logs/redact.ts";
import { callText, inputBriefly } from "../../render/brief.ts";
import type { Answered } from "./worlds.ts";

/** What hooks would now make of a call or a prompt, where that is news. */
export type News = "loosened" | "denied" | "asked" | "rewritten";

export interface Changed {
  readonly agent: string;
  readonly session: string;
  readonly time: string;
  readonly event: EventName;
  readonly about?: string;
  readonly call: string;
  readonly change: News;
  readonly decision: Outcome["decision"]["kind"];
  readonly hook?: string;
  readonly reason?: string;
  /** The input or prompt that it would be now. */
  readonly rewrite?: string;
  /** Who refused it then. */
  readonly before?: Refusal;
}

interface Refusal extends Pick<Outcome["decision"], "hook" | "reason"> {
  readonly refusedBy: NonNullable<EventRecord["refusedBy"]>;
}

/** Whether what a hook said now is what it would have said then. */
export type Decidable = "decidable" | "needs the world as it was";

export interface AskedHook {
  readonly hook: string;
  readonly event: EventName;
  readonly type: string;
  runs: number;
  denies: number;
  asks: number;
  allows: number;
  rewrites: number;
  context: number;
  failed: number;
  /** Why it gave no answer, the last time. */
  failure?: string;
  /** Runs that were held against a run in another world. */
  checked: number;
  verdict?: Decidable;
}

/** What the hooks there are said to events of logs. */
export function hookTally(hooks: readonly ListedHook["hook"][]) {
  const asked = new Map<string, AskedHook>(
    hooks.map((hook) => [
      `${placeOf(hook.source)} ${hook.name}`,
      {
        hook: hook.name,
        event: hook.event,
        type: hook.handler.type,
        ...{ runs: 0, denies: 0, asks: 0, allows: 0, rewrites: 0, context: 0, failed: 0, checked: 0 },
        ...(!looksAround(hook) && { verdict: "decidable" }),
      },
    ]),
  );
  const of = ({ source, hook }: RunReport) => asked.get(`${source} ${hook}`);
  return {
    add: ({ event, runs }: Outcome) => {
      for (const run of runs) {
        const hook = of(run);
        if (!hook) continue;
        hook.runs += 1;
        if (isRefused(run.verdict)) hook.denies += 1;
        if (run.verdict === "ask") hook.asks += 1;
        if (run.verdict === "allow") hook.allows += 1;
        if (run.adds?.includes("rewrite")) hook.rewrites += 1;
        if (run.adds?.includes("context")) hook.context += 1;
        const why = whyNoAnswer(run, event);
        if (why === undefined) continue;
        hook.failed += 1;
        hook.failure = why;
      }
    },
    /** Holds the same event in two worlds against each other. A hook that gave no answer has said nothing of either. */
    check: (one: Answered, other: Answered) => {
      one.outcome.runs.forEach((run, index) => {
        const hook = of(run);
        const again = other.outcome.runs[index];
        if (!hook || !PROGRAMS.includes(hook.type)) return;
        hook.checked += 1;
        const answers = again && whyNoAnswer(run, one.outcome.event) === undefined;
        const isAgreed = answers && isSame(said(run, one), said(again, other));
        if (!isAgreed) hook.verdict = "needs the world as it was";
        else hook.verdict ??= "decidable";
      });
    },
    hooks: () => [...asked.values()],
  };
}

/** Hooks of these types can look at files. The others are given the payload and nothing else. */
const PROGRAMS: readonly string[] = ["command", "module"];

export function looksAround({ handler }: ListedHook["hook"]): boolean {
  return PROGRAMS.includes(handler.type);
}

function said({ verdict, adds = [], exitCode, stdout }: RunReport, { asThere }: Answered) {
  return { verdict, adds, exitCode, stdout: asThere(stdout) };
}

/** Calls of one kind: hooks of programs are asked in a second world once for each kind and each answer. */
export function kindOf({ event, payload }: Pick<EventRecord, "event" | "payload">): string {
  const { tool_name: tool = "", tool_input: input } = payload;
  const { command, file_path: path } = isObject(input) ? input : {};
  const words = typeof command === "string" ? command.trim().split(/\s+/).slice(0, 2).join(" ") : "";
  return `${event} ${tool} ${words || extname(typeof path === "string" ? path : "")}`;
}

export function answerOf({ runs }: Outcome): string {
  return runs.map(({ verdict, adds = [] }) => [verdict, ...adds].join(",")).join(" ");
}

/**
 * What is news of an event: against what became of it then, as far as the log tells. `answered` is undefined where no hook
 * fits it now.
 */
export function changeOf(logged: EventRecord, answered: Answered | undefined): Changed | undefined {
  const { decision = { kind: "none" as const }, updatedInput, updatedPrompt } = answered?.outcome ?? {};
  const asThere = answered?.asThere ?? ((value) => value);
  const { agent = "", event, session, time, payload } = logged;
  const refusal = refusalOf(logged);
  const input = asThere(updatedInput);
  const prompt = asThere(updatedPrompt);
  const isRewritten =
    (input !== undefined && !isSame(input, payload.tool_input)) ||
    (prompt !== undefined && prompt !== payload.prompt);
  const change = newsIn(decision.kind, refusal?.refusedBy, isRewritten);
  if (change === undefined) return undefined;
  const { tool_name: about } = payload;
  const rewrite = input ? inputBriefly(redacted(input)) : prompt;
  return {
    agent,
    session,
    time,
    event,
    ...(typeof about === "string" && { about }),
    call: callText(redacted(payload)),
    change,
    ...redacted({
      decision: decision.kind,
      ...(decision.hook !== undefined && { hook: decision.hook }),
      ...(decision.reason !== undefined && { reason: asThere(decision.reason) }),
      ...(isRewritten && rewrite !== undefined && { rewrite }),
      ...(refusal && { before: refusal }),
    }),
  };
}

function refusalOf({ refusedBy, outcome }: EventRecord): Refusal | undefined {
  const { hook, reason } = outcome.decision;
  if (refusedBy === undefined) return undefined;
  return { refusedBy, ...(hook !== undefined && { hook }), ...(reason !== undefined && { reason }) };
}

/**
 * What a hook refused then and no hook refuses now has loosened. Where somebody else refused it, only an allow of a hook
 * loosens, for nobody would be asked any more; and no hook allows what a rule refuses.
 */
function newsIn(
  kind: Outcome["decision"]["kind"],
  refusedBy: EventRecord["refusedBy"],
  isRewritten: boolean,
): News | undefined {
  if (isRefused(kind)) return refusedBy === undefined ? "denied" : undefined;
  if (refusedBy === "hook") return "loosened";
  if (refusedBy !== undefined) return kind === "allow" && refusedBy !== "rule" ? "loosened" : undefined;
  if (kind === "ask") return "asked";
  return isRewritten ? "rewritten" : undefined;
}
