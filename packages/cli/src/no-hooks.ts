import { DIALECT_NAMES, type DialectName } from "@belay/core";
import { configLoader, configPlaces, findProject, homeFolder, shownPath } from "@belay/engine/tools";
import type { FlagValues } from "./args.ts";
import { type CONFIG_FLAGS, configOptions } from "./config-args.ts";
import { BELAY, nextCommand } from "./next.ts";

type Values = FlagValues<typeof CONFIG_FLAGS> & { readonly session?: string };
type Places = ReturnType<typeof configPlaces>;

/** What to do when a command finds no hooks: they may be in the files of another dialect. One sentence, without a stop. */
export async function whereHooksAre(
  command: "run" | "why" | "check" | "trust",
  values: Values,
  event?: string,
): Promise<string> {
  if (values.config || values.plugin) return `next: ${BELAY} schema --config says what a config holds`;
  const { cwd, dialect } = configOptions(values);
  const show = (file: string) => shownPath(file, findProject(cwd));
  const places = (name: DialectName | undefined) =>
    configPlaces({ cwd, sessionId: values.session ?? "", ...(name && { dialect: name }) });
  for (const other of [undefined, ...DIALECT_NAMES]) {
    if (other === dialect) continue;
    const file = await firstWithHooks(places(other));
    if (file === undefined) continue;
    return `found ${show(file)}; try: ${nextCommand(command, { ...values, dialect: other }, event)}`;
  }
  if (dialect === undefined && findProject(cwd) === homeFolder())
    return `your own hooks, for every project, are in ~/.belay/settings.json; for a project: ${BELAY} init --cwd DIR`;
  if (dialect === undefined) return `next: ${nextCommand("init", values)}`;
  const looked = places(dialect).map(({ file }) => show(file));
  return `looked for ${looked.length > 0 ? looked.join(", ") : "the session's file: name it by --session ID"}`;
}

/** The user's own files count for every project, so they say nothing about this one. */
async function firstWithHooks(places: Places): Promise<string | undefined> {
  const { hooks } = await configLoader().load(places.filter(({ layer }) => layer !== "user"));
  return hooks[0]?.source.file;
}
