import { createInterface } from "node:readline/promises";
import type { Hook } from "@belay/core";
import {
  configLoader,
  configPlaces,
  findProject,
  homeFolder,
  needsTrust,
  printOf,
  trust,
  trustedPrints,
  trustState,
  whyUnclear,
} from "@belay/engine/tools";
import { type FlagValues, noArguments, readFlags } from "../args.ts";
import { brokenConfig, CONFIG_FLAGS, configOptions } from "../config-args.ts";
import type { Io } from "../io.ts";
import { nextCommand } from "../next.ts";
import { whereHooksAre } from "../no-hooks.ts";
import { type ListedHook, renderHooks } from "../render/hooks.ts";
import { commandLines, wrap } from "../render/text.ts";
import type { Command } from "./command.ts";

const USAGE = "belay trust [--session ID] [--yes] [options]";

const FLAGS = {
  session: { type: "string", value: "ID", help: "the hooks of this session too" },
  yes: { type: "boolean", help: "trust without asking" },
  dialect: CONFIG_FLAGS.dialect,
  cwd: CONFIG_FLAGS.cwd,
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows what a project's hooks are, and trusts them as they are now: the entries and the scripts they name.\nAn edit of either asks again. Hooks that are not trusted do not run.",
  flags: FLAGS,
  examples: ["belay trust", "belay trust --yes"],
  run: trustHooks,
};

const NEXT = "Put what runs into a script of its own, and name only that; then: belay trust";

async function trustHooks(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  const options = configOptions(values);
  const project = findProject(options.cwd);
  const hooks = await listHooks(values, project);
  const untrusted = hooks.filter(({ state }) => state !== "trusted");
  const open = untrusted.filter(({ unclear }) => unclear === undefined);
  if (hooks.length === 0) {
    const next = await whereHooksAre("trust", values);
    say(`This project has no hooks of its own, so there is nothing to trust; ${next}`, io);
    return 0;
  }
  io.out(renderHooks(hooks, options.cwd, io));
  const refused = untrusted.length - open.length;
  if (refused > 0)
    io.out(`${count(refused)} cannot be trusted as ${refused === 1 ? "it is" : "they are"}. ${NEXT}\n`);
  if (untrusted.length > 0 && open.length === 0) return 1;
  if (open.length === 0) {
    say(`${count(hooks.length)} trusted as ${hooks.length === 1 ? "it is" : "they are"}: nothing to do.`, io);
    return 0;
  }
  if (!values.yes && !(await agrees(open, nextCommand("trust", values), io))) return 1;
  // The prints of what was shown: a file edited since then is not trusted by this answer.
  trust(
    project,
    open.map(({ print }) => print),
  );
  const [first] = open;
  const next = first && nextCommand("run", values, first.hook.event);
  say(`Trusted ${count(open.length)}. An edit of an entry or of its script asks again. Next:`, io, next);
  return 0;
}

/** The project's hooks with what is to be trusted of each. The user's own need no trust. */
async function listHooks(values: FlagValues<typeof FLAGS>, project: string): Promise<ListedHook[]> {
  const options = { ...configOptions(values), project, sessionId: values.session ?? "" };
  const { hooks, fresh } = await configLoader().load(configPlaces(options));
  const broken = fresh.filter(({ code }) => code === "config-unreadable");
  if (broken.length > 0) throw brokenConfig(broken, values);
  const folders = { project, cwd: options.cwd, home: homeFolder() };
  const trusted = trustedPrints(project);
  return hooks.filter(needsTrust).map((hook: Hook) => {
    const print = printOf(hook, folders);
    const unclear = whyUnclear(hook, folders);
    return { hook, print, state: trustState(print, trusted), folders, ...(unclear && { unclear }) };
  });
}

async function agrees(open: readonly ListedHook[], again: string, io: Io): Promise<boolean> {
  if (!io.isTerminal || process.stdin.isTTY !== true) {
    say(`${byState(open)} not trusted. Next, on a terminal or with --yes:`, io, `${again} --yes`);
    return false;
  }
  const answer = await ask(`Trust ${byState(open)}? [y/N] `);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return true;
  io.out(`${answer === undefined ? "\n" : ""}Nothing was trusted.\n`);
  return false;
}

/** undefined when there is no answer: Ctrl-C, Ctrl-D. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

/** "2 new and 1 changed hook" */
function byState(hooks: readonly ListedHook[]): string {
  const parts = (["new", "changed"] as const)
    .map((state) => ({ state, many: hooks.filter((hook) => hook.state === state).length }))
    .filter(({ many }) => many > 0);
  const last = parts.at(-1)?.many ?? 0;
  return `${parts.map(({ state, many }) => `${many} ${state}`).join(" and ")} hook${last === 1 ? "" : "s"}`;
}

function say(text: string, { out, columns }: Io, next?: string): void {
  const command = next === undefined ? [] : commandLines(next, columns);
  out(`${[...wrap(text, columns), ...command].join("\n")}\n`);
}

function count(hooks: number): string {
  return hooks === 1 ? "1 hook" : `${hooks} hooks`;
}
