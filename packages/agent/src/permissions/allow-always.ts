import { spawnSync } from "node:child_process";
import { appendFileSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parseRule } from "@belay/core";
import { isObject } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { belayFolder, readText, trust, trustedGrant, writeWholeSync } from "@belay/engine/internal";
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import { patternOf } from "./command-rule.ts";
import { below, follow } from "./paths.ts";
import { readLine } from "./programs.ts";
import { type JudgedCall, SHELL_TOOL } from "./rules.ts";

export interface AllowAlways {
  readonly project: string;
  readonly home: string;
  readonly rule: string;
}

/**
 * Adds a rule to the user's own file of a project and trusts it, since the user has just said so. Whatever else stands in
 * the file stays as it is: comments, and rules that nobody has trusted. Throws a UsageError when it cannot.
 */
export function allowAlways({ project, home, rule }: AllowAlways): void {
  const file = join(belayFolder(project), LOCAL);
  const source = { file, layer: "local", line: 0, path: "" } as const;
  if (parseRule(rule, source) === undefined) throw new UsageError(`${JSON.stringify(rule)} is no rule`);
  const text = textOf(file);
  const listed = listedIn(text, file);
  if (!listed.includes(rule)) writeWholeSync(targetOf(file, project), withRule(text, rule, listed.length));
  keepOutOfGit(dirname(file));
  trust(project, [trustedGrant("allow", rule, file, project)], { home });
}

const LOCAL = "settings.local.json";

/** The file is the user's alone: where Git would offer it for a commit, the clone's own list of exclusions names it. */
function keepOutOfGit(folder: string): void {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  // 1: it is not ignored. Anything else: it is, or there is no Git.
  if (git("check-ignore", "--quiet", "--no-index", LOCAL).status !== 1) return;
  const [list = "", prefix = ""] = git(
    "rev-parse",
    "--git-path",
    "info/exclude",
    "--show-prefix",
  ).stdout.split("\n");
  const path = resolve(folder, list);
  try {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(
      path,
      `\n# Written by belay: what you always allow is yours alone.\n/${prefix.replaceAll(/[\\*?[]/g, "\\$&")}${LOCAL}\n`,
    );
  } catch {
    // The rule is stored; a list that cannot be written is no reason to ask again.
  }
}

function textOf(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "{}\n";
    throw new UsageError(`${file} cannot be read, so the rule is not stored: ${(error as Error).message}`);
  }
}

/** The rules that the file allows now. */
function listedIn(text: string, file: string): readonly unknown[] {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const permissions = field(value, "permissions");
  const allow = field(permissions, "allow");
  const isSound =
    errors.length === 0 && isObject(value) && (permissions === undefined || isObject(permissions));
  if (isSound && (allow === undefined || Array.isArray(allow))) return allow ?? [];
  throw new UsageError(`${file} is not in order, so the rule is not stored; next: belay check`);
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function withRule(text: string, rule: string, at: number): string {
  const path = ["permissions", "allow", at];
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  return applyEdits(text, modify(text, path, rule, { isArrayInsertion: true, formattingOptions }));
}

/** At the end of its links, as long as these stay in the project: a rule for it is not one for whatever lies elsewhere. */
function targetOf(file: string, project: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  const target = follow(file) ?? file;
  if (below(follow(project) ?? project, target) !== undefined) return target;
  throw new UsageError(
    `${file} is a link to ${target}, outside of the project, so the rule is not stored: it would hold there, too`,
  );
}

const NOWHERE = { file: "", layer: "local", line: 0, path: "" } as const;

/**
 * The rules that allow exactly this call from now on: a command as it is written, a path. Empty when no rule can: what a
 * line runs cannot be told, or depends on a `cd` in it, or it does not go into a rule.
 */
export function exactRules(call: JudgedCall, project: string): readonly string[] {
  const { tool, input } = call;
  const paths = tool.paths(input);
  const rules =
    tool.kind === "agent"
      ? [tool.name]
      : patternsFor(call, paths, project).map((pattern) => `${tool.name}(${pattern})`);
  return rules.every((rule) => parseRule(rule, NOWHERE)?.text === rule) ? [...new Set(rules)] : [];
}

function patternsFor({ tool, input, cwd }: JudgedCall, paths: readonly string[], project: string): string[] {
  const subject = tool.subject(input);
  if (tool.name === SHELL_TOOL) return linePatterns(subject);
  if (paths.length === 0) return [subject.replaceAll("*", "\\*")];
  return paths.map((path) => pathPattern(resolve(cwd, path), cwd, project));
}

/** What changes where the commands after it run: alone, those would mean something else. */
const MOVES = ["cd", "chdir", "pushd", "popd"];

function linePatterns(line: string): string[] {
  const commands = readLine(line) ?? [];
  return commands.some(({ words: [program = ""] }) => MOVES.includes(program)) ? [] : commands.map(patternOf);
}

/** From the working folder only where that is the project: the file of rules is read in every folder of it. */
function pathPattern(full: string, cwd: string, project: string): string {
  const way = cwd === project ? below(project, full) : undefined;
  // There a backslash stands between folders: it cannot take the meaning from a bracket as well.
  if (process.platform === "win32")
    return /[[\]{}]/.test(full) ? "" : (way === undefined ? full : `./${way}`).replaceAll("\\", "/");
  const named = (way ?? full).replaceAll(/[\\*?[\]{}()!+@]/g, "\\$&");
  return isAbsolute(named) ? named : `./${named}`;
}
