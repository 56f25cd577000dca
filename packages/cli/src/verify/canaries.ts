import { ENGINE, type EventName } from "@belay/core";
import { shellWord } from "@belay/core/internal";
import { abilitiesOf, type Harness } from "@belay/harness";

/** What a hook of ours wants in a session of a real agent. The order is that of the session. */
export const CANARIES = ["context", "rewrite", "ask", "deny", "stop"] as const;

export type Canary = (typeof CANARIES)[number];

/** Before them a call that has to run, or nothing is proven; after them one that must not run after a stop. */
const CONTROL = "control";
const AFTER = "after";
/** The call that a rewrite turns into. */
const REWRITTEN = "rewritten";

export type Result = "obeyed" | "not obeyed" | "not expressible" | "not verified";

export interface Proof {
  readonly result: Result;
  readonly why: string;
}

/** What was seen of one session. */
export interface Seen {
  /** The calls that ran, and those that our hook was asked about, by the word of their canary. */
  readonly ran: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  /** Context of our hook has reached the model. */
  readonly isTold: boolean;
}

/** A canary at an event of an agent: undefined where its answers cannot say such a thing at all. */
interface Placed {
  readonly canary: Canary;
  readonly event: EventName;
}

/** The agent's own names of events, as its driver has them. */
export interface Moments {
  readonly pre: string;
  readonly prompt: string;
  readonly post: string;
  readonly start?: string;
}

/** Where a canary can be put: the call, or for context the first measured event whose answer carries it. */
export function placed(harness: Harness, moments: Moments): Placed[] {
  const { pre, prompt, post, start } = moments;
  return CANARIES.flatMap((canary) => {
    const natives = canary === "context" ? [pre, post, prompt, start] : [pre];
    const isThere = (native: string | undefined) => {
      if (native === undefined || harness.events[native]?.documented) return false;
      const ability = abilitiesOf(harness, native)[canary];
      return ability === "yes" || ability === "deny";
    };
    const event = harness.events[natives.find(isThere) ?? ""]?.event;
    return event === undefined ? [] : [{ canary, event }];
  });
}

export function fileOf(word: string): string {
  return `canary-${word}`;
}

/** The words of the calls of a session, in their order. */
export function callsOf(canaries: readonly Canary[]): string[] {
  return [CONTROL, ...canaries, ...(canaries.includes("stop") ? [AFTER] : [])];
}

export const ALL_CALLS: readonly string[] = [CONTROL, ...CANARIES, AFTER, REWRITTEN];

/** Our settings in the scratch project: one hook, at the event of calls and at that of context. */
export function settingsFor(
  placings: readonly Placed[],
  call: EventName,
  program: readonly string[],
): string {
  const entry = (words: readonly string[]) => [
    { hooks: [{ type: "command", command: [...program, ...words].map(shellWord).join(" "), name: ENGINE }] },
  ];
  const events = new Set([call, ...placings.map(({ event }) => event)]);
  const wordsAt = (at: EventName) => placings.flatMap(({ canary, event }) => (event === at ? [canary] : []));
  const hooks = [...events].map((event) => [
    event,
    entry([...(event === call ? [CONTROL, AFTER] : []), ...wordsAt(event)]),
  ]);
  return `${JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}

/** The hook. It writes down what it was asked about, and says what is wanted of that; it stands alone in the scratch project. */
export function hookText(seen: string, token: string): string {
  return `import { appendFileSync, readFileSync } from "node:fs";
const text = readFileSync(0, "utf8");
const sent = JSON.parse(text);
const words = process.argv.slice(2);
const word = words.find((each) => text.includes("canary-" + each)) ?? (sent.tool_name ? "" : words.at(-1));
const say = (fields) => process.stdout.write(JSON.stringify(fields));
const answer = (fields) => say({ hookSpecificOutput: { hookEventName: sent.hook_event_name, ...fields } });
appendFileSync(${JSON.stringify(seen)}, word + "\\n");
if (word === "context") answer({ additionalContext: ${JSON.stringify(token)} });
if (word === "rewrite") {
  const other = JSON.stringify(sent.tool_input).replaceAll("canary-rewrite", "canary-${REWRITTEN}");
  answer({ updatedInput: JSON.parse(other) });
}
if (word === "ask" || word === "deny") answer({ permissionDecision: word, permissionDecisionReason: "It is a canary." });
if (word === "stop") say({ continue: false, stopReason: "It is a canary." });
`;
}

/** What became of a canary; undefined: the session did not come so far. */
export function judge(canary: Canary, { ran, asked, isTold }: Seen): Proof | undefined {
  const lost = (why: string): Proof => ({ result: "not obeyed", why });
  const obeyed = (why: string): Proof => ({ result: "obeyed", why });
  if (!asked.has(canary))
    return ran.has(canary) ? lost("the call ran, and our hook was not asked") : undefined;
  if (canary === "context")
    return isTold ? obeyed("the model was told") : lost("no request to the model had it");
  if (ran.has(canary)) return lost("the call ran all the same");
  // A call that does not run says nothing where no call does.
  if (!ran.has(CONTROL)) return undefined;
  if (canary === "stop" && ran.has(AFTER)) return lost("the next call ran");
  if (canary === "rewrite" && ran.has(REWRITTEN)) return obeyed("it ran as rewritten");
  return obeyed("it did not run");
}
