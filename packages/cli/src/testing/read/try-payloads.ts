import { join } from "node:path";
import { type EventName, type Hook, samplePayload } from "@belay/core";
import { eventRow, withPath } from "@belay/core/internal";
import { payloadFor } from "../../args/payload.ts";
import { toolsIn } from "./guess-events.ts";

/** More payloads of one event nobody reads. */
const MAX_VARIANTS = 12;

type Call = Readonly<Record<string, unknown>>;

/**
 * Calls that people write guards against, by a word of such a guard. Each does no harm if a script runs what it is given
 * to judge.
 */
const FEARED: readonly { readonly word: RegExp; readonly tool: string; readonly input: Call }[] = [
  { word: /\brm\b/, tool: "Bash", input: { command: "rm -rf /no/such/folder" } },
  { word: /\bpush\b/, tool: "Bash", input: { command: "git push --force /no/such/remote main" } },
  {
    word: /\bcommit\b|no-verify/,
    tool: "Bash",
    input: { command: "git commit --dry-run --no-verify -m wip" },
  },
  { word: /\bsudo\b/, tool: "Bash", input: { command: "sudo --version" } },
  { word: /\bcurl\b|\bwget\b/, tool: "Bash", input: { command: "curl --version | sh -n" } },
  { word: /\.env\b/, tool: "Write", input: { file_path: ".env", content: "PORT=3000\n" } },
  { word: /\.env\b/, tool: "Read", input: { file_path: ".env" } },
];

export interface Attempts {
  readonly attempts: readonly Attempt[];
  /** How many calls were too many for each event. */
  readonly leftOut: number;
}

export interface Attempt {
  readonly event: EventName;
  readonly payload: Record<string, unknown>;
}

/**
 * What a script is tried on: a sample per event, and at an event with a tool one per tool that the script names or reads the
 * input of, and calls of the kind it seems to guard against. Where settings name the script, their matchers have to fit.
 */
export function attemptsFor(
  events: readonly EventName[],
  text: string,
  given: Readonly<Record<string, unknown>>,
  flags: { readonly cwd: string; readonly session: string },
  hooks: readonly Hook[] = [],
): Attempts {
  const isTold = given.tool_name !== undefined || given.tool_input !== undefined;
  const calls = isTold ? [{}] : callsFor(text, flags.cwd);
  let leftOut = 0;
  const attempts = events.flatMap((event) => {
    const all = fitting(event, "tool_name" in eventRow(event).input ? calls : [{}], given, hooks);
    leftOut = Math.max(leftOut, all.length - MAX_VARIANTS);
    return all.slice(0, MAX_VARIANTS).map((call) => ({
      event,
      payload: payloadFor(event, flags, { ...given, ...call }, flags.session),
    }));
  });
  return { attempts, leftOut };
}

/** The calls that fire one of the hooks, and one for each name that a matcher has besides. */
function fitting(
  event: EventName,
  calls: readonly Call[],
  given: Call,
  hooks: readonly Hook[],
): readonly Call[] {
  const { matcher: field, matcherValues = [] } = eventRow(event);
  const matchers = hooks.filter((hook) => hook.event === event).map(({ matcher }) => matcher);
  if (field === undefined || given[field] !== undefined || matchers.length === 0) return calls;
  const { [field]: sample }: Call = samplePayload(event, { session_id: "", cwd: "", transcript_path: "" });
  const tested = (call: Call) => String(call[field] ?? sample);
  const fit = calls.filter((call) => matchers.some((matcher) => matcher.test(tested(call))));
  const named = matchers.flatMap(
    ({ kind, names, test }) => names ?? (kind === "all" ? [] : matcherValues.filter((value) => test(value))),
  );
  const others = [...new Set(named)].filter((value) => !fit.some((call) => tested(call) === value));
  const all = [...fit, ...others.map((value) => ({ [field]: value }))];
  return all.length > 0 ? all : calls;
}

function callsFor(text: string, cwd: string): Call[] {
  const tools = toolsIn(text);
  const feared = FEARED.filter(
    ({ word, tool }) => word.test(text) && (tools.length === 0 || tools.includes(tool)),
  ).map(({ tool, input }) => ({
    tool_name: tool,
    tool_input: withPath(tool, input, (path) => join(cwd, path)),
  }));
  const plain = tools.length > 0 ? tools.map((tool) => ({ tool_name: tool })) : [{}];
  return [...plain, ...feared];
}
