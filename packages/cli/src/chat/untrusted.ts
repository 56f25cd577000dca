import {
  configLoader,
  configPlaces,
  findProject,
  type Grant,
  grantsOf,
  homeFolder,
} from "@belay/engine/internal";
import { canBeTrusted, listHooks, trustListed } from "../hooks/listed.ts";
import type { TrustRow } from "../render/trust.ts";
import type { ChatOptions } from "./options.ts";

/** What a project's files would do in this session if the user trusted them. */
export interface Untrusted {
  readonly hooks: readonly TrustRow[];
  readonly grants: readonly Grant[];
  /** Trusts exactly this, as it was read: a file edited since then is not meant. */
  accept(): void;
}

export async function findUntrusted(options: ChatOptions & { readonly cwd: string }): Promise<Untrusted> {
  const { cwd } = options;
  const home = homeFolder(options.home);
  const project = findProject(cwd, home);
  const loader = configLoader();
  const common = { cwd, home, project, sessionId: "" };
  const places = configPlaces({ ...options, ...common });
  const { hooks } = await loader.load(places);
  // Rules are those of the layers, whatever else is named.
  const layers = configPlaces(common);
  const { configs } = await loader.load(layers);
  const folders = { project, cwd, home };
  const listed = listHooks(hooks, folders);
  const grants = grantsOf(configs, project, home);
  return {
    hooks: listed.filter((row) => row.hook.enabled && canBeTrusted(row)),
    grants: grants.filter(({ state }) => state !== "trusted"),
    accept: () => {
      const isMeant = (row: TrustRow) => row.hook.enabled || row.state === "trusted";
      const filesOf = (all: typeof places) => all.map(({ file }) => file);
      const whole = { hooks: filesOf(places), permissions: filesOf(layers) };
      trustListed(folders, [...listed.filter(isMeant), ...grants], whole);
    },
  };
}
