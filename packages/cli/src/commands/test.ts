import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { oneLine } from "@belay/core/clean";
import { messageOf, plural, shellWord, shorten } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { shownPath } from "@belay/engine/internal";
import type { Harness } from "@belay/harness";
import { type Command, type FlagValues, oneOf, parallelOf, readFlags } from "../args/args.ts";
import { AS_FLAG, BELAY } from "../args/flags.ts";
import { agentsMeant } from "../as/agents.ts";
import { closeStdin, type Io, untilInterrupted } from "../io.ts";
import { progressLine } from "../render/progress.ts";
import { paintFor } from "../render/text.ts";
import { type CaseFile, type CaseProblem, patternOf, type TestCase } from "../testing/read/case-file.ts";
import { caseFilesNow, findCaseFiles, readCaseFiles } from "../testing/read/find-files.ts";
import { coverageOf, coverageReport } from "../testing/report/coverage.ts";
import { shownFile } from "../testing/report/facts.ts";
import { problemLines, REPORTER_NAMES, REPORTERS, textNotRun } from "../testing/report/for-programs.ts";
import { claimOutput, refuseInput, replaceReport, writeOutput } from "../testing/report/output-file.ts";
import { type TextOptions, textReport } from "../testing/report/text.ts";
import { type CaseResult, runCases, type Suite } from "../testing/run/run-cases.ts";
import { type Updated, updateCases, wroteAlone } from "../testing/run/update.ts";
import { again, sayMistake, type Watched, watchedFiles } from "../testing/watch.ts";

const USAGE = "belay test [paths] [options]";

const FLAGS = {
  name: {
    type: "string",
    short: "t",
    value: "TEXT",
    help: "only cases with this in their name, or /a pattern/",
  },
  parallel: {
    type: "string",
    short: "p",
    value: "N",
    help: "cases at a time; as many as there are cores if absent",
  },
  watch: { type: "boolean", short: "w", help: "run again when a case, a config or a script changes" },
  update: {
    type: "boolean",
    short: "u",
    help: "write what came into the expectations that fail, and keep the rest",
  },
  ...AS_FLAG,
  coverage: { type: "boolean", help: "show which hooks, matchers and kinds of answer no case exercised" },
  reporter: { type: "string", value: "NAME", help: `${REPORTER_NAMES.join(", ")}; text if absent` },
  output: {
    type: "string",
    short: "o",
    value: "FILE",
    help: "write the report there, and the text to the screen",
  },
  keep: { type: "boolean", help: "leave the folder of each case, and say where it is" },
  verbose: { type: "boolean", short: "v", help: "show every case, not only those that fail" },
} as const;

type Values = FlagValues<typeof FLAGS>;

/** A system's words may hold a path of any length. */
const MAX_WHY = 200;

export const command: Command = {
  usage: USAGE,
  summary:
    "Runs the test cases in *.hooks.yaml, *.hooks.yml and *.hooks.json below the current folder, or at these paths; a word that is no path narrows them. It runs the hooks that they name, each case in a folder of its own, with an empty home. A file says, for example:\n{ hook: guard.sh, cases: [{ name: no rm, event: PreToolUse, payload: { tool_input: { command: rm -rf / } }, expect: { decision: deny } }] }\nExits 0: all pass, 2: a case fails, 1: bad usage, or no case.",
  flags: FLAGS,
  examples: [
    "belay test",
    "belay test guard -t deny --watch",
    "belay test --as all",
    "belay test --coverage",
    "belay test --reporter junit --output hooks.xml",
  ],
  run: test,
};

/**
 * What ran a few dozen times, here the reader of YAML first, Node 20's V8 compiles once more, on the cores that the hooks
 * need; most runs are over before that pays. It is to wait for twenty times as much. Later ones wait by themselves, and
 * do not know the flag.
 */
function optimiseLater(): void {
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1351680");
}

async function test(args: readonly string[], io: Io): Promise<number> {
  optimiseLater();
  const { values, positionals } = readFlags(args, FLAGS);
  closeStdin();
  const cwd = process.cwd();
  const options = {
    cwd,
    parallel: parallelOf(values.parallel, "cases"),
    report: reportOf(values, cwd),
    agents: values.as === undefined ? [] : await agentsMeant(values.as, {}),
  };
  const wanted = byName(values.name, nameFlag(args));
  const { signal } = untilInterrupted();
  let problems: readonly CaseProblem[] = [];
  const chosen = async () => {
    problems = [];
    const found = findCaseFiles(positionals, cwd, (link) => {
      const shown = oneLine(shownPath(link, cwd));
      io.err(
        `belay: ${shown} is a link to a folder with case files, and was not looked into; next: ${BELAY} test ${shellWord(shown)}\n`,
      );
    });
    const files = await readCaseFiles(found, (all) => {
      problems = all;
      for (const line of problemLines(all, cwd)) io.err(`${line}\n`);
    });
    refuseNone(files, wanted, values.name);
    return files;
  };
  const once = async () => {
    const files = await chosen().catch((error: unknown) => {
      if (error instanceof UsageError) reportNotRun(error.message, problems, values, cwd, io);
      throw error;
    });
    return { files, ...(await runFiles(files, wanted, { ...options, signal }, values, io)) };
  };
  if (!values.watch) return (await once()).code;
  const code = await again(
    async () => {
      const { files, ...rest } = await onceMore(once, positionals, cwd, io);
      const missing = problems.flatMap((problem) => problem.missing ?? []);
      return { ...rest, files: [...files, ...missing], find: () => caseFilesNow(positionals, cwd) };
    },
    signal,
    io,
  );
  return signal.aborted ? 130 : code;
}

/** For programs: people have been told. */
function reportNotRun(
  why: string,
  problems: readonly CaseProblem[],
  { reporter = "text", output }: Values,
  cwd: string,
  io: Io,
): void {
  const name = oneOf(reporter, REPORTER_NAMES, "reporter");
  const report = (name === "text" ? textNotRun : REPORTERS[name].notRun)(why, problems, cwd);
  if (output !== undefined) replaceReport(resolve(cwd, output), report);
  else if (name === "github") io.command(report);
}

function refuseNone(files: readonly CaseFile[], wanted: (test: TestCase) => boolean, name?: string): void {
  if (files.some(({ cases }) => cases.some(wanted))) return;
  throw new UsageError(`no case has ${JSON.stringify(name)} in its name`, "-v without -t lists them all");
}

/** Files that are broken are said, and watched like others; where there are none, `again` says so. */
async function onceMore(
  once: () => Promise<Ran & { files: readonly CaseFile[] }>,
  positionals: readonly string[],
  cwd: string,
  io: Io,
): Promise<Watched> {
  try {
    const { files, code, suite, updated } = await once();
    const own = updated && wroteAlone(updated) && { since: Date.now() };
    return { code, files: watchedFiles(files, suite), ...own };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const files = findCaseFiles(positionals, cwd);
    sayMistake(error, io);
    return { code: 1, files };
  }
}

interface Ran {
  readonly code: number;
  readonly suite: Suite;
  readonly updated?: Updated;
}

async function runFiles(
  files: readonly CaseFile[],
  wanted: (test: TestCase) => boolean,
  {
    cwd,
    parallel,
    signal,
    report,
    agents,
  }: { cwd: string; parallel: number; signal: AbortSignal; report: Report; agents: readonly Harness[] },
  values: Values,
  io: Io,
): Promise<Ran> {
  const total = files.flatMap(({ cases }) => cases).filter(wanted).length;
  if (values.output !== undefined) claimOutput(values.output, cwd, files);
  const started = performance.now();
  const progress = showProgress(total, io);
  const options = { parallel, keep: values.keep ?? false, signal, onResult: progress.done, agents };
  const suite = await runCases(files, wanted, options).finally(progress.end);
  const { results, left: remains } = suite;
  if (remains)
    io.err(
      `belay: ${oneLine(remains.folder)} could not be removed: ${shorten(oneLine(remains.why), MAX_WHY)}; remove it by hand\n`,
    );
  if (signal.aborted) {
    io.err(
      `belay: interrupted after ${results.length} of ${plural(total, "case")}; the hooks that ran were ended\n`,
    );
    return { code: 130, suite };
  }
  const time = performance.now() - started;
  const updated = values.update ? await updateCases(results) : { written: [], left: [] };
  report(suite, { verbose: values.verbose ?? false, time, updated: new Set(updated.written) }, io);
  // A report that a program reads from stdout has it for itself.
  const isForProgram = (values.reporter ?? "text") !== "text" && values.output === undefined;
  const say = isForProgram ? io.err : io.out;
  if (isForProgram)
    for (const { test, kept } of results)
      if (kept !== undefined) say(`kept: ${oneLine(kept)}  ${oneLine(test.name)}\n`);
  if (values.coverage) say(coverageReport(coverageOf(suite), cwd, io));
  sayUpdated(updated, cwd, { ...io, out: say });
  const failed = results.filter(({ status }) => status === "fail");
  return { code: failed.length > updated.written.length ? 2 : 0, suite, updated };
}

function showProgress(total: number, io: Io): { done(result: CaseResult): void; end(): void } {
  let done = 0;
  let failed = 0;
  const text = (seconds: number) => {
    const bad = failed > 0 ? `, ${failed} failed` : "";
    return `${done} of ${total} cases${bad}, ${seconds} s   Ctrl-C ends it`;
  };
  return {
    done: ({ status }) => {
      done += 1;
      if (status === "fail") failed += 1;
    },
    end: progressLine(io, text, { everyMs: 1000 }).wipe,
  };
}

function sayUpdated({ written, left }: Updated, cwd: string, io: Io): void {
  if (written.length > 0)
    io.out(
      `${paintFor(io).yellow(`updated ${plural(written.length, "case")}`)}: look at the difference before you keep it\n`,
    );
  for (const { result, why } of left)
    io.err(
      `${oneLine(shownFile(result, cwd))}:${result.test.line}: ${oneLine(result.test.name)} was not updated: ${oneLine(why)}\n`,
    );
}

type Shown = Omit<TextOptions, "cwd">;
type Report = (suite: Suite, shown: Shown, io: Io) => void;

function reportOf({ reporter = "text", output }: Values, cwd: string): Report {
  const name = oneOf(reporter, REPORTER_NAMES, "reporter");
  const text: Report = ({ results }, shown, io) => io.out(textReport(results, { cwd, ...shown }, io));
  const made = (suite: Suite, shown: Shown, io: Io) =>
    name === "text"
      ? textReport(suite.results, { cwd, ...shown }, { ...io, color: false })
      : REPORTERS[name].report(suite.results, cwd);
  if (output === undefined && name === "text") return text;
  if (output === undefined)
    return (suite, shown, io) => (name === "github" ? io.command : io.out)(made(suite, shown, io));
  refuseInput(output, cwd);
  const file = resolve(cwd, output);
  return (suite, shown, io) => {
    text(suite, shown, io);
    writeOutput(file, made(suite, shown, io));
  };
}

function nameFlag(args: readonly string[]): string {
  return args.some((arg) => /^--name(?:=|$)/.test(arg)) ? "--name" : "-t";
}

function byName(name: string | undefined, flag: string): (test: TestCase) => boolean {
  if (name === undefined) return () => true;
  const pattern = patternFrom(name, flag);
  const text = name.toLowerCase();
  return (one) => pattern?.test(one.name) ?? one.name.toLowerCase().includes(text);
}

function patternFrom(name: string, flag: string): RegExp | undefined {
  try {
    return patternOf(name);
  } catch (error) {
    throw new UsageError(`${flag} ${name} is no pattern`, oneLine(messageOf(error)));
  }
}
