import { resolve, sep } from "node:path";
import type { DiagnosticCode, RunReport } from "@belay/core";
import { findProject, projectFolderFor, relativeScripts, type ScriptWord, statOf } from "@belay/engine/tools";
import type { TestCase } from "../case-file.ts";
import { fromProject, hookOf } from "../hooks-of.ts";
import type { CaseResult } from "../run-cases.ts";

/** A shell's word for a program that is not there. */
const NOT_FOUND = 127;
/** An interpreter's, for its script. */
const NO_SCRIPT: DiagnosticCode = "run-script-not-found";

const OWN_FOLDER = "a case runs in a folder of its own: ";
const OWN_HOME =
  "a case has a home of its own, which is empty: keep the script in the project, or name it from the root on";

/** Why a script was not found that is there for its author: a case has another folder, and another home. */
export function whyNotThere(
  { test, outcome, places, hooks = [] }: Pick<CaseResult, "test" | "outcome" | "places" | "hooks">,
  run: RunReport,
): string | undefined {
  const missing = outcome?.diagnostics.find(({ code, hook }) => code === NO_SCRIPT && hook === run.hook);
  if (run.exitCode !== NOT_FOUND && missing === undefined) return undefined;
  const said = missing?.message ?? run.stderr;
  if (places && said.includes(places.home + sep)) return OWN_HOME;
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
