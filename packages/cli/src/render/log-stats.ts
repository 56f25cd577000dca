import { summaryLine } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import type { Io } from "../io.ts";
import type { Denial, LoggedHook, LogStats, Missed } from "../logs/count.ts";
import { tableLines } from "./table.ts";
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
  const span = first === undefined || last === undefined ? "" : `, ${spanOf(first, last)}`;
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

function spanOf(first: string, last: string): string {
  const [from, to] = [first, last].map(dayOf);
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** A day on the reader's calendar. */
function dayOf(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "?";
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const count = (number: number) => number.toLocaleString("en");
const many = (number: number, noun: string) => plural(number, noun).replace(/^\d+/, count(number));
const some = (number: number) => (number === 0 ? "–" : count(number));
const time = (ms: number | undefined) => (ms === undefined ? "–" : milliseconds(ms));

const HOOK_COLUMNS: readonly { readonly title: string; readonly text: (hook: LoggedHook) => string }[] = [
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
  const shown = hooks.slice(0, MAX_HOOKS);
  const more = hooks.length - shown.length;
  const isBeside = ({ timed, waited }: LoggedHook) => timed > 0 && waited === 0;
  return [
    ...tableLines(
      { title: "hook", cells: shown.map(({ hook }) => names(hook)) },
      HOOK_COLUMNS.map(({ title, text }) => ({ title, cells: shown.map(text) })),
      DROPPED,
      io,
    ),
    ...(more > 0 ? wrap(`and ${many(more, "hook")} more, with --json`, io.columns) : []),
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

const TOOL_COLUMNS = ["calls", "failed", "denied"] as const;

function toolsOf({ tools }: LogStats, io: Io): string[] {
  if (tools.length === 0) return [];
  const shown = tools.slice(0, MAX_TOOLS);
  const more = tools.length - shown.length;
  return [
    ...tableLines(
      { title: "tool", cells: shown.map(({ tool }) => oneLine(tool)) },
      TOOL_COLUMNS.map((title) => ({ title, cells: shown.map((tool) => some(tool[title])) })),
      ["denied", "failed"],
      io,
    ),
    ...(more > 0 ? wrap(`and ${many(more, "tool")} more, with --json`, io.columns) : []),
  ];
}

function denialsOf(stats: LogStats, names: NameOf, io: Io): string[] {
  const { denials, denied, calls, title } = stats;
  if (denials.length === 0) return [];
  const shown = denials.slice(0, MAX_DENIALS);
  const more = denials.length - shown.length;
  return [
    ...labelled("denied", `${count(denied)} of ${many(calls, "call")}`, paintFor(io).yellow, io),
    ...shown.flatMap((denial) => {
      const { calls: times, tool, reason } = denial;
      const why = reason === undefined || reason === "" ? "" : `: ${reasonOf(reason)}`;
      return hang(
        `${count(times).padStart(6)} × `,
        `${oneLine(tool)} ${byWhom(denial, names, title)}${why}`,
        io.columns,
      );
    }),
    ...(more > 0 ? wrap(`and ${more} more, with --json`, io.columns) : []),
  ];
}

function byWhom({ by, hook }: Denial, names: NameOf, title: string): string {
  if (by === "hook") return hook === undefined ? "by a hook" : `by the hook ${names(hook)}`;
  return {
    user: "by you",
    rule: "by a permission rule",
    nobody: "as nobody was there to allow it",
    agent: `by ${title}`,
  }[by];
}

function missedOf({ missed }: LogStats, names: NameOf, io: Io): string[] {
  if (missed.length === 0) return [];
  const shown = missed.slice(0, MAX_DENIALS);
  const more = missed.length - shown.length;
  return [
    ...labelled(
      "did not fire",
      "hooks that left a run at nearly every such call elsewhere",
      paintFor(io).yellow,
      io,
    ),
    ...shown.flatMap((one) => hang(`${count(one.calls).padStart(6)} × `, missedText(one, names), io.columns)),
    ...(more > 0 ? wrap(`and ${more} more, with --json`, io.columns) : []),
  ];
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

/** A long time as people say it. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return milliseconds(ms);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
