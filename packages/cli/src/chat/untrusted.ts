import { configLoader, configPlaces, findProject, homeFolder } from "@belay/engine/tools";
import { canBeTrusted, listGrants, listHooks, trustListed } from "../listed-hooks.ts";
import type { ListedGrant, TrustRow } from "../render/hooks.ts";
import type { ChatOptions } from "./options.ts";

/** What a project's files would do in this session if the user trusted them. */
export interface Untrusted {
  readonly hooks: readonly TrustRow[];
  readonly grants: readonly ListedGrant[];
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
  const grants = listGrants(configs, project, home).filter(({ state }) => state !== "trusted");
  return {
    hooks: listed,
    grants,
    accept: () => trustListed(folders, [...listed, ...grants]),
  };
}
