import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Hook } from "@belay/core";

/** Where the words of a command are looked up. */
export interface Folders {
  readonly project: string;
  readonly cwd: string;
  readonly home: string;
  readonly plugin?: string;
}

/** A word of a command that names a file. */
export interface ScriptWord {
  readonly word: string;
  readonly file: string;
  /** It is the program itself, so it must be executable; else it is an argument of an interpreter. */
  readonly isProgram: boolean;
  readonly exists: boolean;
}

const NAMES = "BELAY_PROJECT_DIR|WAVE_PROJECT_DIR|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|HOME|PWD";
/** $NAME, ${NAME} and ${NAME:-default}. */
const VARIABLES = new RegExp(`\\$(?:\\{(${NAMES})(?::?-[^}]*)?\\}|(${NAMES})\\b)`, "g");

/**
 * The files a command names, as far as a reader can tell without running a shell: words that look like a path, and
 * words that name an existing file. Commands behind `;`, `&&`, `||` and `|` begin anew.
 */
export function scriptWords(command: string, folders: Folders): ScriptWord[] {
  const found: ScriptWord[] = [];
  for (const part of command.split(/;|&&|\|\|?|\n/)) {
    const words = splitWords(part).filter((word) => !/^\w+=/.test(word));
    words.forEach((word, index) => {
      const script = scriptOf(word, index === 0, folders);
      if (script) found.push(script);
      // sh -c "…": the word is a command itself.
      else if (/\s/.test(word)) found.push(...scriptWords(word, folders));
    });
  }
  return found;
}

/** Words as a shell splits them: quotes may begin and end inside one ("$DIR"/guard.sh). */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
    ),
  );
}

function scriptOf(word: string, isProgram: boolean, folders: Folders): ScriptWord | undefined {
  const values: Record<string, string | undefined> = {
    CLAUDE_PLUGIN_ROOT: folders.plugin,
    HOME: folders.home,
    PWD: folders.cwd,
  };
  const expanded = word
    .replace(VARIABLES, (whole, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? "";
      return values[name] ?? (name.endsWith("PROJECT_DIR") ? folders.project : whole);
    })
    .replace(/^~\//, `${folders.home}/`);
  if (/[$`*<>(){}]/.test(expanded) || expanded.startsWith("-")) return undefined;
  const candidates = isAbsolute(expanded)
    ? [expanded]
    : [join(folders.cwd, expanded), join(folders.project, expanded)];
  const file = candidates.find(isFile);
  if (file !== undefined) return isSystem(file) ? undefined : { word, file, isProgram, exists: true };
  const looksLikeScript =
    /\.(sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl)$/.test(expanded) || (isProgram && expanded.includes("/"));
  return looksLikeScript ? { word, file: candidates[0] as string, isProgram, exists: false } : undefined;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Interpreters and tools of the system are not the project's scripts. */
function isSystem(file: string): boolean {
  return /^\/(usr|bin|sbin|lib|opt|nix|System|Library|dev|proc)\//.test(file);
}

/** A module hook's file: beside its config file, else in the project. */
export function resolveModule(module: string, configFile: string, projectDir: string): string {
  const beside = resolve(dirname(configFile), module);
  return existsSync(beside) ? beside : resolve(projectDir, module);
}

/** The files whose content decides what a hook does. */
export function filesOf(hook: Hook, folders: Folders): string[] {
  const { handler, source } = hook;
  if (handler.type === "module") return [resolveModule(handler.module, source.file, folders.project)];
  if (handler.type !== "command") return [];
  const plugin = source.pluginRoot;
  const words = scriptWords(handler.command, { ...folders, ...(plugin !== undefined && { plugin }) });
  return [...new Set(words.map(({ file }) => file))];
}
