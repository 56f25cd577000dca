import { resolve, sep } from "node:path";
import type { DiagnosticCode, RunReport } from "@belay/core";
import { plural } from "@belay/core/internal";
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
import type { TestCase } from "../read/case-file.ts";
import { fromProject, hookOf } from "../read/hooks.ts";
import type { Coverage, HookCoverage } from "../run/coverage.ts";
import type { CaseResult } from "../run/run-cases.ts";

const OF_WHICH =
  "a script named by hook: counts for itself; entries of settings count where a case file is about them";

/** A line per hook, then what no case exercised. */
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

/** A shell's word for a program that is not there. */
const NOT_FOUND = 127;
/** An interpreter's, for its script. */
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
