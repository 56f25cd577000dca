import { type Diagnostic, diagnose, type Hook, whereOf } from "@belay/core";
import { type Folders, folderVariables } from "../environment.ts";
import { rawWords } from "../shell-words.ts";

/** A folder's variable outside quotes, in a project whose path the shell then splits at its spaces. */
export function unquotedFolders(hook: Hook, folders: Folders): Diagnostic[] {
  const { handler, source } = hook;
  if (handler.type !== "command" || handler.args !== undefined) return [];
  const known = folderVariables({ ...folders, plugin: source.pluginRoot });
  return rawWords(handler.command).flatMap((word) => {
    if (/^\w+=/.test(word)) return []; // the value of a variable is not split
    const bare = word.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./g, "");
    const found = [...bare.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].find(([, braced, plain]) =>
      /\s/.test(known[braced ?? plain ?? ""] ?? ""),
    );
    if (found === undefined) return [];
    const [variable] = found;
    const advice = writeInJson(word.replace(variable, () => `"${variable}"`));
    const values = { word, variable, advice };
    return [diagnose("script-unquoted", values, whereOf(hook))];
  });
}

/** What to write, as it stands within a string of the config: there it is pasted to. */
export function writeInJson(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped === text ? `Write ${text}` : `Write, with JSON's backslashes: ${escaped}`;
}
