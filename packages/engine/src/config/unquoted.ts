import { type Diagnostic, diagnose, type Hook, whereOf } from "@belay/core";
import { shellCommands } from "@belay/core/shell";
import { type Folders, folderVariables, PROJECT_VARIABLES } from "../environment.ts";
import { MAX_LENGTH } from "./scripts.ts";

/** A folder's variable outside quotes: a shell splits its path at the spaces. An error where this project's path has one. */
export function unquotedFolders(hook: Hook, folders: Folders): Diagnostic[] {
  const { handler, source } = hook;
  if (handler.type !== "command" || handler.args !== undefined) return [];
  const known = folderVariables({ ...folders, plugin: source.pluginRoot });
  const command = handler.command.slice(0, MAX_LENGTH).replaceAll(/\[\[\s.*?\s\]\]/gs, ""); // nothing is split there
  return shellCommands(command)
    .flat()
    .flatMap(({ pieces, raw: word }) => {
      if (/^\w+=/.test(word)) return []; // the value of a variable is not split
      const [first] = pieces.flatMap((piece) => {
        if (typeof piece === "string" || piece.isQuoted || piece.variable === undefined) return [];
        const splits = /\s/.test(known[piece.variable] ?? "");
        return splits || PROJECT_VARIABLES.includes(piece.variable) ? [{ name: piece.variable, splits }] : [];
      });
      if (first === undefined) return [];
      const { name, splits } = first;
      const variable = word.includes(`\${${name}}`) ? `\${${name}}` : `$${name}`;
      const advice = writeInJson(word.replace(variable, () => `"${variable}"`));
      const code = splits ? "script-unquoted" : "script-may-split";
      return [diagnose(code, { word, variable, advice }, whereOf(hook))];
    });
}

/** A word that a shell runs, or that one of these is given. Elsewhere it may be quoted, or stand where nothing is split. */
const UNQUOTED =
  /^(?![ \t]*#)(?:.*[;&|(])?[ \t]*(?:(?:cd|source|exec|bash|sh|python3?|node) +)?((\$(?:(?:BELAY|CLAUDE|WAVE)_PROJECT_DIR\b|\{(?:BELAY|CLAUDE|WAVE)_PROJECT_DIR\}))[^\s;&|)]*)/m;

/** The first of them in the text of a script. */
export function unquotedIn(file: string, text: string, hook: Hook): Diagnostic[] {
  const found = UNQUOTED.exec(text);
  if (found === null) return [];
  const [whole, word = "", variable = ""] = found;
  const line = text.slice(0, found.index + whole.length).split("\n").length;
  const advice = `Write ${word.replace(variable, () => `"${variable}"`)}`;
  return [
    diagnose("script-may-split", { word, variable, advice }, { hook: hook.name, path: `${file}:${line}` }),
  ];
}

/** What to write, as it stands within a string of the config: there it is pasted to. */
export function writeInJson(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped === text ? `Write ${text}` : `Write, with JSON's backslashes: ${escaped}`;
}
