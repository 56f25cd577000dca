import { delimiter, dirname } from "node:path";
import type { Places } from "./strings.ts";

/**
 * What `git rev-parse --local-env-vars` lists, and the quarantine of a push. Git gives them to its own hooks: in a
 * pre-commit, cases would else initialise the user's repository, and add to what is being committed.
 */
export const LOCAL_TO_A_REPOSITORY: readonly string[] = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];

/** Programs look there before they look in HOME. */
const OTHER_HOMES = [
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "GIT_CONFIG_GLOBAL",
];

/** The environment that every case begins with: ours, but for what leads out of its folder and its home. */
export function caseEnvironment({ cwd, home }: Places): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = Object.create(null); // a variable may be named __proto__
  Object.assign(result, process.env, { HOME: home, USERPROFILE: home });
  for (const name of [...OTHER_HOMES, ...LOCAL_TO_A_REPOSITORY]) delete result[name];
  // The temporary folder may lie in a repository.
  const ceilings = [dirname(cwd), result.GIT_CEILING_DIRECTORIES ?? ""].filter((folder) => folder !== "");
  result.GIT_CEILING_DIRECTORIES = ceilings.join(delimiter);
  return result;
}
