import { applyOutcome, type Outcome, type PendingPermission } from "@belay/core";
import { messageOf } from "@belay/core/internal";
import type { ToolPatch } from "../conversation/conversation.ts";
import { OUTSIDE, outlastsAllow, type Settled, settle } from "../permissions/settle.ts";
import type { Tool } from "../tools/tool.ts";
import type { Answer, TurnEnd } from "../types.ts";
import type { Parts } from "./compose.ts";
import type { HookedCall } from "./moments.ts";
import { ended, type Thread, unlessClosed, whyNotRun } from "./thread.ts";

/** What is to become of a call. refused: its result says why it does not run. ended: the turn is over. */
export type Considered =
  | { readonly kind: "run"; readonly tool: Tool; readonly call: HookedCall }
  | { readonly kind: "refused" }
  | { readonly kind: "ended"; readonly end: TurnEnd }
  | OpenQuestion;

/** The user is to be asked whether the call runs. */
export interface OpenQuestion {
  readonly kind: "ask";
  readonly tool: Tool;
  /** With the input that would run. */
  readonly call: HookedCall;
  readonly pending: PendingPermission;
  /** What the rules said of the call when the question came up. */
  readonly judged: Judged;
}

type Judged = ReturnType<Thread["judge"]>;

/** Asks the rules, and hooks in the user's place, whether a call may run that PreToolUse hooks let pass. */
export async function permit(
  thread: Thread,
  tool: Tool,
  call: HookedCall,
  hooks: Outcome,
  closed: AbortSignal,
): Promise<Considered> {
  const settled = settleCall(thread, tool, call.input, hooks);
  if (settled.kind === "allow") return { kind: "run", tool, call };
  if (settled.kind === "deny") return refuse(thread, call.id, settled.reason);
  // PermissionRequest hooks stand in the user's place, except for a question that the user's own rule raised.
  const outcome = await unlessClosed(thread.moments.permission(call, closed), closed);
  if (!outcome) return refuse(thread, call.id, whyNotRun(closed));
  applyOutcome(outcome, { toolId: call.id }, thread.conversation);
  const { kind, reason, interrupt } = outcome.decision;
  if (kind === "stop") {
    refuse(thread, call.id, "Not run: a hook stopped the agent.");
    return end(thread, "stopped", reason);
  }
  if (outcome.blocked && interrupt) return end(thread, "denied", reason);
  if (outcome.blocked) return { kind: "refused" };
  const input = outcome.updatedInput ?? call.input;
  if (outcome.updatedInput) thread.conversation.changeTool(call.id, rewriteOf(outcome, input));
  // The rules are asked again: the user may have allowed the tool meanwhile, and a hook may have changed the input. A question
  // that a rule of the user raised stays, whatever input a hook puts in place.
  const now = verdictAfter(hooks, outcome);
  const again = settleCall(thread, tool, input, now);
  if (again.kind === "deny") return refuse(thread, call.id, again.reason);
  const mayHooksAllow = settled.mayHooksAllow && (again.kind === "allow" || again.mayHooksAllow);
  if (kind === "allow" && mayHooksAllow) return { kind: "run", tool, call: { ...call, input } };
  const stays = !settled.mayHooksAllow && outcome.updatedInput !== undefined;
  if (again.kind === "allow" && !stays) return { kind: "run", tool, call: { ...call, input } };
  const isReplaced = again.kind === "ask" && !(stays && again.mayHooksAllow);
  const pending = pendingFor(thread, call, input, isReplaced ? again : settled, now);
  return { kind: "ask", tool, call: { ...call, input }, pending, judged: thread.judge(tool, input) };
}

function settleCall(
  thread: Thread,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  hooks: Outcome | undefined,
): Settled {
  const kind = hooks?.decision.kind;
  return settle({
    hook: kind === "allow" || kind === "ask" ? kind : "none",
    ...thread.judge(tool, input),
    toolKind: tool.kind,
    mode: thread.mode(),
  });
}

type Question = Extract<Settled, { kind: "ask" }>;

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

/** Asks again what was asked when the process ended, unless rules or mode answer it now. Hooks are not asked again. */
export function askAgain(
  thread: Thread,
  tool: Tool,
  call: HookedCall,
  pending: PendingPermission,
): Considered {
  const hook = pending.hook === undefined ? "none" : "ask";
  const judged = thread.judge(tool, call.input);
  const settled = settle({ hook, ...judged, toolKind: tool.kind, mode: thread.mode() });
  const stays = outlastsAllow(pending);
  if (settled.kind === "allow" && !stays) return { kind: "run", tool, call };
  if (settled.kind === "deny") return refuse(thread, pending.id, settled.reason);
  // The question stays open for the next resume with somebody there.
  if (!thread.ask) return end(thread, "unanswered", withoutAnswer(pending));
  const question = settled.kind === "allow" || stays ? pending : askedNow(pending, settled);
  return { kind: "ask", tool, call, pending: question, judged };
}

/** The question with the reason of now. The words of a hook that wants the user asked stay. */
function askedNow(pending: PendingPermission, { by, reason }: Question): PendingPermission {
  return { ...pending, by, ...(pending.hook === undefined && { reason }) };
}

/**
 * Asks the user, and calls `asked` when the question is open. Returns how the call ends, or undefined if the user allows it:
 * `unlessOutdated` has the last word then.
 */
export async function askUser(
  thread: Thread,
  { pending }: OpenQuestion,
  closed: AbortSignal,
  asked: () => void,
): Promise<Considered | undefined> {
  const { conversation, notify, ask } = thread;
  const { id, toolName } = pending;
  if (!ask) return nobodyThere(thread, pending);
  if (closed.aborted) return refuse(thread, id, whyNotRun(closed));
  conversation.changeTool(id, { stage: "asking" });
  notify("permission_prompt", `Waiting for your permission to use ${toolName}`);
  const answering = ask(pending, closed);
  asked();
  const answered = await answering;
  if ("refused" in answered) return refuse(thread, id, answered.refused);
  const { decision, reason } = answered;
  if (decision === "allow") return undefined;
  // The queue denies open questions when the turn ends. Such a denial is not the user's.
  if (closed.aborted) return refuse(thread, id, whyNotRun(closed));
  const result = `The user did not allow this${reason ? `: ${reason}` : "."}`;
  conversation.changeTool(id, { stage: "done", success: false, result });
  return end(thread, "denied", reason);
}

/** The user's allow counts unless rules or links have changed while the question was open. */
export function unlessOutdated(thread: Thread, { tool, call, judged }: OpenQuestion): Considered {
  const { ruling, isOutside } = thread.judge(tool, call.input);
  if (ruling?.kind === "deny") return refuse(thread, call.id, ruling.reason);
  if (isOutside && !judged.isOutside)
    return refuse(thread, call.id, `Not run: other than when the user was asked, ${OUTSIDE}.`);
  return { kind: "run", tool, call };
}

/** The agent reads the result, so the result leaves out a hook's reason to ask, which is for the user alone (design §6). */
function nobodyThere(thread: Thread, pending: PendingPermission): Considered {
  const { id, toolName, hook } = pending;
  const detail = withoutAnswer(pending);
  const result = hook === undefined ? detail : withoutAnswer({ toolName });
  thread.conversation.changeTool(id, { stage: "done", success: false, result });
  return end(thread, "unanswered", detail);
}

function withoutAnswer({ toolName, reason }: Pick<PendingPermission, "toolName" | "reason">): string {
  return `${toolName} needs a permission, and nobody is there to give it${reason ? `: ${reason}` : ""}`;
}

export function refuse({ conversation }: Thread, id: string, reason: string): Considered {
  conversation.changeTool(id, { stage: "done", success: false, result: reason });
  return { kind: "refused" };
}

function end(thread: Thread, reason: "stopped" | "denied" | "unanswered", detail?: string): Considered {
  return { kind: "ended", end: ended(thread, reason, detail) };
}

/** The question as the user sees it, with the model's input and the input that would run instead. */
function pendingFor(
  { conversation }: Thread,
  { id, name }: HookedCall,
  input: HookedCall["input"],
  { by, reason }: Question,
  hooks: Outcome | undefined,
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
    if (isSpared(parts.thread, other)) queue.decide(other.id, { decision: "allow" });
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
export function isSpared(thread: Thread, question: PendingPermission): boolean {
  const tool = thread.tools.find(({ name }) => name === question.toolName);
  if (!tool || question.hook !== undefined || outlastsAllow(question)) return false;
  return settleCall(thread, tool, inputOf(question), undefined).kind === "allow";
}

function inputOf({ updatedInput, toolInput }: PendingPermission): Record<string, unknown> {
  return updatedInput ?? toolInput;
}
