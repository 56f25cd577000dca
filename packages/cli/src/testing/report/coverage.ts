import { resolve, sep } from "node:path";
import {
  type DiagnosticCode,
  type EventName,
  type Hook,
  type Rule,
  type RunReport,
  ruleFor,
} from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";
import { matchedValue, placeOf, plural } from "@belay/core/internal";
import {
  findProject,
  projectFolderFor,
  relativeScripts,
  type ScriptWord,
  shownPath,
  statOf,
} from "@belay/engine/internal";
import type { Io } from "../../io.ts";
import { hang, oneLine, paintFor } from "../../render/text.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import { fromProject, hookOf, isRunOf } from "../read/hooks.ts";
import { neverRan } from "../run/not-run.ts";
import type { CaseResult, Suite } from "../run/run-cases.ts";

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
  readonly place: string;
  readonly cases: number;
  readonly notStarted: number;
  readonly kinds: readonly AnswerKind[];
  readonly unfired: readonly string[];
  readonly matcher: string;
}

export interface Coverage {
  readonly hooks: readonly HookCoverage[];
  readonly unseen: readonly AnswerKind[];
  /** Whether a case file names a script by itself: no settings were looked at for it. */
  readonly hasScripts: boolean;
}

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
  const possible = new Set(
    entries.flatMap(({ hook }) => possibleKinds(ruleFor(hook.event, hook.dialect, hook.simulated))),
  );
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
  return results.flatMap(({ outcome, payload }) => {
    const runs = outcome?.event === hook.event ? outcome.runs : [];
    const run = runs.find((one) => isRunOf(one, hook));
    if (!outcome || !run) return [];
    const value = matchedValue(hook.event, payload ?? {});
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

const REWRITES = ["updatedInput", "updatedPrompt", "updatedToolOutput"] as const;

function possibleKinds({ answers, decisions, refusal, stdoutIsContext }: Rule): AnswerKind[] {
  const permits = answers.includes("permissionDecision") || decisions === "behavior";
  return [
    ...(permits ? (["allow", "ask"] as const) : []),
    ...(refusal ? [refusal] : []),
    ...(REWRITES.some((field) => answers.includes(field)) ? (["rewrite"] as const) : []),
    ...(answers.includes("additionalContext") || stdoutIsContext ? (["context"] as const) : []),
    "stop",
    "fault",
    "silence",
  ];
}

const OF_WHICH =
  "a script named by hook: counts for itself; entries of settings count where a case file is about them";

export function coverageReport({ hooks, unseen, hasScripts }: Coverage, cwd: string, io: Io): string {
  const paint = paintFor(io);
  const ran = hooks.filter(({ cases }) => cases > 0).length;
  const lines = hooks.flatMap((hook) => {
    const never = hook.cases === 0;
    const sign = never ? paint.red("✗") : hook.unfired.length > 0 ? paint.yellow("!") : paint.green("✓");
    const place = paint.dim(oneLine(shownPath(hook.place, cwd)));
    const head = `${oneLine(hook.name)}  ${hook.event}  ${place}`;
    return [...hang(`  ${sign} `, head, io.columns), ...hang("      ", detail(hook), io.columns)];
  });
  const left = hooks.length === 0 ? "no case came to a hook" : answersLeft(unseen);
  const notes = [left, ...(hasScripts ? [paint.dim(OF_WHICH)] : [])];
  return `${[
    "",
    paint.bold(`coverage: ${ran} of ${plural(hooks.length, "hook")} ran`),
    ...lines,
    ...notes.flatMap((note) => hang("  ", note, io.columns)),
  ].join("\n")}\n`;
}

function answersLeft(unseen: Coverage["unseen"]): string {
  return unseen.length === 0 ? "every kind of answer was given" : `no case saw: ${unseen.join(", ")}`;
}

function detail({ cases, notStarted, kinds, unfired, matcher }: HookCoverage): string {
  if (cases === 0 && notStarted > 0) return `it could not start in ${plural(notStarted, "case")}`;
  if (cases === 0)
    return `no case runs it${matcher === "" || matcher === "*" ? "" : ` (matcher ${oneLine(matcher)})`}`;
  const never = unfired.length > 0 ? `; its matcher's ${unfired.map(oneLine).join(", ")} never fired` : "";
  return `${plural(cases, "case")}: ${kinds.join(", ")}${never}`;
}

const NOT_FOUND = 127;
const NO_SCRIPT: DiagnosticCode = "run-script-not-found";

const OWN_FOLDER = "a case runs in a folder of its own: ";
const OWN_HOME =
  "a case has a home of its own, which is empty: keep the script in the project, or name it from the root on";

/** Why a case did not find a script that is there for its author: a case has a folder and a home of its own. */
export function whyNotThere(
  { test, outcome, folders: own, hooks = [] }: Pick<CaseResult, "test" | "outcome" | "folders" | "hooks">,
  run: RunReport,
): string | undefined {
  const missing = outcome?.diagnostics.find(({ code, hook }) => code === NO_SCRIPT && hook === run.hook);
  if (run.exitCode !== NOT_FOUND && missing === undefined) return undefined;
  const said = missing?.message ?? run.stderr;
  if (own && said.includes(own.home + sep)) return OWN_HOME;
  const hook = outcome && hookOf(run, outcome.event, hooks);
  if (hook === undefined) return undefined;
  const { folder, data } = test.file;
  const folders = { cwd: folder, project: findProject(folder), home: folder };
  // Else it ran, and a program that it calls is not there.
  const script = relativeScripts(hook, folders).find((one) => !isInFolder(one, test));
  if (script === undefined) return undefined;
  return data.hook === undefined
    ? `${OWN_FOLDER}name the script by ${projectFolderFor(hook)}/… in the settings, or add \`folder: .\` to the case`
    : `${OWN_FOLDER}write hook: ${script.word}, or in the command ${fromProject(script.file, folder)}`;
}

function isInFolder({ word }: ScriptWord, { folder }: TestCase): boolean {
  return folder !== undefined && statOf(resolve(folder, word)) !== undefined;
}
