import type { Decided } from "./decide.ts";
import { diagnose, isTold } from "./tables/diagnostics/index.ts";
import type { DialectName } from "./tables/dialects.ts";
import { type Address, type EventName, eventRow } from "./tables/events.ts";
import { type Action, type Addition, isRefused } from "./tables/kinds.ts";
import { type Rule, ruleFor } from "./tables/rules.ts";
import { shorten } from "./text.ts";
import type {
  Block,
  Diagnostic,
  Message,
  Mutable,
  Outcome,
  Part,
  PartKind,
  Run,
  RunReport,
  Verdict,
} from "./types.ts";

/** The name on messages of the engine's own. */
export const ENGINE = "belay";

/** Who sees what (design §6): the address of every kind of text. */
const ADDRESSES: Record<PartKind, (rule: Rule) => readonly Address[]> = {
  "permission-reason": () => [{ to: "user", block: "text" }],
  "refusal-reason": (rule) => [rule.reason],
  "refusal-stderr": (rule) => [rule.stderr],
  notice: (rule) => [rule.stderr],
  "stop-reason": () => [{ to: "user", block: "error" }],
  context: () => [{ to: "agent", block: "hook" }],
  "plain-context": () => [{ to: "agent", block: "text" }],
  system: (rule) => rule.dialect.systemMessage.map((to) => ({ to, block: "warn" })),
  error: () => [{ to: "user", block: "error" }],
  transcript: () => [{ to: "user", block: "text" }],
  withheld: () => [{ to: "user", block: "warn" }],
};

/** One hook that fired, ready to be reported. */
export interface Fired {
  readonly source: string;
  readonly run: Run;
  readonly verdict: Verdict;
}

export interface RouteInput {
  readonly event: EventName;
  /** The Outcome's own dialect; each hook's messages follow the dialect of its file. */
  readonly dialect: DialectName;
  readonly fired: readonly Fired[];
  readonly decided: Decided;
  /** Diagnostics of the engine: config problems, untrusted hooks. */
  readonly extra?: readonly Diagnostic[];
}

/** Addresses every text, names the action, and puts the Outcome together. */
export function route({ event, dialect, fired, decided, extra = [] }: RouteInput): Outcome {
  const { decision } = decided;
  const enforced = fired.filter(({ verdict }) => !verdict.observed);
  const addressed = enforced.flatMap(({ verdict }) => addressParts(event, verdict));
  const kept = [...addressed, ...ownRefusal(decided)].filter((sent) => survives(sent, event, decided));
  const diagnostics = [
    ...extra,
    ...enforced.flatMap(({ verdict }) => verdict.diagnostics),
    ...fired.flatMap(({ verdict }) => (verdict.observed ? observed(verdict) : [])),
    ...decided.diagnostics,
  ];
  const outcome: Mutable<Outcome> = {
    event,
    dialect,
    action: actionOf(event, kept, decided),
    blocked: isRefused(decision.kind),
    decision,
    messages: [...kept.map(({ message }) => message), ...diagnostics.filter(isTold).map(warn)],
    runs: fired.map(report),
    diagnostics,
  };
  if (decided.updatedInput) outcome.updatedInput = decided.updatedInput;
  if (decided.updatedPrompt !== undefined) outcome.updatedPrompt = decided.updatedPrompt;
  if (decided.updatedToolOutput !== undefined) outcome.updatedToolOutput = decided.updatedToolOutput;
  return outcome;
}

interface Sent {
  readonly kind: PartKind;
  readonly message: Message;
}

function addressParts(event: EventName, verdict: Verdict): Sent[] {
  const rule = ruleFor(event, verdict.dialect, verdict.simulated);
  return verdict.parts.flatMap((part) =>
    addressesOf(part, rule).map((address) => ({
      kind: part.kind,
      message: { to: address.to, hook: verdict.hook, block: blockOf(address, part, event) },
    })),
  );
}

function addressesOf(part: Part, rule: Rule): readonly Address[] {
  const addresses = ADDRESSES[part.kind](rule);
  if (!part.userOnly) return addresses;
  return [{ to: "user", block: addresses[0]?.block ?? "warn" }];
}

function blockOf(address: Address, part: Part, event: EventName): Block {
  const { block: type } = address;
  if (type === "tool") return { type, content: part.text, success: false };
  if (type === "hook") return { type, content: part.text, hookEvent: event, metadata: { kind: part.kind } };
  return { type, content: part.text };
}

function ownRefusal({ refusal }: Decided): Sent[] {
  if (!refusal) return [];
  const block: Block = { type: "tool", content: refusal.text, success: false };
  return [{ kind: "refusal-reason", message: { to: "agent", hook: refusal.hook, block } }];
}

/** False for words to the agent beside a blocked prompt, context beside a stop, and the reason of a capped block. */
function survives({ kind, message }: Sent, event: EventName, { decision, capped }: Decided): boolean {
  const isContext = kind === "context" || kind === "plain-context";
  if (decision.kind === "stop" && isContext) return false;
  if (isRefused(decision.kind) && eventRow(event).erasesPrompt) return message.to === "user";
  if (capped && (kind === "refusal-reason" || kind === "refusal-stderr")) return false;
  return true;
}

function actionOf(event: EventName, sent: readonly Sent[], { decision }: Decided): Action {
  if (decision.kind === "stop") return "stop";
  const row = eventRow(event);
  if (isRefused(decision.kind) && row.exit2 !== "notice") return row.blockedAction;
  if (decision.kind === "ask") return "ask-user";
  if (sent.some(({ kind, message }) => message.block.type === "error" || kind === "notice"))
    return "error-displayed";
  if (sent.some(({ kind, message }) => isContextFor(kind, message))) return "context-injected";
  return "continue";
}

function isContextFor(kind: PartKind, { to }: Message): boolean {
  return to === "agent" && (kind === "context" || kind === "plain-context" || kind === "system");
}

function warn(diagnostic: Diagnostic): Message {
  // A message may end in a hook's own words, with their own full stop.
  const content = `${fileOf(diagnostic)}${diagnostic.message.replace(/\.$/, "")}. ${diagnostic.fix}`;
  return { to: "user", hook: diagnostic.hook ?? ENGINE, block: { type: "warn", content } };
}

/** The file of a diagnostic, unless the message or the hook's name says it. */
function fileOf({ hook, path = "", message }: Diagnostic): string {
  const isNamed = hook !== undefined || message.includes(path.replace(/:\d+$/, ""));
  return isNamed ? "" : `${path}: `;
}

/** The report of a hook that ran. */
export function report({ source, run, verdict }: Fired): RunReport {
  const adds = additionsOf(verdict);
  const { simulated } = verdict;
  const reported: Mutable<RunReport> = {
    hook: verdict.hook,
    source,
    dialect: verdict.dialect,
    ...run,
    read: verdict.read,
    verdict: verdict.kind,
  };
  if (simulated) reported.simulated = simulated;
  if (adds.length > 0) reported.adds = adds;
  if (verdict.fault !== undefined) reported.fault = verdict.fault;
  if (verdict.observed) reported.observed = true;
  return reported;
}

const REWRITES = ["updatedInput", "updatedPrompt", "updatedToolOutput", "updatedMCPToolOutput"] as const;

/** What a hook adds without deciding anything. */
export function additionsOf({ parts, ...verdict }: Verdict): Addition[] {
  const has = (...kinds: PartKind[]) => parts.some(({ kind }) => kinds.includes(kind));
  return [
    ...(REWRITES.some((field) => verdict[field] !== undefined) ? (["rewrite"] as const) : []),
    ...(has("context", "plain-context") ? (["context"] as const) : []),
    ...(has("system") ? (["message"] as const) : []),
  ];
}

/** A hook may print much; the journal has all of it. */
const MAX_WORDS = 200;

/** What is done with a text that is neither the words of a decision nor raw stdout. */
const DONE: Partial<Record<PartKind, string>> = {
  context: "added context",
  "plain-context": "added context",
  system: "shown a message",
  error: "shown an error",
  notice: "shown an error",
};

/** What a hook in observe mode would have done, if anything (design §7). */
function observed({ hook, kind, reason, parts, ...rewrites }: Verdict): Diagnostic[] {
  const { updatedInput, updatedPrompt, updatedToolOutput, updatedMCPToolOutput } = rewrites;
  const done = [
    ...(kind === "abstain" ? [] : [withWords(`said ${kind}`, reason)]),
    ...(updatedInput === undefined ? [] : ["rewritten the input"]),
    ...(updatedPrompt === undefined ? [] : [withWords("rewritten the prompt", updatedPrompt)]),
    ...((updatedToolOutput ?? updatedMCPToolOutput) === undefined ? [] : ["rewritten the tool's result"]),
    ...parts.flatMap(({ kind: part, text }) => (DONE[part] ? [withWords(DONE[part], text)] : [])),
  ];
  return done.length === 0 ? [] : [diagnose("observed", { done: done.join("; ") }, { hook })];
}

function withWords(what: string, words: string | undefined): string {
  return words === undefined ? what : `${what}: ${shorten(words, MAX_WORDS)}`;
}
