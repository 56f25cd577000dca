/** Unless the settings of a dialect say another. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** What a variable of a hook holds that differs from event to event. */
export type VariableValue = "session" | "effort" | "file";

/** How one system reads hook output: a row of settings (design §7), never a subclass. */
export interface Dialect {
  readonly title: string;
  /** The folder whose settings files `--dialect` reads; absent when the dialect lives in plugins or session files. */
  readonly folder?: string;
  /** The variable in which its hooks find the project's folder, where it has one of its own. */
  readonly projectVariable?: string;
  /** Further variables of its hooks: "on" is 1, the others hold the session's id, the effort, and a file that sets variables. */
  readonly variables?: Readonly<Record<string, "on" | VariableValue>>;
  /** Whether that folder holds settings.json files, session files (hooks/hooks.<uuid>.json), or the dialect is plugins'. */
  readonly files: "settings" | "session" | "plugin";
  readonly systemMessage: readonly ("user" | "agent")[];
  /** True: exit 2 refuses whatever the JSON says, except that a stop still stops. */
  readonly exit2Wins: boolean;
  readonly eventNameRequired: boolean;
  readonly stopReasonRequired: boolean;
  readonly blockReasonRequired: boolean;
  /** A refusal without words of its own borrows the systemMessage. */
  readonly systemMessageIsReason: boolean;
  /** Plain stdout is context when a session starts, as it is when a prompt comes in. */
  readonly startStdoutIsContext: boolean;
  /** Where stdout of exit 0 goes when it is nobody's context. */
  readonly otherStdout: "journal" | "transcript";
  /** Who reads stderr of exit 2 where nothing can be refused. */
  readonly noticeTo: "user" | "agent";
  readonly compactionCanBeBlocked: boolean;
  /** additionalContext on a stop: no answer at all, a block, or context for the next turn. */
  readonly contextOnStop: "refused" | "block" | "agent";
  /** The further fields of fields.ts and of the event table are known. */
  readonly furtherFields: boolean;
  /** A file's "disableAllHooks" counts (LAYERS in config/hook.ts says for whom). */
  readonly filesSwitchOff: boolean;
  /** Where a call can be denied, a deny or an ask counts in the wrong place too: at the top level, or as a `decision`. */
  readonly misplacedRestricts: boolean;
  /** `once` in an entry counts. */
  readonly onceCounts: boolean;
  /** Seconds after which a command is ended whose entry says nothing. */
  readonly timeout: number;
  /** A decision counts at the top level and inside hookSpecificOutput alike, not only in the place of its form. */
  readonly decisionsAnywhere: boolean;
  /** JSON counts as one sound object that is the whole of stdout; everything else is text, or nothing. */
  readonly wholeJsonOnly: boolean;
  /** With onFailure "block" an exit code other than 0 and 2 refuses, whatever the JSON says. */
  readonly failureWins: boolean;
  /** One bad entry, or text that is no plain JSON, takes all hooks of the file away. */
  readonly dropsBadFile: boolean;
  /** Of two rewrites the last to finish counts, not the later configured one. */
  readonly lastFinishedWins: boolean;
  /** The settings that are otherwise where an engine simulates the real system (design §7): that system, to the letter. */
  readonly letter?: Partial<Omit<Dialect, "letter">>;
}

/** How every dialect reads where a step depends on the answer: nothing that restricts is lost. */
const STRICT = {
  timeout: DEFAULT_TIMEOUT_SECONDS,
  decisionsAnywhere: true,
  wholeJsonOnly: false,
  failureWins: false,
  dropsBadFile: false,
  lastFinishedWins: false,
} as const;

export const DIALECTS = {
  wave: {
    title: "Wave",
    folder: ".wave",
    projectVariable: "WAVE_PROJECT_DIR",
    files: "settings",
    systemMessage: ["user"],
    exit2Wins: false,
    eventNameRequired: true,
    stopReasonRequired: true,
    blockReasonRequired: true,
    systemMessageIsReason: false,
    startStdoutIsContext: false,
    otherStdout: "journal",
    noticeTo: "user",
    compactionCanBeBlocked: false,
    contextOnStop: "refused",
    furtherFields: false,
    filesSwitchOff: false,
    misplacedRestricts: true,
    onceCounts: true,
    ...STRICT,
  },
  "session-hooks": {
    title: "Session hooks",
    folder: ".claude",
    projectVariable: "CLAUDE_PROJECT_DIR",
    files: "session",
    systemMessage: ["agent"],
    exit2Wins: false,
    eventNameRequired: false,
    stopReasonRequired: false,
    blockReasonRequired: false,
    systemMessageIsReason: true,
    startStdoutIsContext: false,
    otherStdout: "transcript",
    noticeTo: "agent",
    compactionCanBeBlocked: false,
    contextOnStop: "block",
    furtherFields: false,
    filesSwitchOff: false,
    misplacedRestricts: true,
    onceCounts: true,
    ...STRICT,
  },
  pact: {
    title: "PACT",
    files: "plugin",
    systemMessage: ["user", "agent"],
    exit2Wins: true,
    eventNameRequired: true,
    stopReasonRequired: false,
    blockReasonRequired: true,
    systemMessageIsReason: false,
    startStdoutIsContext: true,
    otherStdout: "journal",
    noticeTo: "user",
    compactionCanBeBlocked: false,
    contextOnStop: "agent",
    furtherFields: false,
    filesSwitchOff: false,
    misplacedRestricts: true,
    onceCounts: true,
    ...STRICT,
  },
  "claude-code": {
    title: "Claude Code",
    folder: ".claude",
    projectVariable: "CLAUDE_PROJECT_DIR",
    variables: {
      CLAUDECODE: "on",
      CLAUDE_CODE_SESSION_ID: "session",
      CLAUDE_EFFORT: "effort",
      CLAUDE_ENV_FILE: "file",
    },
    files: "settings",
    systemMessage: ["user"],
    exit2Wins: true,
    eventNameRequired: true,
    stopReasonRequired: false,
    blockReasonRequired: true,
    systemMessageIsReason: false,
    startStdoutIsContext: true,
    otherStdout: "journal",
    noticeTo: "user",
    compactionCanBeBlocked: true,
    contextOnStop: "block",
    furtherFields: true,
    filesSwitchOff: true,
    misplacedRestricts: false,
    onceCounts: false,
    ...STRICT,
    letter: {
      blockReasonRequired: false,
      timeout: 600,
      decisionsAnywhere: false,
      wholeJsonOnly: true,
      failureWins: true,
      dropsBadFile: true,
      lastFinishedWins: true,
    },
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** The settings of a dialect; `simulated`: those of the real system, where it has some of its own. */
export function dialectRow(name: DialectName, simulated = false): Dialect {
  const row: Dialect = DIALECTS[name];
  return simulated && row.letter ? { ...row, ...row.letter } : row;
}

export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
export const DEFAULT_DIALECT: DialectName = "wave";
/** How a plugin's file is read that does not say: plugins are written for it. */
export const PLUGIN_DIALECT: DialectName = "claude-code";

/** Whether it is named after a real system that can be simulated. */
export function hasLetter(name: DialectName): boolean {
  const row: Dialect = DIALECTS[name];
  return row.letter !== undefined;
}

/** The dialect whose settings stand in a folder of this name. */
export function dialectOfFolder(folder: string): DialectName | undefined {
  return DIALECT_NAMES.find((name) => {
    const row: Dialect = DIALECTS[name];
    return row.files === "settings" && row.folder === folder;
  });
}

/** Agents whose reading of their settings is known. */
const KNOWN: readonly DialectName[] = ["claude-code"];

/** The agent, other than Belay, that is known to read a file as its settings. */
export function otherReaderOf(file: string): string | undefined {
  const [name = "", folder = ""] = file.split(/[/\\]/).toReversed();
  const home = dialectOfFolder(folder);
  const isRead = home !== undefined && KNOWN.includes(home) && /^settings(?:\.local)?\.json$/.test(name);
  return isRead ? DIALECTS[home].title : undefined;
}

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(DIALECTS, name);
}

/** The variables of a dialect's hooks besides those of folders. One that has no value is not set, nor inherited. */
export function dialectVariables(
  dialect: DialectName,
  values: Readonly<Partial<Record<VariableValue, string | undefined>>>,
): Record<string, string | undefined> {
  const { variables = {} }: Dialect = DIALECTS[dialect];
  return Object.fromEntries(
    Object.entries(variables).map(([name, holds]) => [name, holds === "on" ? "1" : values[holds]]),
  );
}

/** Whether the hooks of a dialect get a file that sets variables. */
export function hasEnvFile(dialect: DialectName): boolean {
  const { variables = {} }: Dialect = DIALECTS[dialect];
  return Object.values(variables).includes("file");
}
