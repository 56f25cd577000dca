import { applyOutcome, type Outcome, type PendingPermission, type PermissionDecision } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { Conversation, ToolPatch } from "../conversation/conversation.ts";
import type { Ruling } from "../permissions/rules.ts";
import { OUTSIDE, outlastsAllow, type Settled, settle } from "../permissions/settle.ts";
import type { Tool } from "../tools/tool.ts";
import type { Answer, PermissionMode, TurnEnd } from "../types.ts";
import type { Parts } from "./compose.ts";
import type { Notifier } from "./live.ts";
import type { Schedule } from "./loop.ts";
import type { HookedCall, Moments } from "./moments.ts";
import { ended, unlessClosed, whyNotRun } from "./thread.ts";

/** run: the call runs with this input. refused: its result says why it does not. ended: the turn is over. */
export type Permitted =
  | { readonly kind: "run"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused" }
  | { readonly kind: "ended"; readonly end: TurnEnd };

/** Asks the rules, hooks in the user's place, and the user whether a call may run that PreToolUse hooks let pass. */
export type Permit = (wish: Wish) => Promise<Permitted>;

/** Asks again what was asked when the process ended, unless rules or mode answer it now. Hooks are not asked again. */
export type AskAgain = (tool: Tool, pending: PendingPermission, schedule: Schedule) => Promise<Permitted>;

interface Wish {
  readonly tool: Tool;
  /** With the input that would run. */
  readonly call: HookedCall;
  /** What PreToolUse hooks said of it. */
  readonly hooks: Outcome;
  readonly schedule: Schedule;
}

/** What a permission needs of the agent around it. */
export interface Asking {
  readonly conversation: Conversation;
  readonly moments: Moments;
  readonly notify: Notifier["notify"];
  readonly mode: () => PermissionMode;
  readonly judge: (tool: Tool, input: Readonly<Record<string, unknown>>) => Judged;
  /** Pauses until the user has decided. Absent: nobody is there to be asked. */
  readonly ask:
    | ((pending: PendingPermission, closed: AbortSignal) => Promise<PermissionDecision | Unasked>)
    | undefined;
}

/** The question could not be asked because too many are open. Nobody has said no, so the turn goes on. */
interface Unasked {
  readonly refused: string;
}

/** What the user's rules say of an input, and whether it reaches outside of the working folder. */
interface Judged {
  readonly ruling: Ruling | undefined;
  readonly isOutside: boolean;
}

export function permitBy(asking: Asking): Permit {
  return async (wish) => {
    const { tool, call, hooks, schedule } = wish;
    const settled = settleCall(asking, tool, call.input, hooks);
    if (settled.kind === "allow") return { kind: "run", input: call.input };
    if (settled.kind === "deny") return refuse(asking, call.id, settled.reason);
    const answered = await askHooks(asking, wish, settled);
    if ("kind" in answered) return answered;
    const pending = pendingFor(asking, call, answered);
    return askUser(asking, tool, pending, schedule);
  };
}

function settleCall(
  asking: Asking,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  hooks: Outcome | undefined,
): Settled {
  const kind = hooks?.decision.kind;
  return settle({
    hook: kind === "allow" || kind === "ask" ? kind : "none",
    ...asking.judge(tool, input),
    toolKind: tool.kind,
    mode: asking.mode(),
  });
}

type Question = Extract<Settled, { kind: "ask" }>;

/** What the user is to be asked, and what hooks say of this input. */
interface Open {
  readonly input: HookedCall["input"];
  readonly question: Question;
  readonly hooks: Outcome | undefined;
}

/** PermissionRequest hooks stand in the user's place, except for a question that the user's own rule raised. */
async function askHooks(
  asking: Asking,
  { tool, call, hooks, schedule }: Wish,
  question: Question,
): Promise<Permitted | Open> {
  const outcome = await unlessClosed(asking.moments.permission(call, schedule.closed), schedule.closed);
  if (!outcome) return refuse(asking, call.id, whyNotRun(schedule.closed));
  applyOutcome(outcome, { toolId: call.id }, asking.conversation);
  const { kind, reason, interrupt } = outcome.decision;
  if (kind === "stop") {
    refuse(asking, call.id, "Not run: a hook stopped the agent.");
    return end(asking, "stopped", reason);
  }
  if (outcome.blocked && interrupt) return end(asking, "denied", reason);
  if (outcome.blocked) return { kind: "refused" };
  const input = outcome.updatedInput ?? call.input;
  if (outcome.updatedInput) asking.conversation.changeTool(call.id, rewriteOf(outcome, input));
  // The rules are asked again: the user may have allowed the tool meanwhile, and a hook may have changed the input. A question
  // that a rule of the user raised stays, whatever input a hook puts in place.
  const now = verdictAfter(hooks, outcome);
  const again = settleCall(asking, tool, input, now);
  if (again.kind === "deny") return refuse(asking, call.id, again.reason);
  const mayHooksAllow = question.mayHooksAllow && (again.kind === "allow" || again.mayHooksAllow);
  if (kind === "allow" && mayHooksAllow) return { kind: "run", input };
  const stays = !question.mayHooksAllow && outcome.updatedInput !== undefined;
  if (again.kind === "allow" && !stays) return { kind: "run", input };
  const isReplaced = again.kind === "ask" && !(stays && again.mayHooksAllow);
  return { input, question: isReplaced ? again : question, hooks: now };
}

/** What hooks say after PermissionRequest. An ask stays; a rewrite voids an allow, which was for the input it saw (design §5). */
function verdictAfter(before: Outcome, request: Outcome): Outcome | undefined {
  const asks = [before, request].find(({ decision }) => decision.kind === "ask");
  return asks ?? (request.updatedInput ? undefined : before);
}

/** The input that runs instead, and the hook that set it. Of several hooks the last configured one counts. */
export function rewriteOf({ runs }: Outcome, updatedInput: HookedCall["input"]): ToolPatch {
  const by = runs.findLast(({ adds, observed }) => !observed && adds?.includes("rewrite"));
  return { updatedInput, ...(by && { rewriter: by.hook }) };
}

export function askAgainBy(asking: Asking): AskAgain {
  return async (tool, pending, schedule) => {
    const input = pending.updatedInput ?? pending.toolInput;
    const hook = pending.hook === undefined ? "none" : "ask";
    const settled = settle({ hook, ...asking.judge(tool, input), toolKind: tool.kind, mode: asking.mode() });
    const stays = outlastsAllow(pending);
    if (settled.kind === "allow" && !stays) return { kind: "run", input };
    if (settled.kind === "deny") return refuse(asking, pending.id, settled.reason);
    // The question stays open for the next resume with somebody there.
    if (!asking.ask) return end(asking, "unanswered", withoutAnswer(pending));
    const question = settled.kind === "allow" || stays ? pending : askedNow(pending, settled);
    return askUser(asking, tool, question, schedule);
  };
}

/** The question with the reason of now. The words of a hook that wants the user asked stay. */
function askedNow(pending: PendingPermission, { by, reason }: Question): PendingPermission {
  return { ...pending, by, ...(pending.hook === undefined && { reason }) };
}

async function askUser(
  asking: Asking,
  tool: Tool,
  pending: PendingPermission,
  schedule: Schedule,
): Promise<Permitted> {
  const { ask } = asking;
  if (!ask) return nobodyThere(asking, pending);
  const { turn, asked, closed, place } = schedule;
  place.leave();
  await turn;
  if (closed.aborted) return refuse(asking, pending.id, whyNotRun(schedule.closed));
  const { conversation } = asking;
  const { id, toolName, updatedInput, toolInput } = pending;
  const input = updatedInput ?? toolInput;
  const shown = asking.judge(tool, input);
  conversation.changeTool(id, { stage: "asking" });
  asking.notify("permission_prompt", `Waiting for your permission to use ${toolName}`);
  const answering = ask(pending, closed);
  asked();
  const answered = await answering;
  if ("refused" in answered) return refuse(asking, id, answered.refused);
  const { decision, reason } = answered;
  if (decision === "allow") {
    await place.take();
    const outdated = whyOutdated(shown, asking.judge(tool, input));
    return outdated === undefined ? { kind: "run", input } : refuse(asking, id, outdated);
  }
  // The queue denies open questions when the turn ends. Such a denial is not the user's.
  if (closed.aborted) return refuse(asking, id, whyNotRun(schedule.closed));
  const result = `The user did not allow this${reason ? `: ${reason}` : "."}`;
  conversation.changeTool(id, { stage: "done", success: false, result });
  return end(asking, "denied", reason);
}

/** Why the user's allow no longer counts: rules or links may have changed while the question was open. */
function whyOutdated(shown: Judged, { ruling, isOutside }: Judged): string | undefined {
  if (ruling?.kind === "deny") return ruling.reason;
  return isOutside && !shown.isOutside
    ? `Not run: other than when the user was asked, ${OUTSIDE}.`
    : undefined;
}

/** The agent reads the result, so the result leaves out a hook's reason to ask, which is for the user alone (design §6). */
function nobodyThere(asking: Asking, pending: PendingPermission): Permitted {
  const { id, toolName, hook } = pending;
  const detail = withoutAnswer(pending);
  const result = hook === undefined ? detail : withoutAnswer({ toolName });
  asking.conversation.changeTool(id, { stage: "done", success: false, result });
  return end(asking, "unanswered", detail);
}

function withoutAnswer({ toolName, reason }: Pick<PendingPermission, "toolName" | "reason">): string {
  return `${toolName} needs a permission, and nobody is there to give it${reason ? `: ${reason}` : ""}`;
}

function refuse({ conversation }: Asking, id: string, reason: string): Permitted {
  conversation.changeTool(id, { stage: "done", success: false, result: reason });
  return { kind: "refused" };
}

function end(asking: Asking, reason: "stopped" | "denied" | "unanswered", detail?: string): Permitted {
  return { kind: "ended", end: ended(asking, reason, detail) };
}

/** The question as the user sees it, with the model's input and the input that would run instead. */
function pendingFor(
  { conversation }: Asking,
  { id, name }: HookedCall,
  { input, question: { by, reason }, hooks }: Open,
): PendingPermission {
  const given = conversation.toolBlock(id)?.input ?? input;
  const byHook = hooks?.decision.kind === "ask" ? hooks.decision : undefined;
  return {
    id,
    toolName: name,
    toolInput: { ...given },
    ...(input !== given && { updatedInput: { ...input } }),
    reason: byHook?.reason ?? reason,
    ...(byHook?.hook !== undefined && { hook: byHook.hook }),
    by,
    timestamp: Date.now(),
  };
}

/** The rules that "always" stores for a call; none when no rule can allow just this. */
export function rulesFor({ thread, settings }: Parts, pending: PendingPermission): readonly string[] {
  const tool = thread.tools.find(({ name }) => name === pending.toolName);
  return tool ? settings.rulesFor(tool, inputOf(pending)) : [];
}

const KINDS: readonly Answer["kind"][] = ["once", "session", "always", "deny"];

/** Applies the user's answer to a question, and to other open questions that it answers as well. */
export function answerQuestion(parts: Parts, id: string, answer: Answer): void {
  const { queue, settings } = parts;
  const pending = queue.pending.find((question) => question.id === id);
  if (!pending) return;
  const { kind, reason } = answer;
  if (!KINDS.includes(kind)) throw new TypeError(`an answer is ${KINDS.join(", ")}, not ${String(kind)}`);
  const rules = rulesFor(parts, pending);
  queue.decide(id, { decision: kind === "deny" ? "deny" : "allow", ...(reason !== undefined && { reason }) });
  if (kind === "session") settings.allowForSession(pending.toolName);
  if (kind === "always") store(parts, rules);
  if (kind !== "session" && kind !== "always") return;
  for (const other of queue.pending)
    if (isSpared(parts, other)) queue.decide(other.id, { decision: "allow" });
}

/** Stores rules. If that fails, the call stays allowed once, and the user is told. */
function store({ settings, session }: Parts, rules: readonly string[]): void {
  try {
    for (const rule of rules) settings.allowAlways(rule);
  } catch (error) {
    const words = messageOf(error);
    session.conversation.addWarnBlock(`Allowed this once: the rule could not be stored. ${words}`);
  }
}

/** True if rules and mode now allow what the question is about. A question of a hook, or one that outlasts an allow, stays. */
function isSpared({ thread, settings, live }: Parts, question: PendingPermission): boolean {
  const tool = thread.tools.find(({ name }) => name === question.toolName);
  if (!tool || question.hook !== undefined || outlastsAllow(question)) return false;
  const judged = settings.judge(tool, inputOf(question));
  return settle({ hook: "none", ...judged, toolKind: tool.kind, mode: live.mode }).kind === "allow";
}

function inputOf({ updatedInput, toolInput }: PendingPermission): Record<string, unknown> {
  return updatedInput ?? toolInput;
}
