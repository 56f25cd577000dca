import {
  configLoader,
  configPlaces,
  findProject,
  type Grant,
  grantsOf,
  homeFolder,
  trust,
} from "@belay/engine/tools";
import { canBeTrusted, listHooks } from "../listed-hooks.ts";
import type { ListedHook } from "../render/hooks.ts";
import type { ChatOptions } from "./options.ts";

/** What a project's files would do in this session if the user trusted them. */
export interface Untrusted {
  readonly hooks: readonly ListedHook[];
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
  const { hooks } = await loader.load(configPlaces({ ...options, ...common }));
  // Rules are those of the layers, whatever else is named.
  const { configs } = await loader.load(configPlaces(common));
  const folders = { project, cwd, home };
  const enabled = hooks.filter((hook) => hook.enabled);
  const listed = listHooks(enabled, folders).filter(canBeTrusted);
  const grants = grantsOf(configs, project, home).filter(({ state }) => state !== "trusted");
  return {
    hooks: listed,
    grants,
    accept: () =>
      trust(
        project,
        [...listed, ...grants].map(({ print }) => print),
        home,
      ),
  };
}
