import { plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import {
  configLoader,
  configPlaces,
  entryOf,
  findProject,
  grantsOf,
  homeFolder,
  readTrust,
  revokeTrust,
  type Trusted,
  type TrustState,
} from "@belay/engine/internal";
import { type Command, type FlagValues, noArguments, readFlags } from "../args/args.ts";
import { CONFIG_FLAGS, configOptions, nextCommand, refuseBroken, refuseNoUuid } from "../args/flags.ts";
import { disabledEntries, errorsIn } from "../hooks/disabled.ts";
import { canBeTrusted, listHooks, trustListed } from "../hooks/listed.ts";
import { whereHooksAre } from "../hooks/no-hooks.ts";
import { canAsk, type Io, isAgreed } from "../io.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { commandLines, wrap } from "../render/text.ts";
import { counted, type Listed, renderGrants, renderHooks } from "../render/trust.ts";

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

type Values = FlagValues<typeof FLAGS>;

async function trustHooks(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (!values.revoke) noArguments(positionals, `usage: ${USAGE}`);
  refuseNoUuid(values.session);
  refuseInsideAgent("trust");
  const { cwd } = configOptions(values);
  const project = findProject(cwd);
  if (values.revoke) return revoke(project, positionals, values, io);
  const { hooks, grants, off, places } = await listTrust(values, project);
  const check = nextCommand("check", values);
  const again = nextCommand("trust", values);
  const files = places.map(({ file }) => file);
  const store = () =>
    trustListed({ project, home: homeFolder() }, [...hooks, ...grants], { hooks: files, permissions: files });
  if (hooks.length + grants.length === 0) {
    if (off.length > 0) {
      say(
        `${disabledEntries(off, "all hooks of this project")}, so there is nothing to trust; next: ${check}`,
        io,
      );
      return 1;
    }
    store(); // entries that are gone are trusted no longer
    const where = await whereHooksAre("trust", values);
    say(`This project has no hooks of its own, so there is nothing to trust; ${where}`, io);
    return 0;
  }
  io.out(renderHooks(hooks, cwd, io) + renderGrants(grants, cwd, io));
  if (off.length > 0) say(`${disabledEntries(off)}; next: ${check}`, io);
  const refused = hooks.filter(({ refusal }) => refusal !== undefined).length;
  if (refused > 0) {
    const they = refused === 1 ? "it is" : "they are";
    say(`${plural(refused, "hook")} cannot be trusted as ${they}. When that is mended: ${again}`, io);
  }
  const open: Listed = {
    hook: hooks.filter(canBeTrusted),
    permission: grants.filter(({ state }) => state !== "trusted"),
  };
  if (open.hook.length + open.permission.length === 0) {
    if (refused > 0) return 1;
    store();
    const they = hooks.length + grants.length === 1 ? "it is" : "they are";
    say(`${counted({ hook: hooks, permission: grants })} trusted as ${they}: nothing to do.`, io);
    return 0;
  }
  if (!values.yes && !(await agrees(open, again, io))) return 1;
  store();
  const first = hooks.find(canBeTrusted);
  const asksAgain = first ? " An edit of an entry or of its code asks again. Next:" : "";
  say(`Trusted ${counted(open)}.${asksAgain}`, io, first && nextCommand("run", values, first.hook.event));
  return 0;
}

/** Takes the trust back, from all of a project or from the hooks of these names, whether they still stand in the settings or not. */
async function revoke(project: string, names: readonly string[], values: Values, io: Io): Promise<number> {
  const meant = names.length === 0 ? undefined : await entriesOf(names, project, values);
  const isMeant = ({ print }: Trusted) => meant === undefined || meant.has(entryOf(print));
  const revoked = revokeTrust(project, isMeant, homeFolder());
  const entries = revoked === 1 ? "1 entry is" : `${revoked} entries are`;
  say(revoked === 0 ? "Nothing of that was trusted." : `${entries} no longer trusted.`, io);
  return 0;
}

/** The entries of hooks of these names, as they are and as they were trusted. Throws a UsageError for a name without any. */
async function entriesOf(names: readonly string[], project: string, values: Values): Promise<Set<string>> {
  const { hooks } = await listTrust(values, project);
  const { trusted } = readTrust(project, homeFolder());
  const found = names.flatMap((name) => {
    // A made-up name is known without its place: "PreToolUse[0.0] guard.sh" is guard.sh.
    const rows = hooks.filter(({ hook }) => hook.name === name || hook.name.endsWith(`] ${name}`));
    const stored = trusted.filter(({ fields }) => fields.name === name);
    if (rows.length + stored.length === 0)
      throw new UsageError(
        `this project has no hook called ${JSON.stringify(name)}`,
        `${nextCommand("trust", values)} lists them`,
      );
    return [...rows.flatMap((row) => [row.trusted, row.was ?? []].flat()), ...stored];
  });
  return new Set(found.map(({ print }) => entryOf(print)));
}

/**
 * The project's hooks and permissions with what is to be trusted of each, the errors that keep others of its hooks off, and
 * the files that were looked at. The user's own need no trust.
 */
async function listTrust(values: Values, project: string) {
  const options = { ...configOptions(values), project, sessionId: values.session ?? "" };
  const places = configPlaces(options);
  const { hooks, configs, fresh } = await configLoader().load(places);
  refuseBroken(fresh, values);
  const home = homeFolder();
  const own = configs.filter(({ layer }) => layer !== "user").flatMap(({ problems }) => problems);
  return {
    hooks: listHooks(hooks, { project, cwd: options.cwd, home }),
    grants: grantsOf(configs, project, home),
    off: errorsIn(own),
    places,
  };
}

async function agrees(open: Listed, again: string, io: Io): Promise<boolean> {
  if (!canAsk(io)) {
    say(`${byState(open)} not trusted. Next, on a terminal or with --yes:`, io, `${again} --yes`);
    return false;
  }
  return isAgreed(`Trust ${byState(open)}? [y/N] `, "Nothing was trusted.", io);
}

function say(text: string, { out, columns }: Io, next?: string): void {
  const command = next === undefined ? [] : commandLines(next, columns);
  out(`${[...wrap(text, columns), ...command].join("\n")}\n`);
}

/** "2 new and 1 changed hook, 1 new permission" */
function byState(listed: Listed): string {
  return Object.entries(listed)
    .flatMap(([what, rows]) => {
      const many = (state: TrustState) => rows.filter((row) => row.state === state).length;
      const states = (["new", "changed"] as const).filter((state) => many(state) > 0);
      const last = states.at(-1);
      if (last === undefined) return [];
      return `${states.map((state) => `${many(state)} ${state}`).join(" and ")} ${what}${many(last) === 1 ? "" : "s"}`;
    })
    .join(", ");
}
