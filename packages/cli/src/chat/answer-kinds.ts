import type { Answer } from "@belay/agent";
import type { PendingPermission } from "@belay/core";

/** The answers that would spare the user the same question: no other is offered for longer than this once. */
const LASTING: Record<
  NonNullable<PendingPermission["by"]>,
  readonly Extract<Answer["kind"], "session" | "always">[]
> = { mode: ["session", "always"], outside: ["always"], rule: [], unreadable: [], hook: [] };

/** The answers that a question can be given, in the terminal and elsewhere. */
export function answerKinds(question: PendingPermission, rules: readonly string[]): Answer["kind"][] {
  const lasting = question.hook === undefined ? LASTING[question.by ?? "mode"] : [];
  return ["once", ...lasting.filter((kind) => kind === "session" || rules.length > 0), "deny"];
}
