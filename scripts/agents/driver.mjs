// What is said of each agent: the shape of the files in drivers/, and the settings files that several of them share.

/** One entry of a settings file: a command, or a url. @typedef {{ command?: string, url?: string, timeout?: number, onFailure?: string }} Entry */
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
 * @property {(place: Place) => Record<string, string>} env
 * @property {(place: Place, hooks: Hooks) => Record<string, string>} files text by path, below the home
 * @property {(place: Place, prompt: string) => string[]} args
 * @property {number} limit seconds for one run
 * @property {"s" | "ms"} unit of a hook's time limit
 * @property {Events} events its names of the moments that probes are about
 * @property {Tools} tools
 * @property {import("./words.mjs").Words} words
 * @property {Record<string, unknown>} [others] answers to requests that are no model's, by a part of the path
 * @property {readonly string[]} logs folders below the home in which it writes its session logs
 * @property {RegExp} [ids] ids in its logs and payloads that are no UUID
 * @property {{ old: (path: string) => string, args: readonly string[], names: RegExp }} [compresses] the path of a log that is old, and what makes the agent compress it
 */
/** @typedef {{ start: string, prompt: string, pre: string, permission?: string, post: string, stop: string, end?: string }} Events */
/**
 * @typedef {object} Tools
 * @property {(command: string) => Call} shell
 * @property {(command: string) => Record<string, unknown>} [rewritten] the input that a hook gives back for a command, where it is another than that of the call
 * @property {(path: string, text: string) => Call} [write]
 * @property {(path: string) => Call} [read]
 * @property {(path: string, before: string, after: string) => Call} [edit]
 * @property {(prompt: string) => Call} [subagent]
 */

/** @param {unknown} value */
export const json = (value) => JSON.stringify(value, null, 2);

/** Hooks as Claude Code and those that follow it write them. @param {Hooks} hooks */
export const groups = (hooks) =>
  Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [
      event,
      entries.map((entry) => ({ hooks: [{ type: entry.url ? "http" : "command", ...entry }] })),
    ]),
  );
