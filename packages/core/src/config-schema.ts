import * as v from "valibot";
import { DEFAULT_DIALECT, DIALECT_NAMES } from "./dialects.ts";
import { object } from "./fields.ts";
import { DEFAULT_MODE, PERMISSION_MODES } from "./permission.ts";

export const DEFAULT_TIMEOUT_SECONDS = 60;
export const PROMPT_TIMEOUT_SECONDS = 30;

const described = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description));
const text = (description: string) =>
  v.pipe(v.string(), v.nonEmpty("a non-empty string"), v.description(description));

const rules = (description: string) => v.optional(described(v.array(v.string()), description));

/** Fields of every hook entry. */
export const ENTRY_FIELDS = {
  name: v.optional(
    text("Shown in messages; without it the hook is named after its event, position and command."),
  ),
  timeout: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0.001, "seconds, at least 0.001"),
      v.maxValue(86_400, "seconds, at most 86400 (a day)"),
      v.description(
        `Seconds; ${DEFAULT_TIMEOUT_SECONDS} if absent, ${PROMPT_TIMEOUT_SECONDS} for a prompt hook.`,
      ),
    ),
  ),
  onFailure: v.optional(
    described(
      v.picklist(["continue", "block"]),
      "What a fault means: work goes on, or it is read as exit 2.",
    ),
  ),
  mode: v.optional(
    described(v.picklist(["enforce", "observe"]), "observe runs the hook for the record only."),
  ),
  enabled: v.optional(described(v.boolean(), "false switches this hook off.")),
} as const;

/** Fields by type of hook. Every type is a row here and a runner in the engine. */
export const TYPE_FIELDS = {
  command: {
    command: text("Run by `sh -c` in the event's working folder; with `args`, a program."),
    args: v.optional(
      described(
        v.array(v.string()),
        "Runs `command` as a program with these arguments, without a shell; only the folders in braces are filled in: ${BELAY_PROJECT_DIR}.",
      ),
    ),
    warm: v.optional(
      described(
        v.union([v.boolean(), v.literal("parallel")]),
        "Keeps the process for the next event: one line of JSON in, one out; true: one call at a time.",
      ),
    ),
  },
  json: {
    json: object("Given back as the hook's output."),
    exitcode: v.optional(
      v.pipe(
        v.number(),
        v.integer("an integer"),
        v.minValue(0, "0 to 255"),
        v.maxValue(255, "0 to 255"),
        v.description("0 if absent."),
      ),
    ),
  },
  http: {
    url: v.pipe(
      v.string(),
      v.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//, "an http or https URL"),
      v.description("Receives the payload by POST."),
    ),
    headers: v.optional(
      v.pipe(
        v.record(v.string(), v.string()),
        v.check((value) => !Array.isArray(value), "an object"),
        v.description("$NAME is filled in from allowedEnvVars."),
      ),
    ),
    allowedEnvVars: v.optional(
      described(v.array(v.string()), "Environment variables that headers may name."),
    ),
  },
  module: {
    module: text("An ES or TypeScript module that exports a function; relative to the config file."),
  },
  prompt: {
    prompt: text(
      "A question to the agent's model; $ARGUMENTS stands for the payload, which comes last if absent.",
    ),
  },
} as const;

export type HandlerType = keyof typeof TYPE_FIELDS;
export const HANDLER_TYPES = Object.keys(TYPE_FIELDS) as HandlerType[];

/** Fields of a matcher group. */
export const GROUP_FIELDS = {
  matcher: v.optional(
    described(v.string(), 'Which tool, source, reason … fires it; absent, "" and * mean all.'),
  ),
  sequential: v.optional(
    described(v.boolean(), "Run one after another, each on the input the previous one left."),
  ),
} as const;

/** Fields of the whole file that Belay reads. Others belong to the agent and are left alone. */
export const FILE_FIELDS = {
  dialect: v.optional(
    described(
      v.picklist(DIALECT_NAMES),
      `How the output of these hooks is read; ${DEFAULT_DIALECT} if absent.`,
    ),
  ),
  allowedHttpHookUrls: v.optional(
    described(v.array(v.string()), "User file only: where hooks from project files may call (`*` patterns)."),
  ),
  disableAllHooks: v.optional(
    described(
      v.boolean(),
      "claude-code only: true switches off the hooks of this file, in the user's file all hooks.",
    ),
  ),
  permissions: v.optional(
    described(
      v.looseObject({
        allow: rules("Passes without a question. In a project's file: once the user has trusted it."),
        deny: rules("Is refused, whatever a hook or another rule says."),
        ask: rules("The user is asked, whatever a hook or an allow says."),
        defaultMode: v.optional(
          described(v.picklist(PERMISSION_MODES), `How a session begins; ${DEFAULT_MODE} if absent.`),
        ),
      }),
      "What the agent may do: `Tool`, `Tool(pattern)` or `*`. A deny counts before an ask, an ask before an allow.",
    ),
  ),
} as const;
