import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type Diagnostic, diagnose, type Handler, type Hook } from "@belay/core";
import { adviseOnScript } from "@belay/core/advise";
import { otherReaderOf, whatRuns, whereOf } from "@belay/core/internal";
import { shellCommands } from "@belay/core/shell";
import {
  type Folders,
  folderVariables,
  PROJECT_VARIABLES,
  projectVariable,
  resolveModule,
  type Variables,
  withFolders,
} from "../environment.ts";
import { isBelow, shownPath, statOf } from "../files/read.ts";
import { whyNotAllowed } from "../runners/http.ts";
import { needsTrust } from "../trust/store.ts";
import { adviseOnModule } from "./module-file.ts";
import { adviseOnProgram, readScript } from "./script-file.ts";
import { MAX_LENGTH, programWords, type ScriptWord, scriptWordsOf } from "./script-words.ts";
import { askShells, withoutArrays } from "./shells.ts";

export interface CheckOptions extends Folders {
  readonly env: Variables;
  readonly allowedHttpHookUrls?: readonly string[];
}

/** A script, and every hook that runs it. */
interface Script {
  readonly file: string;
  readonly hooks: Set<Hook>;
  isProgram: boolean;
  isModule: boolean;
}

/** What the files that hooks name would do to them, without running any. Hooks that are switched off are left alone. */
export async function checkScripts(hooks: readonly Hook[], options: CheckOptions): Promise<Diagnostic[]> {
  const enabled = hooks.filter((hook) => hook.enabled);
  const perHook = enabled.flatMap((hook) => [
    ...relativePath(hook, options),
    ...unsetElsewhere(hook),
    ...literalWords(hook, options),
    ...unquotedFolders(hook, options),
    ...notAllowed(hook, options),
  ]);
  const perScript: Diagnostic[] = [];
  for (const script of collect(enabled, options)) perScript.push(...(await inspect(script, options)));
  return [...perHook, ...(await askShells(enabled, options)), ...perScript];
}

function collect(hooks: readonly Hook[], options: CheckOptions): Iterable<Script> {
  const scripts = new Map<string, Script>();
  for (const hook of hooks)
    for (const { file, isProgram } of scriptsOf(hook, options)) {
      const script = scripts.get(file) ?? { file, hooks: new Set(), isProgram: false, isModule: false };
      script.hooks.add(hook);
      script.isProgram ||= isProgram;
      script.isModule ||= hook.handler.type === "module";
      scripts.set(file, script);
    }
  return scripts.values();
}

/** The files that a hook runs, whether they are there or not. */
export function scriptsOf(hook: Hook, folders: Folders): Pick<ScriptWord, "file" | "isProgram">[] {
  const { handler, source } = hook;
  if (handler.type === "module")
    return [{ file: resolveModule(handler.module, source, folders.project), isProgram: false }];
  return handler.type === "command" ? runWords(handler, hook, folders) : [];
}

type CommandHandler = Extract<Handler, { type: "command" }>;

const MOVES = /(?:^|[;&|(]\s*)cd\s/;

/** The scripts that a command surely runs. A script that it looks for, or names beside another (`a || b`), may be missing. */
function runWords(handler: CommandHandler, { source }: Hook, options: Folders): ScriptWord[] {
  const command = whatRuns(handler);
  if (command.length > MAX_LENGTH) return []; // it is not read to its end, and may do anything there
  const read = handler.args ? handler : { ...handler, command: withoutArrays(handler.command) };
  const folders = { ...options, plugin: source.pluginRoot };
  const moved = MOVES.test(command) ? folderAfterMove(command, folders) : folders.cwd;
  const scripts = scriptWordsOf(read, { ...folders, cwd: moved ?? folders.cwd });
  const found = scripts.filter(({ exists }) => exists);
  if (looksForFiles(command) || (found.length > 0 && command.includes("||"))) return found;
  return scripts.filter(
    ({ word, exists }) => exists || moved !== undefined || isAbsolute(word) || word.startsWith("$"),
  );
}

/** Whether a command tests for a file, in brackets or by `test`; -n and -z are about text. */
function looksForFiles(command: string): boolean {
  const at = command.search(/\[\s|\btest\s/);
  return at !== -1 && /\s-[a-mo-y]\s/.test(command.slice(at));
}

/** The folder that the only `cd` of a command goes to; undefined where that cannot be said, or is no folder. */
function folderAfterMove(command: string, folders: Folders): string | undefined {
  const [move, ...more] = shellCommands(command)
    .map((words) => programWords(words, folders))
    .filter(([program]) => program?.text === "cd");
  const to = move?.[1]?.path;
  if (to === undefined || more.length > 0) return undefined;
  const places = [folders.cwd, folders.project].map((base) => resolve(base, to));
  return places.find((place) => statOf(place)?.isDirectory());
}

async function inspect({ file, hooks, isProgram, isModule }: Script, options: CheckOptions) {
  const [first] = hooks;
  if (first === undefined) return [];
  const where = whereOf(first);
  const shown = shownPath(file, options.cwd);
  const { text, problems } = readScript(file, shown, isModule ? "module" : "command", where);
  // Each of its hooks is concerned: the mistake may be in what one of them names.
  if (problems.length > 0)
    return [...hooks].flatMap((hook) => problems.map((problem) => ({ ...problem, ...whereOf(hook) })));
  const asProgram = isProgram ? adviseOnProgram(file, shown, text, options.env.PATH, where) : [];
  if (text === undefined) return asProgram;
  const asModule = isModule ? await adviseOnModule(file, shown, text, first) : [];
  return [...asProgram, ...asModule, ...adviseOnScript({ file, shown }, text, [...hooks])];
}

/**
 * Relative scripts. In a file that comes with a project all of them are told: the agent changes its folder. In other files only
 * a script is told that is not found from the user's folder.
 */
function relativePath(hook: Hook, options: CheckOptions): Diagnostic[] {
  const folder = projectFolderFor(hook);
  const found = relativeScripts(hook, options).filter(
    ({ word, file }) => needsTrust(hook) || resolve(options.cwd, word) !== file,
  );
  return found.map(({ word, file }) => {
    const advice = writeInJson(`${folder}/${relative(options.project, file)}`);
    return diagnose("script-relative", { script: word, advice }, whereOf(hook));
  });
}

/** Variables of the project's folder that Belay sets, and that the other agent which reads this file does not. */
function unsetElsewhere(hook: Hook): Diagnostic[] {
  const { handler, source } = hook;
  const agent = otherReaderOf(source.file);
  if (handler.type !== "command" || agent === undefined) return [];
  const text = whatRuns(handler);
  const own = folderVariable(source.file);
  return PROJECT_VARIABLES.filter(
    (name) => name !== own && new RegExp(`\\$(?:${name}\\b|{${name}})`).test(text),
  ).map((name) => {
    const instead = "it is not set there, and what it names is not found";
    const advice = `Write $${own}, which is set here as well.`;
    return diagnose("config-belay-field", { field: `$${name}`, agent, instead, advice }, whereOf(hook));
  });
}

/** The project's scripts that a hook names from the working folder on: from another folder they are not found. */
export function relativeScripts(hook: Hook, folders: Folders): ScriptWord[] {
  const { handler } = hook;
  if (handler.type !== "command" || MOVES.test(whatRuns(handler))) return [];
  return runWords(handler, hook, folders).filter(
    ({ word, file, exists }) => exists && !/^[$~/]/.test(word) && isBelow(folders.project, file),
  );
}

/** Words that no shell fills in, though they look so: "$HOME/guard.sh" is looked for under that very name. */
function literalWords(hook: Hook, options: CheckOptions): Diagnostic[] {
  const { handler } = hook;
  if (handler.type !== "command") return [];
  const found = handler.args ? argumentsUnread(handler, hook, options) : quotedWords(handler, hook, options);
  return found.map((values) => diagnose("script-literal-word", values, whereOf(hook)));
}

/** A quoted ~, or a variable that is quoted from its dollar on, at the start of a script's path. */
function quotedWords(handler: CommandHandler, hook: Hook, options: CheckOptions) {
  return runWords(handler, hook, options)
    .filter(({ word, file, exists }) => !exists && FILLED.test(word) && file === join(options.cwd, word))
    .map(({ word }) => ({
      word,
      why: `no shell fills in ${word.startsWith("~") ? "a quoted ~" : "a variable in such quotes"}`,
      advice: writeInJson(`"${word.replace(/^~/, "$HOME")}"`),
    }));
}

const FILLED = /^(?:~\/|\$\{?\w)\S*$/;

function argumentsUnread({ command, args = [] }: CommandHandler, { source }: Hook, options: CheckOptions) {
  const folders = { project: options.project, plugin: source.pluginRoot };
  return [command, ...args]
    .filter((word) => FILLED.test(withFolders(word, folders)))
    .map((word) => {
      const name = /^\$\{?(\w+)/.exec(word)?.[1] ?? "";
      const isFolder = Object.hasOwn(folderVariables(folders), name);
      const advice = isFolder
        ? `Write \${${name}}, with the braces.`
        : 'Write the whole path, or leave "args" out and write one command.';
      return { word, why: 'with "args" no shell reads the command', advice };
    });
}

/** The project's folder as an entry writes it: the variable of the agent whose settings file the entry stands in. */
export function projectFolderFor({ handler, source }: Hook): string {
  const variable = folderVariable(source.file);
  return handler.type === "command" && handler.args ? `\${${variable}}` : `"$${variable}"`;
}

function folderVariable(configFile: string): string {
  return projectVariable(basename(dirname(configFile).replace(/[\\/]hooks$/, "")));
}

function notAllowed(hook: Hook, { allowedHttpHookUrls }: CheckOptions): Diagnostic[] {
  const { handler } = hook;
  if (handler.type !== "http") return [];
  const detail = whyNotAllowed(hook, handler.url, allowedHttpHookUrls);
  if (detail === undefined) return [];
  return [diagnose("http-not-allowed", { detail }, whereOf(hook))];
}

/** A folder's variable outside quotes: a shell splits its value at spaces. An error where this project's path has a space. */
function unquotedFolders(hook: Hook, folders: Folders): Diagnostic[] {
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

/** Advice on what to write, escaped as it stands in a string of the config. */
function writeInJson(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped === text ? `Write ${text}` : `Write, with JSON's backslashes: ${escaped}`;
}
