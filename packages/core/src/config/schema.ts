import {
  type Bound,
  type Field,
  flag,
  flagOr,
  list,
  number,
  object,
  optional,
  record,
  shape,
  text,
  words,
} from "../schema/field.ts";
import { DEFAULT_DIALECT, DEFAULT_TIMEOUT_SECONDS, DIALECT_NAMES } from "../tables/dialects.ts";
import { DEFAULT_MODE, PERMISSION_MODES } from "./permission-rule.ts";

export const PROMPT_TIMEOUT_SECONDS = 30;
/** For a hook that nobody waits for. */
export const ASYNC_TIMEOUT_SECONDS = 600;

const FILLED: Bound = { pattern: /\S/, says: "a string that is not blank" };
const PATTERN: Bound = {
  pattern: /^!?(?:\.\/)?(?!\/|\.\.|[./\s]*$)[^!].{0,1000}$/,
  says: 'a pattern of files in the project: "policy/**", "!policy/*.log"',
};
const STRING: Field<string> = { kind: "string" };
const rules = (description: string) => optional(list(STRING, description));

/** Shells that a settings file may name. */
export const SHELLS = ["sh", "bash", "powershell"] as const;

/** Fields of every hook entry. */
export const ENTRY_FIELDS = {
  name: optional(
    text("Shown in messages; without it the hook is named after its event, position and command.", FILLED),
  ),
  timeout: optional(
    number(
      `Seconds; ${DEFAULT_TIMEOUT_SECONDS} if absent, ${PROMPT_TIMEOUT_SECONDS} for a prompt hook, ${ASYNC_TIMEOUT_SECONDS} with async.`,
      { least: 0.001, says: "seconds, at least 0.001" },
      { most: 86_400, says: "seconds, at most 86400 (a day)" },
    ),
  ),
  onFailure: optional(
    words(["continue", "block"], "What a fault means: work goes on, or it is read as exit 2."),
  ),
  mode: optional(words(["enforce", "observe"], "observe runs the hook for the record only.")),
  enabled: optional(flag("false switches this hook off.")),
  once: optional(
    flag("Run it once in a session, until it has run without a fault. Not read in the dialect claude-code."),
  ),
  statusMessage: optional(text("Shown while the hook runs, in place of its name.")),
  if: optional(
    text(
      "A permission rule that the call of a tool must fit, or the hook does not run: Bash(git push *), Edit(src/**). On other events the hook never runs.",
    ),
  ),
  files: optional(
    list(
      text("A pattern from the project's folder on.", PATTERN),
      'Patterns of files that the trust in this hook covers besides its scripts: "policy/**"; "!logs/**" takes files away.',
    ),
  ),
} as const;

/** Fields by type of hook. Every type is a row here and a runner in the engine. */
export const TYPE_FIELDS = {
  command: {
    command: text("Run by `sh -c` in the event's working folder; with `args`, a program.", FILLED),
    shell: optional(
      words(SHELLS, "The shell that reads `command`; sh if absent. powershell is not started."),
    ),
    args: optional(
      list(
        STRING,
        "Runs `command` as a program with these arguments, without a shell; only the folders in braces are filled in: ${BELAY_PROJECT_DIR}.",
      ),
    ),
    warm: optional(
      flagOr(
        ["parallel"],
        "Keeps the process for the next event: one line of JSON in, one out; true: one call at a time.",
      ),
    ),
    async: optional(flag("Start it and go on: nobody waits for its answer, which does not count.")),
    asyncRewake: optional(flag("As async. Belay wakes no agent: the user is told what an exit 2 said.")),
  },
  json: {
    json: object("Given back as the hook's output."),
    exitcode: optional(
      number(
        "0 if absent.",
        { integer: true, says: "an integer" },
        { least: 0, says: "0 to 255" },
        { most: 255, says: "0 to 255" },
      ),
    ),
  },
  http: {
    url: text("Receives the payload by POST.", {
      pattern: /^[Hh][Tt][Tt][Pp][Ss]?:\/\//,
      says: "an http or https URL",
    }),
    headers: optional(record(STRING, "$NAME is filled in from allowedEnvVars.")),
    allowedEnvVars: optional(list(STRING, "Environment variables that headers may name.")),
  },
  module: {
    module: text("An ES or TypeScript module that exports a function; relative to the config file.", FILLED),
  },
  prompt: {
    prompt: text(
      "A question to the agent's model; $ARGUMENTS stands for the payload, which comes last if absent.",
      FILLED,
    ),
  },
  mcp_tool: {
    server: text("An MCP server. Claude Code runs such hooks, Belay does not.", FILLED),
    tool: text("A tool of that server.", FILLED),
    input: optional(object("What the tool is given.")),
  },
  agent: {
    prompt: text("The task of a subagent. Claude Code runs such hooks, Belay does not.", FILLED),
    model: optional(STRING),
  },
} as const;

export type HandlerType = keyof typeof TYPE_FIELDS;
export const HANDLER_TYPES = Object.keys(TYPE_FIELDS) as HandlerType[];
/** Types that are read here and run by Claude Code alone. */
const ELSEWHERE: readonly HandlerType[] = ["mcp_tool", "agent"];
export const OWN_TYPES = HANDLER_TYPES.filter((type) => !ELSEWHERE.includes(type));

/** Fields of a matcher group. */
export const GROUP_FIELDS = {
  matcher: optional(text('Which tool, source, reason … fires it; absent, "" and * mean all.')),
  sequential: optional(flag("Run one after another, each on the input the previous one left.")),
} as const;

/** Fields of the whole file that Belay reads. Others belong to the agent and are left alone. */
export const FILE_FIELDS = {
  dialect: optional(
    words(DIALECT_NAMES, `How the output of these hooks is read; ${DEFAULT_DIALECT} if absent.`),
  ),
  allowedHttpHookUrls: optional(
    list(STRING, "User file only: where hooks from project files may call (`*` patterns)."),
  ),
  redact: optional(
    list(STRING, "User file only: patterns of what is replaced in the journal, besides known secrets."),
  ),
  disableAllHooks: optional(
    flag("claude-code only: true switches off the hooks of this file, in the user's file all hooks."),
  ),
  permissions: optional(
    shape(
      {
        allow: rules("Passes without a question. In a project's file: once the user has trusted it."),
        deny: rules("Is refused, whatever a hook or another rule says."),
        ask: rules("The user is asked, whatever a hook or an allow says."),
        defaultMode: optional(words(PERMISSION_MODES, `How a session begins; ${DEFAULT_MODE} if absent.`)),
      },
      "What the agent may do: `Tool`, `Tool(pattern)` or `*`. A deny counts before an ask, an ask before an allow.",
      { loose: true },
    ),
  ),
} as const;
