import {
  type EventName,
  eventRow,
  type Hook,
  placeOf,
  type Rule,
  type RunReport,
  ruleFor,
} from "@belay/core";
import type { CaseResult, Suite } from "./run-cases.ts";

/** What a hook can say, and what it can do instead. */
export const ANSWER_KINDS = [
  "allow",
  "deny",
  "ask",
  "rewrite",
  "context",
  "block",
  "stop",
  "fault",
  "silence",
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface HookCoverage {
  readonly name: string;
  readonly event: EventName;
  /** file:line of its entry. */
  readonly place: string;
  /** Cases in which it ran. */
  readonly cases: number;
  readonly kinds: readonly AnswerKind[];
  /** Names of its matcher that no case fired. */
  readonly unfired: readonly string[];
  /** Its matcher, where no case fired it at all and it names nothing that could be listed. */
  readonly matcher: string;
}

export interface Coverage {
  readonly hooks: readonly HookCoverage[];
  /** Kinds of answer that the events of these hooks take, and that no case saw. */
  readonly unseen: readonly AnswerKind[];
}

/** Which hooks, matchers and kinds of answer the cases exercised. Hooks that are switched off are left alone. */
export function coverageOf({ results, hooks }: Suite): Coverage {
  const all = [...hooks].flatMap(([file, listed]) => {
    const own = results.filter(({ test }) => test.file === file);
    return listed.filter(({ hook }) => hook.enabled).map(({ hook }) => ({ hook, results: own }));
  });
  // Several files may test the same settings.
  const byHook = new Map<string, { hook: Hook; results: CaseResult[] }>();
  for (const { hook, results: own } of all) {
    const key = `${placeOf(hook.source)} ${hook.source.path}`;
    const known = byHook.get(key) ?? { hook, results: [] };
    known.results.push(...own);
    byHook.set(key, known);
  }
  const covered = [...byHook.values()].map(({ hook, results: own }) => coverageOfHook(hook, own));
  const seen = new Set(covered.flatMap(({ kinds }) => kinds));
  const possible = new Set(
    [...byHook.values()].flatMap(({ hook }) => possibleKinds(ruleFor(hook.event, hook.dialect))),
  );
  return { hooks: covered, unseen: ANSWER_KINDS.filter((kind) => possible.has(kind) && !seen.has(kind)) };
}

function coverageOfHook(hook: Hook, results: readonly CaseResult[]): HookCoverage {
  const place = placeOf(hook.source);
  const field = eventRow(hook.event).matcher;
  const ran = results.flatMap(({ outcome, payload }) => {
    const run =
      outcome?.event === hook.event &&
      outcome.runs.find((one) => one.source === place && one.hook === hook.name);
    return run ? [{ run, value: field === undefined ? undefined : payload?.[field] }] : [];
  });
  const fired = new Set(ran.map(({ value }) => value));
  const kinds = new Set(ran.flatMap(({ run }) => kindsOf(run)));
  return {
    name: hook.name,
    event: hook.event,
    place,
    cases: ran.length,
    kinds: ANSWER_KINDS.filter((kind) => kinds.has(kind)),
    unfired: (hook.matcher.names ?? []).filter((name) => !fired.has(name)),
    matcher: hook.matcher.source,
  };
}

function kindsOf({ verdict, adds = [], fault }: RunReport): AnswerKind[] {
  if (fault !== undefined) return ["fault"];
  const added = adds.filter((kind) => kind !== "message");
  if (verdict !== "abstain") return [verdict, ...added];
  return added.length > 0 ? added : ["silence"];
}

function possibleKinds({ answers, decisions, refusal, stdoutIsContext }: Rule): AnswerKind[] {
  const permits = answers.includes("permissionDecision") || decisions === "behavior";
  return [
    ...(permits ? (["allow", "ask"] as const) : []),
    ...(refusal ? [refusal] : []),
    ...(answers.includes("updatedInput") || answers.includes("updatedPrompt") ? (["rewrite"] as const) : []),
    ...(answers.includes("additionalContext") || stdoutIsContext ? (["context"] as const) : []),
    "stop",
    "fault",
    "silence",
  ];
}
