import type { Diagnostic, DiagnosticCode, EventName, Outcome, RunReport } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { summaryLine, whyNoAnswer } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import type { Expectation } from "@belay/core/schema";
import { shownPath } from "@belay/engine/internal";
import { asTyped, nextCommand } from "../../args/flags.ts";
import { errorsIn, unreadIn } from "../../hooks/disabled.ts";
import { exitHint } from "../../render/stages.ts";
import type { TestCase } from "../read/case-file.ts";
import type { HookOptions } from "../read/hooks.ts";

const NEVER_RAN: readonly DiagnosticCode[] = [
  "run-not-started",
  "run-script-not-found",
  "run-script-unreadable",
  "run-script-syntax",
];

export function neverRan({ hook }: RunReport, { diagnostics }: Outcome): boolean {
  return diagnostics.some((one) => one.hook === hook && NEVER_RAN.includes(one.code));
}

const FORCED: DiagnosticCode = "run-failure-blocks";

/**
 * Why a case proves nothing: its hook failed, and the case does not expect a failure. A case expects one if it names a message
 * to the user, or a diagnostic.
 */
export function whyUntested(outcome: Outcome, expect: Expectation): string | undefined {
  const { user = [], diagnostics = [] } = expect;
  if (user.length > 0 || diagnostics.length > 0) return undefined;
  const missing = outcome.diagnostics.find(({ code }) => NEVER_RAN.includes(code));
  if (missing) return `${oneLine(missing.hook ?? "a hook")} could not start; ${expectedCodes(outcome)}`;
  const failed = outcome.runs.find((run) => isFailed(run, outcome));
  if (!failed) return undefined;
  const why = oneLine(summaryLine(whyNoAnswer(failed, outcome.event) ?? "")).replace(/[:;.]$/, "");
  const hasCode = failed.fault !== undefined || codesOf(failed, outcome).includes(FORCED);
  // Where a refusal is expected, the hook is what is to change.
  const hint = expectsRefusal(expect) ? exitHint(failed, outcome)?.text : undefined;
  const about = hasCode ? expectedCodes(outcome) : `${ABOUT} what the user reads, user: […]`;
  return `${oneLine(failed.hook)} failed: ${why}; ${hint ?? about}`;
}

function expectsRefusal({ decision, blocked, action }: Expectation): boolean {
  return blocked || decision === "deny" || decision === "block" || (action?.startsWith("block-") ?? false);
}

/** A run that restricts has answered, unless the restriction is what its failure counts as. */
function isFailed(run: RunReport, outcome: Outcome): boolean {
  if (whyNoAnswer(run, outcome.event) === undefined) return false;
  // Another agent runs hooks of that type. What the other hooks say is tested all the same.
  if (codesOf(run, outcome).includes("run-elsewhere")) return false;
  return run.verdict === "abstain" || codesOf(run, outcome).includes(FORCED);
}

function codesOf({ hook }: RunReport, { diagnostics }: Outcome): DiagnosticCode[] {
  return diagnostics.filter((one) => one.hook === hook).map(({ code }) => code);
}

const ABOUT = "a case about that expects";

/** Lists all codes: an expectation of diagnostics is about all of them. */
function expectedCodes({ diagnostics }: Outcome): string {
  return `${ABOUT} diagnostics: [${diagnostics.map(({ code }) => code).join(", ")}]`;
}

/**
 * Why a case proves nothing of its config: an error there keeps hooks of its event off, and a hook that is off refuses nothing.
 * A case about the error expects its code.
 */
export function whyKeptOff(
  problems: readonly Diagnostic[],
  { file, expect = {} }: TestCase,
  event: EventName,
  { configFiles: config, pluginDirs: plugin, dialect }: HookOptions = {},
): string | undefined {
  const unread = unreadIn(problems);
  const [first, ...others] = [...unread, ...errorsIn(problems, event)].filter(
    (problem) => !expect.diagnostics?.includes(problem.code),
  );
  if (first === undefined) return undefined;
  // A file that cannot be read is named in the message already.
  const place =
    first.path === undefined || unread.includes(first) ? "" : `${shownPath(first.path, file.folder)}: `;
  const check = () => nextCommand("check", { config: typed(config), plugin: typed(plugin), dialect });
  const more = others.length > 0 ? ` And ${plural(others.length, "error")} more; next: ${check()}` : "";
  return `${place}${first.message}; fix: ${asTyped(first.fix)}${more}`;
}

function typed(paths: readonly string[] = []): string[] {
  return paths.map((path) => shownPath(path, process.cwd()));
}
