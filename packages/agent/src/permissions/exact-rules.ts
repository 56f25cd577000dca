import { isAbsolute, resolve } from "node:path";
import { parseRule } from "@belay/core";
import { patternOf } from "./command-rule.ts";
import { below } from "./paths.ts";
import { type JudgedCall, SHELL_TOOL } from "./rules.ts";
import { readLine } from "./shell.ts";

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
