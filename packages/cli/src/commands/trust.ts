import { createInterface } from "node:readline/promises";
import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import {
  agentVariable,
  configLoader,
  configPlaces,
  entryOf,
  findProject,
  type Grant,
  homeFolder,
  readTrust,
  revokeTrust,
} from "@belay/engine/internal";
import { type FlagValues, noArguments, readFlags } from "../args/args.ts";
import { configOptions, refuseBroken, refuseNoUuid } from "../args/config.ts";
import { CONFIG_FLAGS } from "../args/flags.ts";
import { errorsIn, keptOff } from "../hooks/disabled.ts";
import { canBeTrusted, listGrants, listHooks, trustListed } from "../hooks/listed.ts";
import { whereHooksAre } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";
import { BELAY, nextCommand } from "../next-command.ts";
import { commandLines, wrap } from "../render/text.ts";
import { renderGrants, renderHooks, type TrustRow } from "../render/trust.ts";
import type { Command } from "./command.ts";

const USAGE = "belay trust [--session ID] [--yes] [--revoke [HOOK]..] [options]";

const FLAGS = {
  session: { type: "string", value: "ID", help: "the hooks of this session too" },
  yes: { type: "boolean", help: "trust without asking" },
  revoke: { type: "boolean", help: "take the trust back, from the hooks named or from all of the project" },
  dialect: CONFIG_FLAGS.dialect,
  cwd: CONFIG_FLAGS.cwd,
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows what a project's hooks are, and trusts them as they are now.\nTrust covers the entry as it is written, the scripts that it names, and the code in the hooks folder that such a script stands in.\nAn edit of any of it asks again. Hooks that are not trusted do not run.\nWhat the settings allow is shown and trusted too, rule by rule; what they deny counts without.",
  flags: FLAGS,
  examples: ["belay trust", "belay trust --yes", "belay trust --revoke no-force-push"],
  run: trustHooks,
};

async function trustHooks(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (!values.revoke) noArguments(positionals, `usage: ${USAGE}`);
  refuseNoUuid(values.session);
  refuseInsideAgent();
  const options = configOptions(values);
  const project = findProject(options.cwd);
  if (values.revoke) return revoke(project, positionals, values, io);
  const { hooks, grants, off, places } = await listTrust(values, project);
  const refused = hooks.filter(({ refusal }) => refusal !== undefined).length;
  const open = openOf(hooks, grants);
  const check = nextCommand("check", values);
  const files = places.map(({ file }) => file);
  const store = () =>
    trustListed({ project, home: homeFolder() }, [...hooks, ...grants], { hooks: files, permissions: files });
  if (hooks.length + grants.length === 0) {
    if (off.length === 0) store(); // entries that are gone are trusted no longer
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
      `${plural(refused, "hook")} cannot be trusted as ${refused === 1 ? "it is" : "they are"}. When that is mended: ${again}`,
      io,
    );
  if (refused > 0 && open.length === 0) return 1;
  if (open.length === 0) {
    store();
    const isOne = hooks.length + grants.length === 1;
    say(
      `${count({ hooks: hooks.length, permissions: grants.length })} trusted as ${isOne ? "it is" : "they are"}: nothing to do.`,
      io,
    );
    return 0;
  }
  if (!values.yes && !(await agrees(open, again, io))) return 1;
  store();
  const first = hooks.find(canBeTrusted);
  const many = (what: Open["what"]) => open.filter((one) => one.what === what).length;
  const asksAgain = first ? " An edit of an entry or of its code asks again. Next:" : "";
  const trusted = count({ hooks: many("hook"), permissions: many("permission") });
  say(`Trusted ${trusted}.${asksAgain}`, io, first && nextCommand("run", values, first.hook.event));
  return 0;
}

/** An agent that may run commands would trust what it has written itself. */
function refuseInsideAgent(): void {
  const variable = agentVariable(process.env);
  if (variable !== undefined)
    throw new UsageError(
      `an agent must not decide about trust, and ${variable} says that this is an agent's tool call`,
      `run ${BELAY} trust in a terminal of your own`,
    );
}

/** Takes the trust back, from all of a project or from the hooks of these names, whether they still stand in the settings or not. */
async function revoke(
  project: string,
  names: readonly string[],
  values: FlagValues<typeof FLAGS>,
  io: Io,
): Promise<number> {
  const home = homeFolder();
  if (names.length === 0)
    return sayRevoked(
      revokeTrust(project, () => true, home),
      io,
    );
  const { hooks } = await listTrust(values, project);
  const { trusted } = readTrust(project, home);
  const meant = new Set<string>();
  for (const name of names) {
    // A made-up name is known without its place: "PreToolUse[0.0] guard.sh" is guard.sh.
    const rows = hooks.filter(({ hook }) => hook.name === name || hook.name.endsWith(`] ${name}`));
    const stored = trusted.filter(({ fields }) => fields.name === name);
    if (rows.length + stored.length === 0)
      throw new UsageError(
        `this project has no hook called ${JSON.stringify(name)}`,
        `${nextCommand("trust", values)} lists them`,
      );
    for (const one of [...rows.flatMap(({ trusted: now, was = now }) => [now, was]), ...stored])
      meant.add(entryOf(one.print));
  }
  return sayRevoked(
    revokeTrust(project, ({ print }) => meant.has(entryOf(print)), home),
    io,
  );
}

function sayRevoked(revoked: number, io: Io): number {
  say(
    revoked === 0
      ? "Nothing of that was trusted."
      : `${revoked === 1 ? "1 entry is" : `${revoked} entries are`} no longer trusted.`,
    io,
  );
  return 0;
}

/** What is to be decided on: hooks that would run, and permissions that would count. */
type Open = Pick<Grant, "state"> & { readonly what: "hook" | "permission" };

function openOf(hooks: readonly TrustRow[], grants: readonly Grant[]): Open[] {
  return [
    ...hooks.filter(canBeTrusted).map(({ state }) => ({ what: "hook" as const, state })),
    ...grants
      .filter(({ state }) => state !== "trusted")
      .map(({ state }) => ({ what: "permission" as const, state })),
  ];
}

/**
 * The project's hooks and permissions with what is to be trusted of each, the errors that keep others of its hooks off, and
 * the files that were looked at. The user's own need no trust.
 */
async function listTrust(values: FlagValues<typeof FLAGS>, project: string) {
  const options = { ...configOptions(values), project, sessionId: values.session ?? "" };
  const places = configPlaces(options);
  const { hooks, configs, fresh } = await configLoader().load(places);
  refuseBroken(fresh, values);
  const home = homeFolder();
  const own = configs.filter(({ layer }) => layer !== "user").flatMap(({ problems }) => problems);
  return {
    hooks: listHooks(hooks, { project, cwd: options.cwd, home }),
    grants: listGrants(configs, project, home),
    off: errorsIn(own),
    places,
  };
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
