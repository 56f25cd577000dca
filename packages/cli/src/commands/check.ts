import { safeJson } from "@belay/core/clean";
import { type CheckedConfig, checkConfig } from "@belay/engine/internal";
import { noArguments, readFlags } from "../args/args.ts";
import { configOptions } from "../args/config.ts";
import { CONFIG_FLAGS } from "../args/flags.ts";
import { hintAtDialects } from "../hooks/dialect-hint.ts";
import { hooksNotRead, whereHooksAre } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";
import { BELAY, nextCommand } from "../next-command.ts";
import { byPlace, type Problem, renderProblems } from "../render/problems.ts";
import type { Command } from "./command.ts";

const USAGE = "belay check [options]";

const FLAGS = {
  ...CONFIG_FLAGS,
  strict: { type: "boolean", help: "exit 1 when there is a warning, too" },
  json: { type: "boolean", help: "print { problems, summary } as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Finds every problem in the config and in the scripts it names. Runs nothing.\nExits 1 when there is an error, with --strict a warning; 0 otherwise.",
  flags: FLAGS,
  examples: ["belay check", "belay check --config hooks.json", "belay check --dialect claude-code --json"],
  run: check,
};

async function check(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const config = [...(values.config ?? []), ...positionals];
  noArguments(positionals, `next: ${nextCommand("check", { ...values, config })}`);
  const options = configOptions(values);
  const checked = await checkConfig({ ...options, program: BELAY });
  hintAtDialects(values, io);
  const problems = byPlace(checked.problems, checked.files);
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
