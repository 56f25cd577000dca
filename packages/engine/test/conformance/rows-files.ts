import type { DialectName } from "@belay/engine";

/** Design §5 and §7: which files are read, in which order. Paths are below a root with `home` and `project` in it. */
export interface FileRow {
  readonly ref: string;
  readonly says: string;
  readonly dialect?: DialectName;
  /** Files that exist, each with one hook that is named after it. */
  readonly files: readonly string[];
  /** The files whose hooks run, in order. */
  readonly runs: readonly string[];
}

export const SESSION = "0d8b1f86-7a0c-4c39-9a36-1d6f0a2b3c4d";

const EVERY_FILE = [
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
];

export const FILE_ROWS: readonly FileRow[] = [
  {
    ref: "design §5 configured order",
    says: "user, project, local, session; nothing else is discovered",
    files: EVERY_FILE,
    runs: [
      "home/.belay/settings.json",
      "project/.belay/settings.json",
      "project/.belay/settings.local.json",
      `project/.belay/hooks/hooks.${SESSION}.json`,
    ],
  },
  {
    ref: "design §7 files: wave",
    says: "the settings of .wave and nothing else",
    dialect: "wave",
    files: EVERY_FILE,
    runs: ["home/.wave/settings.json", "project/.wave/settings.json", "project/.wave/settings.local.json"],
  },
  {
    ref: "design §7 files: session-hooks",
    says: "the session's own file and nothing else",
    dialect: "session-hooks",
    files: EVERY_FILE,
    runs: [`project/.claude/hooks/hooks.${SESSION}.json`],
  },
  {
    ref: "design §7 files: pact",
    says: "hooks/hooks.json and nothing else",
    dialect: "pact",
    files: EVERY_FILE,
    runs: ["project/hooks/hooks.json"],
  },
  {
    ref: "design §7 files: claude-code",
    says: "the settings of .claude and nothing else",
    dialect: "claude-code",
    files: EVERY_FILE,
    runs: [
      "home/.claude/settings.json",
      "project/.claude/settings.json",
      "project/.claude/settings.local.json",
    ],
  },
];
