import { createInterface } from "node:readline/promises";
import { type Diagnostic, plural } from "@belay/core";
import { configLoader, configPlaces, findProject, type Grant, homeFolder } from "@belay/engine/tools";
import { type FlagValues, noArguments, readFlags } from "../args.ts";
import { configOptions, refuseBroken, refuseNoUuid } from "../config-args.ts";
import { CONFIG_FLAGS } from "../flags.ts";
import type { Io } from "../io.ts";
import { errorsIn, keptOff } from "../kept-off.ts";
import { canBeTrusted, listGrants, listHooks, trustListed } from "../listed-hooks.ts";
import { nextCommand } from "../next.ts";
import { whereHooksAre } from "../no-hooks.ts";
import { type ListedGrant, renderGrants, renderHooks, type TrustRow } from "../render/hooks.ts";
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
    "Shows what a project's hooks are, and trusts them as they are now: the entries and the scripts they name.\nAn edit of either asks again. Hooks that are not trusted do not run.\nWhat its settings allow is shown and trusted too, rule by rule; what they deny counts without.",
  flags: FLAGS,
  examples: ["belay trust", "belay trust --yes"],
  run: trustHooks,
};

const NEXT = "Put what runs into a script of its own that you may read, and name only that; then:";

async function trustHooks(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  refuseNoUuid(values.session);
  const options = configOptions(values);
  const project = findProject(options.cwd);
  const { hooks, grants, off } = await listTrust(values, project);
  const listed = { hooks: hooks.length, permissions: grants.length };
  const refused = hooks.filter(({ state, unclear }) => state !== "trusted" && unclear !== undefined).length;
  const open = openOf(hooks, grants);
  const check = nextCommand("check", values);
  if (hooks.length + grants.length === 0) {
    const why =
      off.length > 0
        ? `${keptOff(off, "all hooks of this project")}, so there is nothing to trust; next: ${check}`
        : `This project has no hooks of its own, so there is nothing to trust; ${await whereHooksAre("trust", values)}`;
    say(why, io);
    return off.length > 0 ? 1 : 0;
  }
  io.out(renderHooks(hooks, options.cwd, io) + renderGrants(grants, options.cwd, io));
  if (off.length > 0) say(`${keptOff(off)}; next: ${check}`, io);
  const again = nextCommand("trust", values);
  if (refused > 0)
    say(
      `${plural(refused, "hook")} cannot be trusted as ${refused === 1 ? "it is" : "they are"}. ${NEXT} ${again}`,
      io,
    );
  if (refused > 0 && open.length === 0) return 1;
  if (open.length === 0) {
    const isOne = hooks.length + grants.length === 1;
    say(`${count(listed)} trusted as ${isOne ? "it is" : "they are"}: nothing to do.`, io);
    return 0;
  }
  if (!values.yes && !(await agrees(open, again, io))) return 1;
  trustListed({ project, home: homeFolder() }, open);
  const first = hooks.find(canBeTrusted);
  const many = { hooks: openOf(hooks, []).length, permissions: openOf([], grants).length };
  const asksAgain = first ? " An edit of an entry or of its script asks again. Next:" : "";
  say(`Trusted ${count(many)}.${asksAgain}`, io, first && nextCommand("run", values, first.hook.event));
  return 0;
}

/** What is to be decided on: hooks that would run, and permissions that would count. */
type Open = Pick<Grant, "print" | "seen" | "state"> & { readonly what: "hook" | "permission" };

function openOf(hooks: readonly TrustRow[], grants: readonly Grant[]): Open[] {
  const listed: Open[] = [
    ...hooks
      .filter(({ unclear }) => unclear === undefined)
      .map(({ print, state, seen }) => ({ what: "hook" as const, print, state, seen })),
    ...grants.map(({ print, state, seen }) => ({ what: "permission" as const, print, state, seen })),
  ];
  return listed.filter(({ state }) => state !== "trusted");
}

/**
 * The project's hooks and permissions with what is to be trusted of each, and the errors that keep others of its hooks off.
 * The user's own need no trust.
 */
async function listTrust(
  values: FlagValues<typeof FLAGS>,
  project: string,
): Promise<{ hooks: TrustRow[]; grants: ListedGrant[]; off: Diagnostic[] }> {
  const options = { ...configOptions(values), project, sessionId: values.session ?? "" };
  const { hooks, configs, fresh } = await configLoader().load(configPlaces(options));
  refuseBroken(fresh, values);
  const home = homeFolder();
  const listed = listHooks(hooks, { project, cwd: options.cwd, home });
  const own = configs.filter(({ layer }) => layer !== "user").flatMap(({ problems }) => problems);
  return { hooks: listed, grants: listGrants(configs, project, home), off: errorsIn(own) };
}

async function agrees(open: readonly Open[], again: string, io: Io): Promise<boolean> {
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

/** "2 new and 1 changed hook, 1 new permission" */
function byState(open: readonly Open[]): string {
  return (["hook", "permission"] as const)
    .map((what) => statesOf(open.filter((one) => one.what === what)))
    .filter((text) => text !== "")
    .join(", ");
}

function say(text: string, { out, columns }: Io, next?: string): void {
  const command = next === undefined ? [] : commandLines(next, columns);
  out(`${[...wrap(text, columns), ...command].join("\n")}\n`);
}

function statesOf(open: readonly Open[]): string {
  const parts = (["new", "changed"] as const)
    .map((state) => ({ state, many: open.filter((one) => one.state === state).length }))
    .filter(({ many }) => many > 0);
  const last = parts.at(-1)?.many ?? 0;
  const [{ what } = { what: "" }] = open;
  if (last === 0) return "";
  return `${parts.map(({ state, many }) => `${many} ${state}`).join(" and ")} ${what}${last === 1 ? "" : "s"}`;
}

function count({ hooks, permissions }: { readonly hooks: number; readonly permissions: number }): string {
  const parts = [
    ...(hooks > 0 ? [plural(hooks, "hook")] : []),
    ...(permissions > 0 ? [plural(permissions, "permission")] : []),
  ];
  return parts.join(" and ");
}
