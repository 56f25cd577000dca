import { join } from "node:path";
import type { Hook } from "@belay/core";
import { placeOf, plural, shellWord, whatRuns } from "@belay/core/internal";
import {
  type Folders,
  type Grant,
  readText,
  shownPath,
  statOf,
  type Trusted,
  type TrustState,
} from "@belay/engine/internal";
import type { Io } from "../io.ts";
import { clean, hang, oneLine, type Paint, paintFor } from "./text.ts";

export interface TrustRow {
  readonly hook: Hook;
  readonly folders: Folders;
  readonly state: TrustState;
  /** What the store keeps of it once it is trusted. */
  readonly trusted: Trusted;
  readonly was?: Trusted;
  readonly refusal?: string;
}

/** What each hook is, in full: a decision is made on it, so nothing is shortened. */
export function renderHooks(hooks: readonly TrustRow[], cwd: string, io: Io): string {
  const paint = paintFor(io);
  return hooks.map((listed) => `${hookLines(listed, cwd, io.columns, paint).join("\n")}\n\n`).join("");
}

/** What the project's settings would allow, in full for the same reason. */
export function renderGrants(grants: readonly Grant[], cwd: string, io: Io): string {
  const paint = paintFor(io);
  return grants
    .map(({ what, source, state, trusted, was }) => [
      ...hang("", `${stateWord(state, paint)}  ${paint.bold(oneLine(what))}`, io.columns),
      ...hang(`  ${paint.dim("from")}  `, oneLine(shownPath(placeOf(source), cwd)), io.columns),
      ...changeRows(trusted, was).flatMap(([name, text]) =>
        hang(`  ${paint.yellow(name)}  `, text, io.columns),
      ),
    ])
    .map((lines) => `${lines.join("\n")}\n\n`)
    .join("");
}

function hookLines(
  { hook, state, trusted, was, refusal, folders }: TrustRow,
  cwd: string,
  columns: number,
  paint: Paint,
): string[] {
  const { event, matcher, handler, source, enabled, name } = hook;
  const when = matcher.kind === "all" ? "" : ` ${oneLine(matcher.source)}`;
  const off = enabled ? "" : paint.dim("  switched off");
  // A name that was made up repeats what the rows say.
  const named = name.startsWith(`${event}[`) ? "" : `  ${oneLine(name)}`;
  const rows: [string, string][] = [
    [runsWord(handler), `${handler.type === "command" ? "" : `${handler.type} `}${clean(ranBy(hook))}`],
    ...requestRows(handler),
    ...Object.keys({ ...was?.scripts, ...trusted.scripts }).flatMap((file) =>
      fileRows(file, changeOf(file, trusted, was), folders.project, cwd),
    ),
    ...(refusal === undefined && isWithoutCode(handler, trusted)
      ? [["file", NO_CODE] as [string, string]]
      : []),
    ["from", oneLine(shownPath(placeOf(source), cwd))],
    ...(refusal === undefined ? [] : [["cannot be trusted", oneLine(refusal)] as [string, string]]),
  ];
  return [
    ...hang("", `${stateWord(state, paint)}  ${paint.bold(event + when)}${named}${off}`, columns),
    ...rows.flatMap(([name, text]) => hang(`  ${paint.dim(name)}  `, text, columns)),
    ...changeRows(trusted, was).flatMap(([name, text]) => hang(`  ${paint.yellow(name)}  `, text, columns)),
  ];
}

/** Of an edited file no more is known than that: where git has it, git has the edit, which a pull has committed. */
function fileRows(file: string, change: string, project: string, cwd: string): [string, string][] {
  const shown = oneLine(shownPath(file, cwd));
  const row: [string, string] = ["file", `${shown} (${sizeOf(file)}${change})`];
  if (change === "" || !hasCommit(project)) return [row];
  const word = shellWord(shown);
  return [
    row,
    ["edit", `git diff HEAD -- ${word}`],
    ["edit", `git log -p -- ${word}, where it is committed`],
  ];
}

/** Whether git has something to compare with; of a worktree, whose repository is elsewhere, it is taken for granted. */
function hasCommit(project: string): boolean {
  const git = join(project, ".git");
  const stat = statOf(git);
  if (!stat?.isDirectory()) return stat !== undefined;
  try {
    const [, branch] = /^ref: (\S+)/.exec(readText(join(git, "HEAD"))) ?? [];
    // A branch stands in a file of its own once it has a commit, unless all were packed into one or are kept in tables.
    return (
      branch === undefined || [branch, "packed-refs", "reftable"].some((name) => statOf(join(git, name)))
    );
  } catch {
    return false;
  }
}

/** Each field that is not what the user has trusted, one below the other: so they can be compared. */
function changeRows(now: Trusted, was: Trusted | undefined): [string, string][] {
  if (was === undefined) return [];
  const fields = [...new Set([...Object.keys(was.fields), ...Object.keys(now.fields)])];
  return fields
    .map((field) => ({ field, before: valueText(was.fields[field]), after: valueText(now.fields[field]) }))
    .filter(({ before, after }) => before !== after)
    .flatMap(({ field, before, after }): [string, string][] => [
      ["was", clean(`${field}: ${before}`)],
      ["now", clean(`${field}: ${after}`)],
    ]);
}

function valueText(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

/** What became of a covered file since the hook was trusted; nothing for a hook that is new. */
function changeOf(file: string, now: Trusted, was: Trusted | undefined): string {
  if (was === undefined || was.scripts[file] === now.scripts[file]) return "";
  if (was.scripts[file] === undefined) return ", new since";
  return now.scripts[file] === undefined ? ", no longer covered" : ", edited since";
}

/** Shown where nothing but the entry is covered: the code that it runs may change unasked. */
const NO_CODE = "none that trust covers; an edit of what it runs does not ask again";

function isWithoutCode({ type }: Hook["handler"], { scripts }: Trusted): boolean {
  return (type === "command" || type === "module") && Object.keys(scripts).length === 0;
}

/** What leaves this machine besides the event: headers as they are written, and the variables they may hold. */
function requestRows(handler: Hook["handler"]): [string, string][] {
  if (handler.type !== "http") return [];
  return [
    ...Object.entries(handler.headers).map(([name, value]): [string, string] => [
      "sends",
      clean(`${name}: ${value}`),
    ]),
    ...handler.allowedEnvVars.map((name): [string, string] => ["reads", clean(`$${name}`)]),
  ];
}

/** A reader must not take arguments for what a shell would make of them, and should know of a process that stays. */
function runsWord(handler: Hook["handler"]): string {
  if (handler.type !== "command") return "runs";
  const { args, warm } = handler;
  return ["runs", ...(warm ? ["warm"] : []), ...(args ? ["without a shell"] : [])].join(" ");
}

function ranBy({ handler }: Hook): string {
  return handler.type === "json" ? JSON.stringify(handler.json) : whatRuns(handler);
}

function sizeOf(file: string): string {
  const stat = statOf(file);
  if (!stat) return "missing";
  return stat.isFile() ? plural(stat.size, "byte") : "not a file";
}

function stateWord(state: TrustState, paint: Paint): string {
  if (state === "trusted") return paint.green("trusted");
  return state === "changed" ? paint.yellow("changed") : paint.cyan("new");
}

/** What is listed, by the word for it. */
export type Listed = Readonly<Record<"hook" | "permission", readonly { readonly state: TrustState }[]>>;

/** "2 hooks and 1 permission" */
export function counted(listed: Listed): string {
  return Object.entries(listed)
    .filter(([, rows]) => rows.length > 0)
    .map(([what, rows]) => plural(rows.length, what))
    .join(" and ");
}
