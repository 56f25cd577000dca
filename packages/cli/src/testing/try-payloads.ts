import { type EventName, eventRow } from "@belay/core";
import { payloadFor } from "../payload-args.ts";
import { toolsIn } from "./guess-events.ts";

/** More payloads of one event nobody reads. */
const MAX_VARIANTS = 12;

/**
 * Calls that people write guards against, by a word of such a guard. Each does no harm if a script runs what it is given
 * to judge.
 */
const FEARED: readonly { readonly word: RegExp; readonly tool: string; readonly input: object }[] = [
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
 * input of, and calls of the kind it seems to guard against.
 */
export function attemptsFor(
  events: readonly EventName[],
  text: string,
  given: Readonly<Record<string, unknown>>,
  flags: { readonly cwd?: string; readonly session: string },
): Attempts {
  const isTold = given.tool_name !== undefined || given.tool_input !== undefined;
  const all = isTold ? [{}] : callsFor(text);
  const calls = all.slice(0, MAX_VARIANTS);
  const takesTool = (event: EventName) => "tool_name" in eventRow(event).input;
  const attempts = events.flatMap((event) => {
    const variants = takesTool(event) ? calls : [{}];
    return variants.map((call) => ({
      event,
      payload: payloadFor(event, flags, { ...given, ...call }, flags.session),
    }));
  });
  return { attempts, leftOut: events.some(takesTool) ? all.length - calls.length : 0 };
}

function callsFor(text: string): object[] {
  const tools = toolsIn(text);
  const feared = FEARED.filter(
    ({ word, tool }) => word.test(text) && (tools.length === 0 || tools.includes(tool)),
  ).map(({ tool, input }) => ({ tool_name: tool, tool_input: input }));
  const plain = tools.length > 0 ? tools.map((tool) => ({ tool_name: tool })) : [{}];
  return [...plain, ...feared];
}
