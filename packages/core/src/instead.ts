import { COMMON_FIELDS, PERMISSIONS } from "./fields.ts";
import type { Rule } from "./rules.ts";

/** What to answer instead of what an event cannot answer. */
export function insteadOf(value: unknown, answers: readonly string[]): string {
  if (value === "approve" && answers.includes("permissionDecision"))
    return 'To allow, answer with hookSpecificOutput.permissionDecision "allow".';
  return `Use one of: ${[...answers, ...Object.keys(COMMON_FIELDS)].join(", ")}.`;
}

/** For a `decision` that is none: what this event takes instead, and the next thing to write where it is not that word itself. */
export function meantByDecision(rule: Rule, value: unknown): { expected: string; advice?: string } {
  const { decisions, answers, event } = rule;
  if (answers.includes("permissionDecision")) {
    const words = (PERMISSIONS as readonly unknown[]).includes(value) ? [value] : PERMISSIONS;
    const quoted = words.map((word) => `"${word}"`).join(", ");
    const listed = quoted.replace(/, ("\w+")$/, " or $1");
    return {
      expected: "hookSpecificOutput.permissionDecision instead",
      advice: `Answer with hookSpecificOutput.permissionDecision ${listed}.`,
    };
  }
  if (decisions === "behavior" || decisions.length === 0)
    return { expected: `no decision on ${event}`, advice: insteadOf("", answers) };
  const words = decisions.map((word) => `"${word}"`).join(" | ");
  return {
    expected: decisions.length > 1 ? `(${words})` : words,
    ...(value === "deny" && { advice: 'Answer with decision "block".' }),
  };
}
