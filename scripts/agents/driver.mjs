// What is said of each agent: the shape of the files in drivers/, and the settings files that several of them share.
import { harnessNamed } from "@belay/harness";

/** One entry of a settings file: a command, a url, or a module with a function. @typedef {{ command?: string, url?: string, timeout?: number, setting?: string, localhost?: boolean, module?: string }} Entry */
/** Entries by the agent's name of an event; each stands in a group of its own. @typedef {Record<string, Entry[]>} Hooks */
/** Where a run takes place. @typedef {{ home: string, project: string, url: string, port: string, installed: string, approves: boolean }} Place */
/** @typedef {import("./wires.mjs").Call} Call */

/**
 * @typedef {object} Driver
 * @property {string} name
 * @property {string} package
 * @property {string} version the version that is measured unless --version names another
 * @property {readonly string[]} [also] packages of the same version that npm would leave out under an old Node
 * @property {string} [node] the major version of Node that runs it, from npm; absent for a native program
 * @property {string} program below the folder of the installation
 * @property {(place: Place, hooks: Hooks) => Record<string, string>} env
 * @property {(place: Place, hooks: Hooks) => Record<string, string>} files text by path, below the home
 * @property {(place: Place, prompt: string) => string[]} args
 * @property {number} limit seconds for one run
 * @property {"s" | "ms" | undefined} unit of a hook's time limit, where a limit can be set
 * @property {Events} events its names of the moments that probes are about
 * @property {Record<string, string>} [aliases] other names of these events, which it takes too
 * @property {readonly string[]} [others] its other events
 * @property {readonly string[]} [after] those of the others between a call and the next request to the model, which they can refuse
 * @property {{ event: string, args: (place: Place) => string[] }} [compacts] its event before a conversation is made shorter, and how that is asked for in a second run
 * @property {(stdout: string) => string} [shows] what of its output is for the user to read
 * @property {{ localhost?: boolean }} [http] that a hook can be a url, and what its rows say of it
 * @property {{ file: string, other: string, probes: readonly (readonly [id: string, text: string])[] }} [settingsFiles] bad settings files that it is given, and another beside them, below the home
 * @property {readonly string[]} [settings] what an entry can say of a hook that fails
 * @property {boolean} [functions] its hooks are functions of a module, not programs
 * @property {[id: string, event: string, hooks: import("./rows.mjs").RowHook[]][]} [probes] its own probes, where the shared ones are not for it
 * @property {Tools} tools
 * @property {import("./words.mjs").Words} words
 * @property {Record<string, unknown>} [answers] answers to requests that are no model's, by a part of the path
 * @property {RegExp} [aside] words of a request that has tools and is no turn, such as one for a title
 * @property {readonly string[]} logs folders below the home in which it writes its session logs
 * @property {RegExp} [ids] ids in its logs and payloads that are no UUID
 * @property {{ old: (path: string) => string, args: readonly string[], names: RegExp }} [compresses] the path of a log that is old, and what makes the agent compress it
 */
/** @typedef {{ start?: string, prompt: string, pre: string, permission?: string, post: string, stop?: string, end?: string }} Events */
/**
 * @typedef {object} Tools
 * @property {(command: string) => Call} shell
 * @property {(command: string) => Call} [asking] a command that the agent asks for, where it would run others
 * @property {(command: string) => Record<string, unknown>} [rewritten] the input that a hook gives back for a command, where it is another than that of the call
 * @property {(path: string, text: string) => Call} [write]
 * @property {(path: string) => Call} [read]
 * @property {(path: string, before: string, after: string) => Call} [edit]
 * @property {(prompt: string) => Call} [subagent]
 */

/** What is measured of a harness unless --version says otherwise: the program that its file in packages/harness names. @param {string} name */
export function programOf(name) {
  const harness = harnessNamed(name);
  if (!harness) throw new Error(`there is no harness ${name}`);
  return { name, package: harness.tested.program, version: harness.tested.version };
}

/** @param {unknown} value */
export const json = (value) => JSON.stringify(value, null, 2);

/** The events of Claude Code and of those that follow it. */
export const CLAUDE_EVENTS = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  pre: "PreToolUse",
  post: "PostToolUse",
  stop: "Stop",
  end: "SessionEnd",
};

/** Hooks as Claude Code and those that follow it write them. @param {Hooks} hooks */
export const groups = (hooks) =>
  Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [
      event,
      entries.map(({ command, url, timeout, setting }) => ({
        hooks: [
          {
            ...(url ? { type: "http", url } : { type: "command", command }),
            ...(timeout ? { timeout } : {}),
            ...(setting ? { [setting]: "block" } : {}),
          },
        ],
      })),
    ]),
  );
