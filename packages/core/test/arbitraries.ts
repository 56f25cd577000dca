import { constants } from "node:os";
import {
  ANSWER_FIELDS,
  COMMON_FIELDS,
  DIALECT_NAMES,
  EVENT_NAMES,
  type EventName,
  type HookTerms,
  type Run,
} from "@belay/core";
import { COMMON_EVENT_NAMES, eventRow } from "@belay/core/internal";
import fc from "fast-check";
import type { AnswerField, FURTHER_COMMON_FIELDS } from "../src/tables/fields.ts";

/*
 * What hooks print, from noise to almost right. `MARK` is in every text that a hook may put into its JSON, so that a
 * test can say where such texts went.
 */

export const MARK = "MARKED";

/** The common events come oftener: a row of the table that shares their cells adds little. */
export const anyEvent: fc.Arbitrary<EventName> = fc.oneof(
  { arbitrary: fc.constantFrom(...COMMON_EVENT_NAMES), weight: 3 },
  { arbitrary: fc.constantFrom(...EVENT_NAMES), weight: 1 },
);
export const anyDialect = fc.constantFrom(...DIALECT_NAMES);

export const anyTerms: fc.Arbitrary<HookTerms> = fc.record({
  name: fc.constantFrom("guard", "a hook with spaces", "PreToolUse[0.0] ./guard.sh"),
  onFailure: fc.constantFrom("continue", "block"),
  mode: fc.constantFrom("enforce", "enforce", "enforce", "observe"),
});

const anyText = fc.oneof(
  fc.constantFrom(`${MARK} words`, `${MARK} "quoted" {braces} \\`, `${MARK}\n\u2028é 😀`, ` ${MARK} `),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => MARK + text),
);

/** Strings as JavaScript allows them: lone surrogates, control characters, byte order marks. */
export const anyNoise = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new TextDecoder().decode(bytes)),
  fc
    .array(fc.constantFrom(...'{}[]"\\:,\n 1', "\ud800", "\uFEFF", "{}", "null"), { maxLength: 12 })
    .map((pieces) => pieces.join("")),
);

const wrongValue = fc.oneof(
  fc.constantFrom(null, "", 0, 1, -1.5, true, false, "yes", [], {}, [`${MARK}`], { a: `${MARK}` }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  fc.constantFrom(...EVENT_NAMES),
);

/** A right value, and now and then a wrong one. */
const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: right, weight: 25 }, { arbitrary: wrongValue, weight: 1 });

const anyInput = fc.dictionary(
  fc.constantFrom("command", "file_path", "__proto__", "constructor"),
  fc.oneof(anyText, fc.integer()),
);
const anyPermission = fc.constantFrom("allow", "allow", "deny", "deny", "ask", "ask", "defer");
const anyLongAnswer = fc.record(
  {
    behavior: mostly(anyPermission),
    message: mostly(anyText),
    updatedInput: mostly(anyInput),
    interrupt: mostly(fc.boolean()),
    updatedPermissions: mostly(fc.constant([{ type: "setMode", mode: "plan" }])),
  },
  { requiredKeys: [] },
);

/** Right values by field name, for both levels; `mostly` puts a wrong one in now and then. */
const VALUES: Record<
  keyof typeof COMMON_FIELDS | keyof typeof FURTHER_COMMON_FIELDS | AnswerField,
  fc.Arbitrary<unknown>
> = {
  continue: fc.boolean(),
  stopReason: anyText,
  systemMessage: anyText,
  suppressOutput: fc.boolean(),
  permissionDecision: anyPermission,
  permissionDecisionReason: anyText,
  updatedInput: anyInput,
  updatedPrompt: anyText,
  additionalContext: anyText,
  decision: fc.oneof(fc.constantFrom("block", "approve"), anyLongAnswer),
  reason: anyText,
  terminalSequence: anyText,
  updatedToolOutput: fc.oneof(anyText, anyInput),
  updatedMCPToolOutput: anyText,
  classifierContext: anyText,
  sessionTitle: anyText,
  initialUserMessage: anyText,
  watchPaths: fc.array(anyText, { maxLength: 2 }),
  reloadSkills: fc.boolean(),
  suppressOriginalPrompt: fc.boolean(),
  displayContent: anyText,
  retry: fc.boolean(),
  worktreePath: anyText,
  action: fc.constantFrom("accept", "decline", "cancel"),
  content: anyInput,
};

const ODD_FIELDS = ["permisionDecision", "system_message", "constructor", "toString", "hookEventName", "x"];

function fields(names: readonly string[]): Record<string, fc.Arbitrary<unknown>> {
  const values = VALUES as Record<string, fc.Arbitrary<unknown>>;
  return Object.fromEntries(
    names.map((name) => [
      name,
      mostly(Object.hasOwn(values, name) ? (values[name] as fc.Arbitrary<unknown>) : anyText),
    ]),
  );
}

/** What the event may answer, and now and then what others may. */
const anySpecific = (event: EventName) => {
  const { answers, further = [] } = eventRow(event);
  const own = [...new Set([...answers, ...further])];
  const all = [...new Set([...Object.keys(ANSWER_FIELDS), ...own]), "retry", ...ODD_FIELDS, "systemMessage"];
  return fc
    .oneof(
      fc.record(fields(own), { requiredKeys: [] }),
      fc.record(fields([...new Set(all)]), { requiredKeys: [] }),
    )
    .chain((rest) =>
      fc
        .oneof(
          { arbitrary: fc.constant({ hookEventName: event as unknown }), weight: 6 },
          { arbitrary: fc.constant({}), weight: 1 },
          { arbitrary: wrongValue.map((hookEventName) => ({ hookEventName })), weight: 1 },
        )
        .map((named) => ({ ...rest, ...named })),
    );
};

/** A hook's JSON, nearly right: known fields, mostly of the right type, at the right or the wrong level. */
export const nearlyRight = (event: EventName): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.record(fields([...Object.keys(COMMON_FIELDS), "terminalSequence"]), { requiredKeys: [] }),
      fc.record(fields(["decision", "reason"]), { requiredKeys: [] }),
      fc.record(fields(["permissionDecision", "additionalContext", ...ODD_FIELDS]), { requiredKeys: [] }),
      fc.option(mostly(anySpecific(event)), { nil: undefined }),
      fc.nat(7),
    )
    .map(([common, decided, misplaced, specific, lot]) => ({
      ...common,
      ...(lot < 4 && decided),
      ...(lot === 0 && misplaced),
      ...(specific !== undefined && { hookSpecificOutput: specific }),
    }));

/** The same object as text, in the many ways a program may write it. */
export const asJson = (object: Record<string, unknown>): fc.Arbitrary<string> =>
  fc.constantFrom("plain", "pretty", "twice", "proto", "deep").map((how) => {
    const text = JSON.stringify(object);
    const inner = text.slice(1, -1);
    if (how === "pretty") return JSON.stringify(object, null, 2);
    if (how === "twice" && inner !== "") return `{${inner},${inner}}`;
    if (how === "proto") return `{"__proto__":{"decision":"approve"}${inner === "" ? "" : `,${inner}`}}`;
    if (how === "deep")
      return `{"deep":${"[".repeat(120)}${"]".repeat(120)}${inner === "" ? "" : `,${inner}`}}`;
    return text;
  });

const nearlyJson = (event: EventName): fc.Arbitrary<string> => nearlyRight(event).chain(asJson);

/** Text around JSON that holds no JSON of its own. */
export const BANNERS = [
  "Welcome to zsh 5.9",
  "```json",
  "[12:00] INFO guard.sh",
  "loading … done",
  "a: 1, b: 2",
  "'",
];
/** Text that begins something and never ends it. */
export const OPENERS = [...'{["}\\', '{"', '{"x":', '{"x":[1,', '{"x":"y', "{}", '{"a":1,}', "{ x }"];

const LINE = fc.constantFrom(...BANNERS, ...OPENERS);

const damaged = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.nat(text.length).map((end) => text.slice(0, end)),
    fc
      .tuple(
        fc.nat(text.length),
        fc.constantFrom("", "{", "}", '"', ",", "\\", "\n", "\u0000", "x", "\ud83d"),
      )
      .map(([at, piece]) => text.slice(0, at) + piece + text.slice(at + 1)),
  );

/** Anything a hook may print on stdout when this event fires. */
export const anyStdout = (event: EventName): fc.Arbitrary<string> => {
  const json = nearlyJson(event);
  return fc.oneof(
    anyNoise,
    json,
    json.map((text) => `\uFEFF \n${text}\n`),
    json.chain(damaged),
    fc.tuple(LINE, json, LINE).map(([before, text, after]) => `${before}\n${text}\n${after}`),
    fc.tuple(LINE, json).map(([before, text]) => before + text),
    fc.tuple(json, json, LINE).map(([a, b, after]) => `${a}${b}${after}`),
    fc.tuple(anyNoise, json, anyNoise).map((parts) => parts.join("")),
  );
};

const anyFailure = fc.record({
  kind: fc.constantFrom("start", "timeout", "signal", "abort", "http", "throw", "prompt"),
  detail: fc.oneof(fc.constantFrom("after 60 s", "SIGKILL", "ENOENT"), fc.string({ maxLength: 20 })),
});
const anyStreams = fc.constantFrom(["stdout"], ["stderr"], ["stdout", "stderr"]);

/** How a hook ended: any exit code or none, signals, failures, cut and garbled streams, in any combination. */
export const anyEnding = fc
  .record(
    {
      exitCode: fc.oneof(fc.constantFrom(0, 0, 0, 2, 2, 1, 126, 127, 255), fc.integer({ min: -1, max: 300 })),
      signal: fc.constantFrom(...Object.keys(constants.signals)),
      failure: anyFailure,
      cut: anyStreams,
      notUtf8: anyStreams,
      cap: fc.integer({ min: 1, max: 102_400 }),
      executionTime: fc.double({ min: 0, max: 1e6, noNaN: true }),
      timedOut: fc.boolean(),
    },
    { requiredKeys: ["executionTime"] },
  )
  .map((ending) => ending as Partial<Run>);

/** Endings of a hook that ended by itself. */
export const ownEnding: fc.Arbitrary<Partial<Run>> = fc
  .constantFrom(0, 0, 2, 1, 255)
  .map((exitCode) => ({ exitCode }));

const anyStderr = fc.oneof(fc.constantFrom("", "", "no\n", "  "), anyNoise);

export function runOf(ending: Partial<Run>, stdout: string, stderr: string): Run {
  return {
    executionTime: 1,
    timedOut: false,
    truncated: ending.cut !== undefined,
    ...ending,
    stdout,
    stderr,
  };
}

export const anyRun = (event: EventName): fc.Arbitrary<Run> =>
  fc
    .tuple(fc.oneof(ownEnding, anyEnding), anyStdout(event), anyStderr)
    .map(([ending, stdout, stderr]) => runOf(ending, stdout, stderr));
