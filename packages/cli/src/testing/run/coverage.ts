import { type EventName, type Hook, type Rule, type RunReport, ruleFor } from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";
import { eventRow, placeOf } from "@belay/core/internal";
import type { CaseFile } from "../read/case-file.ts";
import { isRunOf } from "../read/hooks.ts";
import { neverRan } from "./not-run.ts";
import type { CaseResult, Suite } from "./run-cases.ts";

/** What a hook can say, and what it can do instead. */
const ANSWER_KINDS = [
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
type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface HookCoverage {
  readonly name: string;
  readonly event: EventName;
  /** file:line of its entry. */
  readonly place: string;
  /** Cases in which it ran. */
  readonly cases: number;
  /** Cases in which it could not start. */
  readonly notStarted: number;
  readonly kinds: readonly AnswerKind[];
  /** Names of its matcher that no case fired. */
  readonly unfired: readonly string[];
  /** As the settings have it. */
  readonly matcher: string;
}

export interface Coverage {
  readonly hooks: readonly HookCoverage[];
  /** Kinds of answer that the events of these hooks take, and that no case saw. */
  readonly unseen: readonly AnswerKind[];
  /** Whether a case file names a script by itself: no settings were looked at for it. */
  readonly hasScripts: boolean;
}

/** One run of a hook in a case, with the value that its matcher was held against. */
interface Ran {
  readonly run: RunReport;
  readonly value: unknown;
  readonly isStarted: boolean;
}

/** Which hooks, matchers and kinds of answer the cases exercised. Hooks that are switched off are left alone. */
export function coverageOf({ results, hooks }: Suite): Coverage {
  // Several files may test the same settings, or the same script.
  const all = new Map<string, { hook: Hook; place: string; ran: Ran[] }>();
  for (const [file, listed] of hooks) {
    const own = results.filter(({ test }) => test.file === file);
    for (const { hook } of listed.filter(({ hook: { enabled } }) => enabled)) {
      const place = placeIn(file, hook);
      const key = `${place} ${hook.source.path} ${hook.event}`;
      const known = all.get(key) ?? { hook, place, ran: [] };
      known.ran.push(...runsOf(hook, own));
      all.set(key, known);
    }
  }
  const entries = [...all.values()];
  const covered = entries.map(coverageOfHook);
  const seen = new Set(covered.flatMap(({ kinds }) => kinds));
  const possible = new Set(entries.flatMap(({ hook }) => possibleKinds(ruleFor(hook.event, hook.dialect))));
  return {
    hooks: covered,
    unseen: ANSWER_KINDS.filter((kind) => possible.has(kind) && !seen.has(kind)),
    hasScripts: [...hooks.keys()].some((file) => "runnable" in file.hooks),
  };
}

/** The place of a hook. A case file with `hook` has no settings that anyone wrote: its script is named, or the case file. */
function placeIn({ file, hooks }: CaseFile, { source }: Hook): string {
  return "runnable" in hooks ? (hooks.runnable.script?.file ?? file) : placeOf(source);
}

function runsOf(hook: Hook, results: readonly CaseResult[]): Ran[] {
  const field = eventRow(hook.event).matcher;
  return results.flatMap(({ outcome, payload }) => {
    const runs = outcome?.event === hook.event ? outcome.runs : [];
    const run = runs.find((one) => isRunOf(one, hook));
    if (!outcome || !run) return [];
    const value = field === undefined ? undefined : payload?.[field];
    return [{ run, value, isStarted: !neverRan(run, outcome) }];
  });
}

function coverageOfHook({
  hook,
  place,
  ran: all,
}: {
  hook: Hook;
  place: string;
  ran: readonly Ran[];
}): HookCoverage {
  const ran = all.filter(({ isStarted }) => isStarted);
  const fired = new Set(ran.map(({ value }) => value));
  const kinds = new Set(ran.flatMap(({ run }) => kindsOf(run, hook.event)));
  return {
    name: hook.name,
    event: hook.event,
    place,
    cases: ran.length,
    notStarted: all.length - ran.length,
    kinds: ANSWER_KINDS.filter((kind) => kinds.has(kind)),
    unfired: (hook.matcher.names ?? []).filter((name) => !fired.has(name)),
    matcher: hook.matcher.source,
  };
}

function kindsOf(run: RunReport, event: EventName): AnswerKind[] {
  const { verdict, adds = [] } = run;
  if (whyNoAnswer(run, event) !== undefined) return ["fault"];
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
