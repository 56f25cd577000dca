import type { EngineOptions } from "@belay/engine";

/** Design §5 and §7: which files are read, in which order. Paths are below a root with `home` and `project` in it. */

export const SESSION = "0d8b1f86-7a0c-4c39-9a36-1d6f0a2b3c4d";

/** Files that exist, each with one hook that is named after it. */
export const FILES = [
  `project/.belay/hooks/hooks.${SESSION}.json`,
  "project/.belay/hooks/hooks.11111111-7a0c-4c39-9a36-1d6f0a2b3c4d.json",
  "project/.belay/settings.local.json",
  "project/.belay/settings.json",
  "home/.belay/settings.json",
  "project/.wave/settings.json",
  "project/.wave/settings.local.json",
  "home/.wave/settings.json",
  "project/.claude/settings.json",
  "project/.claude/settings.local.json",
  "home/.claude/settings.json",
  `project/.claude/hooks/hooks.${SESSION}.json`,
  "project/hooks/hooks.json",
  "named.json",
  "named-too.json",
  "plug/hooks/hooks.json",
];

const settings = (folder: string) =>
  ["home", "project"]
    .map((root) => `${root}/${folder}/settings.json`)
    .concat(`project/${folder}/settings.local.json`);
const BELAY = settings(".belay");
const ORDER = "design §5 configured order";
const NAMED = ["../named.json", "../named-too.json"];

/** What an engine is given, and the files whose hooks run, in order; none in the project run before it is trusted. */
export const FILE_ROWS: readonly [ref: string, options: EngineOptions, runs: readonly string[]][] = [
  [ORDER, {}, BELAY],
  [ORDER, { sessionId: SESSION }, [...BELAY, `project/.belay/hooks/hooks.${SESSION}.json`]],
  [ORDER, { sessionId: SESSION.toUpperCase() }, BELAY],
  [ORDER, { sessionId: "../../../../named" }, BELAY],
  [ORDER, { configFiles: NAMED, sessionId: SESSION }, ["named.json", "named-too.json"]],
  [ORDER, { pluginDirs: ["../plug"] }, ["plug/hooks/hooks.json"]],
  [
    ORDER,
    { configFiles: ["../named.json"], pluginDirs: ["../plug"] },
    ["named.json", "plug/hooks/hooks.json"],
  ],
  ["design §7 files: wave", { dialect: "wave", sessionId: SESSION }, settings(".wave")],
  [
    "design §7 files: session-hooks",
    { dialect: "session-hooks", sessionId: SESSION },
    [`project/.claude/hooks/hooks.${SESSION}.json`],
  ],
  ["design §7 files: session-hooks", { dialect: "session-hooks", sessionId: "no uuid" }, []],
  ["design §7 files: pact", { dialect: "pact", sessionId: SESSION }, ["project/hooks/hooks.json"]],
  ["design §7 files: claude-code", { dialect: "claude-code", sessionId: SESSION }, settings(".claude")],
  [
    "design §7 files: claude-code",
    { dialect: "claude-code", configFiles: ["../named.json"] },
    ["named.json"],
  ],
];
