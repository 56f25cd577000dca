import { type Diagnostic, EVENT_NAMES } from "@belay/core";
import { safeJson } from "@belay/core/clean";
import { placeOf } from "@belay/core/internal";
import type { ExplainedMatch, Explanation } from "@belay/engine";
import { type Command, readFlags } from "../args/args.ts";
import { openEvent } from "../args/event.ts";
import { AS_FLAG, EVENT_FLAGS, NOT_EVENT_FLAGS, nextCommand } from "../args/flags.ts";
import { disabledEntries, errorsIn } from "../hooks/disabled.ts";
import { hooksNotAsked, whereHooksAre } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";
import { diagnosticLines } from "../render/stages.ts";
import { clean, hang, oneLine, type Paint, paintFor, wrap } from "../render/text.ts";

const USAGE = "belay why <Event> [options]";

const FLAGS = {
  ...EVENT_FLAGS,
  ...AS_FLAG,
  json: { type: "boolean", help: "print the explanation as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Says which hooks would fire for an event, which not, and which part of which file says so. Runs nothing.",
  flags: FLAGS,
  events: EVENT_NAMES,
  examples: ["belay why PreToolUse --tool Bash", "belay why SessionStart --set source='\"resume\"'"],
  run: async (args, io) => {
    const { values, positionals } = readFlags(args, FLAGS, NOT_EVENT_FLAGS);
    const as =
      values.as === undefined
        ? undefined
        : await (await import("../as/index.ts")).asAgents(values.as, values);
    const { event, payload, engine } = await openEvent(values, positionals, USAGE, io);
    try {
      const explanation = await engine.explain(event, payload);
      const trust = nextCommand("trust", values);
      const firing = explanation.matches.filter(({ fires }) => fires).map(({ hook }) => hook);
      const agents = as?.fires(event, firing);
      if (!values.json && explanation.matches.length === 0 && explanation.problems.length === 0) {
        const text = `No hooks are configured here; ${await whereHooksAre("why", values, event)}`;
        io.out(`${wrap(text, io.columns).join("\n")}\n`);
        return 0;
      }
      io.out(
        values.json
          ? `${safeJson({ ...toJson(explanation, trust), ...(agents && { agents }) })}\n`
          : render(event, explanation, trust, io),
      );
      if (as && agents && !values.json) io.out(`\n${as.renderFires(agents, io)}`);
      if (!values.json) io.err(await hooksNotAsked(explanation.matches, values));
      return 0;
    } finally {
      await engine.close();
    }
  },
};

function render(event: string, { matches, problems }: Explanation, trust: string, io: Io): string {
  const paint = paintFor(io);
  const { columns } = io;
  const firing = matches.filter(({ fires }) => fires);
  const quiet = matches.filter(({ fires }) => !fires);
  const off = errorsIn(problems, event);
  const others = problems.filter((problem) => !off.includes(problem));
  return `${[
    ...section(`${firing.length} would fire for ${event}`, firing, paint.green("✓"), trust, columns, paint),
    ...offLines(off, columns, paint),
    ...section(`${quiet.length} would not`, quiet, paint.dim("·"), trust, columns, paint),
    ...diagnosticLines(others, columns, paint),
  ].join("\n")}\n`;
}

function offLines(off: readonly Diagnostic[], columns: number, paint: Paint): string[] {
  if (off.length === 0) return [];
  return [
    ...wrap(paint.bold(disabledEntries(off)), columns),
    ...off.flatMap(({ path = "", message, fix }) => [
      ...hang(`${paint.red("✗")} `, paint.bold(oneLine(path)), columns),
      ...hang("    ", clean(message), columns),
      ...hang("    fix: ", clean(fix), columns),
    ]),
  ];
}

function section(
  title: string,
  reasons: readonly ExplainedMatch[],
  sign: string,
  trust: string,
  columns: number,
  paint: Paint,
): string[] {
  const lines = reasons.flatMap((reason) => {
    const { hook } = reason;
    return [
      ...hang(`${sign} `, paint.bold(oneLine(hook.name)), columns),
      ...hang("    ", clean(explanationOf(reason, trust)), columns),
      ...hang("    ", paint.dim(`${hook.source.path} in ${oneLine(placeOf(hook.source))}`), columns),
    ];
  });
  return [...wrap(paint.bold(title), columns), ...lines];
}

function explanationOf(
  { because, fires, explanation, hook, wasTrusted }: ExplainedMatch,
  trust: string,
): string {
  if (because === "untrusted") {
    const why = wasTrusted ? "its script was edited since you trusted it" : "is not trusted";
    return `it matches (${explanation}) but ${why}. Next: ${trust}`;
  }
  if (because === "edited")
    return `it matches (${explanation}), was edited since you trusted it, and refuses without being run. Next: ${trust}`;
  const observed = fires && hook.mode === "observe" ? "; observe mode: for the record only" : "";
  return explanation + observed;
}

function toJson({ matches, problems }: Explanation, trust: string) {
  return {
    hooks: matches.map((reason) => ({
      hook: reason.hook.name,
      event: reason.hook.event,
      matcher: reason.hook.matcher.source,
      type: reason.hook.handler.type,
      source: placeOf(reason.hook.source),
      path: reason.hook.source.path,
      layer: reason.hook.source.layer,
      fires: reason.fires,
      trusted: reason.trusted,
      because: reason.because,
      explanation: explanationOf(reason, trust),
    })),
    problems,
  };
}
