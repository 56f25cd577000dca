import { sep } from "node:path";
import type { DiagnosticCode, RunReport } from "@belay/core";
import { findProject, scriptWords } from "@belay/engine/tools";
import type { CaseFile } from "../case-file.ts";
import { fromProject } from "../hooks-of.ts";
import type { CaseResult } from "../run-cases.ts";

/** A shell's word for a program that is not there. */
const NOT_FOUND = 127;
/** An interpreter's, for its script. */
const NO_SCRIPT: DiagnosticCode = "run-script-not-found";

const OWN_FOLDER = "a case runs in a folder of its own: ";
const IN_SETTINGS = `${OWN_FOLDER}name the script by "$BELAY_PROJECT_DIR"/… in the settings, or add \`folder: .\` to the case`;
const OWN_HOME =
  "a case has a home of its own, which is empty: keep the script in the project, or name it from the root on";

/** A path from the root: how it is named is not what is wrong. */
const MISSING_FROM_ROOT = /(?:^|: )\/[^\n:]*: (?:not found|No such file|cannot execute)/m;

/** Why a script was not found that is there for its author: a case has another folder, and another home. */
export function whyNotThere(
  { test, outcome, places }: Pick<CaseResult, "test" | "outcome" | "places">,
  run: RunReport,
): string | undefined {
  const missing = outcome?.diagnostics.find(({ code, hook }) => code === NO_SCRIPT && hook === run.hook);
  if (run.exitCode !== NOT_FOUND && missing === undefined) return undefined;
  const said = missing?.message ?? run.stderr;
  if (places && said.includes(places.home + sep)) return OWN_HOME;
  // Some interpreters name it from the root on where the command does not.
  const named = places ? said.replaceAll(places.cwd + sep, "") : said;
  if (MISSING_FROM_ROOT.test(named) || (missing && named.includes(' "/'))) return undefined;
  return test.file.data.hook === undefined ? IN_SETTINGS : inCommand(test.file, test.file.data.hook);
}

function inCommand({ folder }: CaseFile, command: string): string | undefined {
  const folders = { cwd: folder, project: findProject(folder), home: folder };
  const script = scriptWords(command, folders).find(({ isRun, exists }) => isRun && exists);
  if (script === undefined) return undefined;
  const { word, file } = script;
  return `${OWN_FOLDER}write hook: ${word}, or in the command ${fromProject(file, folder)}`;
}
