import { summaryLine } from "@belay/core/compare";
import type { Io } from "../io.ts";
import type { LoggedHook, LoggedTool, LogStats, Missed } from "../logs/count.ts";
import { count, daysOf, duration, many, some } from "./numbers.ts";
import { byWhom } from "./refused.ts";
import { type Column, tableLines } from "./table.ts";
import { hang, milliseconds, oneLine, paintFor, shorten, wrap } from "./text.ts";

const MAX_HOOKS = 15;
const MAX_TOOLS = 10;
const MAX_DENIALS = 8;
const MAX_REASON = 120;

/** What the session logs of one agent tell: the first screen that a person sees of it. */
export function renderLogStats(stats: LogStats, io: Io): string {
  const paint = paintFor(io);
  const names = namesOf(stats);
  const parts = [
    headOf(stats, io).map((line, index) => (index === 0 ? paint.bold(line) : line)),
    hooksOf(stats, names, io),
    failuresOf(stats, names, io),
    toolsOf(stats, io),
    denialsOf(stats, names, io),
    missedOf(stats, names, io),
    stats.gaps.flatMap((gap) => wrap(oneLine(gap), io.columns)).map(paint.dim),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headOf({ title, first, last, ...counts }: LogStats, { columns }: Io): string[] {
  const { sessions, projects, prompts, calls, bySubagents, waited } = counts;
  const each = prompts > 0 ? `, ${duration(waited / prompts)} for each prompt` : "";
  const span = first === undefined || last === undefined ? "" : `, ${daysOf(first, last)}`;
  const within = bySubagents > 0 ? `, ${count(bySubagents)} of them by subagents` : "";
  return [
    ...wrap(`${title}${span}`, columns),
    ...wrap(
      `${many(sessions, "session")}${projects > 0 ? ` in ${many(projects, "folder")}` : ""}, ${many(prompts, "prompt")}, ${many(calls, "call")}${within}`,
      columns,
    ),
    ...(waited > 0 ? wrap(`It waited ${duration(waited)} for hooks${each}.`, columns) : []),
  ];
}

const time = (ms: number | undefined) => (ms === undefined ? "–" : milliseconds(ms));

const HOOK_COLUMNS: readonly Column<LoggedHook>[] = [
  { title: "event", text: ({ event }) => oneLine(event) },
  { title: "runs", text: ({ runs }) => count(runs) },
  { title: "failed", text: ({ failed }) => some(failed) },
  { title: "refused", text: ({ refused }) => some(refused) },
  { title: "p50", text: ({ p50 }) => time(p50) },
  { title: "p95", text: ({ p95 }) => time(p95) },
  { title: "waited", text: ({ waited }) => (waited === 0 ? "–" : duration(waited)) },
  { title: "share", text: ({ waited, share }) => (waited === 0 ? "–" : `${Math.round(share * 100)} %`) },
];
const DROPPED = ["p50", "share", "p95", "refused", "event", "failed", "waited", "runs"];

function hooksOf({ hooks }: LogStats, names: NameOf, io: Io): string[] {
  if (hooks.length === 0) return wrap("no run of a hook is in these logs", io.columns);
  const isBeside = ({ timed, waited }: LoggedHook) => timed > 0 && waited === 0;
  return [
    ...tableLines(
      hooks.slice(0, MAX_HOOKS),
      { title: "hook", text: ({ hook }) => names(hook) },
      HOOK_COLUMNS,
      DROPPED,
      io,
    ),
    ...notShown(hooks.length - MAX_HOOKS, "hook", io),
    ...(hooks.some(isBeside)
      ? wrap("Of hooks that ran together the slowest is waited for.", io.columns)
      : []),
  ];
}

function failuresOf({ hooks }: LogStats, names: NameOf, io: Io): string[] {
  return hooks
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed)
    .slice(0, MAX_DENIALS)
    .flatMap(({ hook, event, failed, runs, failure = "" }) => {
      const how = failed === runs ? `all ${count(runs)} runs` : `${count(failed)} of ${count(runs)} runs`;
      const why = failure === "" ? "" : `; the last: ${reasonOf(failure)}`;
      return labelled(
        "failed",
        `${names(hook)} (${oneLine(event)}), ${runs === 1 ? "its one run" : how}${why}`,
        paintFor(io).red,
        io,
      );
    });
}

const TOOL_COLUMNS: readonly Column<LoggedTool>[] = [
  { title: "calls", text: ({ calls }) => some(calls) },
  { title: "failed", text: ({ failed }) => some(failed) },
  { title: "denied", text: ({ denied }) => some(denied) },
];

function toolsOf({ tools }: LogStats, io: Io): string[] {
  if (tools.length === 0) return [];
  const name = { title: "tool", text: ({ tool }: LoggedTool) => oneLine(tool) };
  return [
    ...tableLines(tools.slice(0, MAX_TOOLS), name, TOOL_COLUMNS, ["denied", "failed"], io),
    ...notShown(tools.length - MAX_TOOLS, "tool", io),
  ];
}

function denialsOf(stats: LogStats, names: NameOf, io: Io): string[] {
  const { denials, denied, calls, title } = stats;
  if (denials.length === 0) return [];
  return [
    ...labelled("denied", `${count(denied)} of ${many(calls, "call")}`, paintFor(io).yellow, io),
    ...denials.slice(0, MAX_DENIALS).flatMap(({ by, hook, calls: times, tool, reason }) => {
      const why = reason === undefined || reason === "" ? "" : `: ${reasonOf(reason)}`;
      return hang(
        `${count(times).padStart(6)} × `,
        `${oneLine(tool)} ${byWhom(by, hook === undefined ? hook : names(hook), title)}${why}`,
        io.columns,
      );
    }),
    ...notShown(denials.length - MAX_DENIALS, "", io),
  ];
}

function missedOf({ missed }: LogStats, names: NameOf, io: Io): string[] {
  if (missed.length === 0) return [];
  return [
    ...labelled(
      "did not fire",
      "hooks that left a run at nearly every such call elsewhere",
      paintFor(io).yellow,
      io,
    ),
    ...missed
      .slice(0, MAX_DENIALS)
      .flatMap((one) => hang(`${count(one.calls).padStart(6)} × `, missedText(one, names), io.columns)),
    ...notShown(missed.length - MAX_DENIALS, "", io),
  ];
}

/** How many rows there was no place for. */
function notShown(more: number, noun: string, { columns }: Io): string[] {
  if (more <= 0) return [];
  return wrap(`and ${noun === "" ? more : many(more, noun)} more, with --json`, columns);
}

function missedText({ hook, event, tool, sessions, subagents }: Missed, names: NameOf): string {
  const where =
    subagents === sessions
      ? many(sessions, "subagent")
      : `${many(sessions, "session")}${subagents > 0 ? ` (${count(subagents)} of them subagents)` : ""}`;
  return `${oneLine(tool)} without ${names(hook)} (${oneLine(event)}), in ${where}`;
}

function labelled(label: string, text: string, paint: (text: string) => string, { columns }: Io): string[] {
  return hang(`${label}: `, text, columns).map((line, index) =>
    index === 0 ? paint(label) + line.slice(label.length) : line,
  );
}

const reasonOf = (text: string) => shorten(oneLine(summaryLine(text)), MAX_REASON);

type NameOf = (hook: string | undefined) => string;

const MAX_NAME = 60;

/** Hooks as they are shown: paths without their folders, and the beginning, unless two hooks would look the same. */
function namesOf({ hooks }: LogStats): NameOf {
  const whole = [...new Set(hooks.flatMap(({ hook }) => hook ?? []))];
  const brief = whole.map(briefName);
  const isDouble = (name: string) => brief.indexOf(name) !== brief.lastIndexOf(name);
  return (hook) => {
    if (hook === undefined) return "(not named)";
    const name = briefName(hook);
    return oneLine(isDouble(name) ? hook : name);
  };
}

function briefName(hook: string): string {
  return shorten(oneLine(withoutFolders(hook.replace(/^\s*cd \S+ (?:&&|;) /, ""))), MAX_NAME);
}

/** The words of a command, each path by its last part. */
function withoutFolders(command: string): string {
  return command
    .split(" ")
    .map((word) => {
      const name = word.includes("://") ? undefined : word.replaceAll(/["']/g, "").split("/").at(-1);
      return word.includes("/") && name ? name : word;
    })
    .join(" ");
}
