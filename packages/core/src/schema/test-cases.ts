import * as v from "valibot";
import { DIAGNOSTICS, type DiagnosticCode } from "../tables/diagnostics/index.ts";
import { DIALECT_NAMES } from "../tables/dialects.ts";
import { EVENT_NAMES } from "../tables/events.ts";
import { ACTIONS, DECISION_KINDS } from "../tables/kinds.ts";
import { recordOf } from "./record.ts";

/*
 * What a file of test cases may say (`belay test`): one table, from which its checks, its types and schema/test-cases.json
 * are made.
 */

const described = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description));

const flag = (description: string) => described(v.boolean(), description);
const object = (description: string) => described(recordOf(v.unknown()), description);

const words = (description: string) =>
  v.pipe(v.string("text"), v.nonEmpty("text that is not empty"), v.description(description));

const CODES = Object.keys(DIAGNOSTICS) as DiagnosticCode[];

const PATTERN_HINT = "/…/ is a regular expression";

const exactText = v.strictObject({ exact: v.string("text") });

/** Text as it is, /a pattern/, or nothing. */
const wanted = (description: string) =>
  v.optional(
    described(v.nullable(v.union([v.string(), exactText])), `${description} ${PATTERN_HINT}; null: none.`),
  );

const wantedMessages = (reader: string) =>
  v.optional(
    described(
      v.array(v.union([v.string(), exactText])),
      `Each is part of a message that ${reader} reads; ${PATTERN_HINT}, { exact: … } is the whole message, and [] is no message at all.`,
    ),
  );

const texts = (description: string) => described(recordOf(v.string("text")), description);

export const EXPECT_FIELDS = {
  decision: v.optional(described(v.picklist(DECISION_KINDS), "What all hooks together decide.")),
  reason: wanted("Why, the whole text."),
  by: wanted("The hook whose decision it is."),
  blocked: v.optional(flag("Whether work is refused: a deny, a block or a stop.")),
  action: v.optional(described(v.picklist(ACTIONS), "What the agent does about it.")),
  interrupt: v.optional(flag("Whether a denial ends the turn as well.")),
  user: wantedMessages("the user"),
  agent: wantedMessages("the agent"),
  updatedInput: v.optional(
    described(
      v.nullable(object("The tool's input.")),
      "The tool input to use instead, whole; null: it was not rewritten.",
    ),
  ),
  updatedPrompt: wanted("The prompt to use instead."),
  updatedToolOutput: v.optional(
    described(v.unknown(), "What the agent reads instead of the tool's result; null: it was not replaced."),
  ),
  diagnostics: v.optional(
    described(v.array(v.picklist(CODES)), "The codes of all diagnostics, in any order; [] is none."),
  ),
  runs: v.optional(described(v.array(v.string()), "The names of all hooks that ran, in any order.")),
  files: v.optional(
    described(
      recordOf(v.nullable(v.union([v.string(), exactText]))),
      `Files of the working folder afterwards, whole; ${PATTERN_HINT}; null: there is none.`,
    ),
  ),
} as const;

/** What a case may say, and what `defaults` may say for all of them. */
export const SHARED_FIELDS = {
  event: v.optional(described(v.picklist(EVENT_NAMES), "The event to fire.")),
  payload: v.optional(
    object("Fields of the payload; the others come from the event's sample. {cwd} is the working folder."),
  ),
  files: v.optional(texts("Files of the working folder, by path; one that begins with #! is executable.")),
  folder: v.optional(
    words("The working folder begins as a copy of this one, and is the project; relative to this file."),
  ),
  env: v.optional(
    described(recordOf(v.nullable(v.string("text"))), "Environment variables; null takes one away."),
  ),
  git: v.optional(flag("Whether the working folder is a git repository.")),
} as const;

export const CASE_FIELDS = {
  name: words("What the case is about; no two of a file have the same."),
  ...SHARED_FIELDS,
  record: v.optional(
    words(
      "A recorded event to fire again: a file with one record, or its id in the project's journal, 8 characters or more of it.",
    ),
  ),
  expect: v.optional(described(v.strictObject(EXPECT_FIELDS), "What comes of it.")),
  as: v.optional(
    described(
      recordOf(v.picklist(["runs", "refused", "asks"])),
      "By the name of an agent: what happens to the step there; without it no agent may be looser than `expect`.",
    ),
  ),
  only: v.optional(
    flag("Run this one, and others that say so; the rest is skipped, in every file. Each is warned of."),
  ),
  skip: v.optional(words("Do not run it, and why.")),
} as const;

const paths = (description: string) =>
  v.optional(described(v.union([v.string(), v.array(v.string())]), description));

export const CASE_FILE_FIELDS = {
  $schema: v.optional(described(v.string(), "The JSON Schema of this file, for editors.")),
  config: paths("Settings with the hooks to test, relative to this file; without it the project's own."),
  plugin: paths("Folders of plugins with hooks to test, relative to this file."),
  hook: v.optional(words("One script, or one command, to test without any settings.")),
  dialect: v.optional(described(v.picklist(DIALECT_NAMES), "Read every hook's output by this dialect.")),
  defaults: v.optional(
    described(v.strictObject(SHARED_FIELDS), "What every case says that does not say otherwise."),
  ),
  cases: v.pipe(
    v.array(v.strictObject(CASE_FIELDS)),
    v.minLength(1, "at least one case"),
    v.description("The cases."),
  ),
} as const;

export const caseFileSchema = v.strictObject(CASE_FILE_FIELDS);

export type CaseFileData = v.InferOutput<typeof caseFileSchema>;
export type CaseData = CaseFileData["cases"][number];
export type Expectation = NonNullable<CaseData["expect"]>;
