import { safeJson } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import type { Diagnostic } from "@belay/engine";
import { type CheckedConfig, checkConfig, shownPath } from "@belay/engine/internal";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { AS_FLAG, asTyped, BELAY, CONFIG_FLAGS, nextCommand, simulatingOptions } from "../args/flags.ts";
import { hintAtDialects } from "../hooks/dialect-hint.ts";
import { hooksNotRead, whereHooksAre } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";
import { clean, hang, oneLine, type Paint, paintFor, wrap } from "../render/text.ts";

const USAGE = "belay check [options]";

const FLAGS = {
  ...CONFIG_FLAGS,
  ...AS_FLAG,
  strict: { type: "boolean", help: "exit 1 when there is a warning, too" },
  json: { type: "boolean", help: "print { problems, summary } as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Finds every problem in the config and in the scripts it names. Runs nothing.\nExits 1 when there is an error, with --strict a warning; 0 otherwise.",
  flags: FLAGS,
  examples: [
    "belay check",
    "belay check --config hooks.json",
    "belay check --dialect claude-code --json",
    "belay check --as all",
  ],
  run: check,
};

async function check(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const config = [...(values.config ?? []), ...positionals];
  noArguments(positionals, `next: ${nextCommand("check", { ...values, config })}`);
  const as =
    values.as === undefined ? undefined : await (await import("../as/index.ts")).asAgents(values.as, values);
  const options = simulatingOptions(values);
  const checked = await checkConfig({ ...options, program: BELAY });
  hintAtDialects(values, io);
  const known = new Set(checked.problems.map(({ code, path }) => `${code} ${path}`));
  const elsewhere = (as?.check(checked.hooks, options.cwd) ?? []).filter(
    ({ code, path }) => !known.has(`${code} ${path}`),
  );
  const problems = byPlace([...checked.problems, ...elsewhere], checked.files);
  const summary = summarise(checked, problems);
  const next = summary.hooks === 0 ? await whereHooksAre("check", values) : "";
  io.out(
    values.json
      ? `${safeJson({ problems, summary })}\n`
      : renderProblems(problems, summary, next, options.cwd, io),
  );
  if (summary.hooks > 0) io.err(await hooksNotRead(values));
  return summary.errors > 0 || (values.strict && summary.warnings > 0) ? 1 : 0;
}

function summarise({ files, hooks }: CheckedConfig, problems: readonly Problem[]) {
  const count = (wanted: Problem["severity"]) =>
    problems.filter(({ severity }) => severity === wanted).length;
  return {
    files,
    hooks: hooks.length,
    errors: count("error"),
    warnings: count("warning"),
    infos: count("info"),
  };
}

/** A diagnostic with its place taken apart, for people and for editors. */
export interface Problem extends Diagnostic {
  readonly file?: string;
  readonly line?: number;
}

export interface Summary {
  readonly files: readonly string[];
  readonly hooks: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** Grouped by file, config files first and in their order; by line within, notes last. */
export function byPlace(diagnostics: readonly Diagnostic[], files: readonly string[]): Problem[] {
  const problems = diagnostics.map(withPlace);
  const order = [...new Set([...files, ...problems.map(({ file }) => file)])];
  const rank = ({ file }: Problem) => order.indexOf(file);
  const isNote = ({ severity }: Problem) => Number(severity === "info");
  return problems.sort((a, b) => rank(a) - rank(b) || isNote(a) - isNote(b) || (a.line ?? 0) - (b.line ?? 0));
}

function withPlace(diagnostic: Diagnostic): Problem {
  const { path } = diagnostic;
  if (path === undefined) return diagnostic;
  const [, file = path, line] = /^(.*):(\d+)$/s.exec(path) ?? [];
  return { ...diagnostic, file, ...(line !== undefined && { line: Number(line) }) };
}

const NO_HOOKS = "config-no-hooks";

/** `next` is what to do when there are no hooks. */
export function renderProblems(
  problems: readonly Problem[],
  summary: Summary,
  next: string,
  cwd: string,
  io: Io,
): string {
  const paint = paintFor(io);
  const blocks = problems
    // Without any file the summary says it all.
    .filter(({ code }) => code !== NO_HOOKS || summary.files.length > 0)
    .map((problem) => (problem.code === NO_HOOKS ? { ...problem, fix: next } : problem))
    .map((problem) => {
      const isScript = problem.file !== undefined && !summary.files.includes(problem.file);
      return `${problemLines(problem, isScript, cwd, io.columns, paint).join("\n")}\n\n`;
    });
  return `${blocks.join("")}${wrap(summaryLine(summary, next, paint), io.columns).join("\n")}\n`;
}

function problemLines(
  problem: Problem,
  isScript: boolean,
  cwd: string,
  columns: number,
  paint: Paint,
): string[] {
  const { file, line, severity, code, hook, message, fix } = problem;
  const place = file === undefined ? "" : `${oneLine(shownPath(file, cwd))}${line ? `:${line}` : ""}  `;
  // A place in a config file says which hook it is; a place in a script does not.
  const runBy = isScript && hook !== undefined ? [`run by ${oneLine(hook)}`] : [];
  return [
    ...hang("", `${paint.bold(place)}${severityWord(severity, paint)}  ${code}`, columns),
    ...hang("  ", clean(message.replaceAll(`${cwd}/`, "")), columns),
    ...runBy.flatMap((text) => hang("  ", paint.dim(text), columns)),
    ...hang(paint.dim("  → "), paint.dim(clean(asTyped(fix))), columns),
  ];
}

function severityWord(severity: Problem["severity"], paint: Paint): string {
  if (severity === "error") return paint.red("error");
  return severity === "warning" ? paint.yellow("warning") : paint.cyan("info");
}

function summaryLine({ files, hooks, errors, warnings, infos }: Summary, next: string, paint: Paint): string {
  if (files.length === 0) return `There is no config here, and so no hooks; ${next}`;
  const checked = `${plural(hooks, "hook")} in ${plural(files.length, "file")}`;
  const found = [
    errors > 0 && paint.red(plural(errors, "error")),
    warnings > 0 && paint.yellow(plural(warnings, "warning")),
    infos > 0 && paint.cyan(plural(infos, "note")),
  ].filter((part) => part !== false);
  if (found.length > 0) return `${found.join(", ")}; ${checked} checked.`;
  if (hooks === 0) return `${plural(files.length, "file")} checked, and no hook is in force; ${next}`;
  return `${paint.green("No problems.")} ${checked} checked.`;
}
