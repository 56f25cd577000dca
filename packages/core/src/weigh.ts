import { diagnose } from "./diagnostics.ts";
import type { Exit } from "./exit.ts";
import type { Heard } from "./hear.ts";
import type { VerdictKind } from "./kinds.ts";
import type { Reading } from "./reading.ts";
import { isRestriction, isStricter } from "./strict.ts";
import type { Diagnostic, Part } from "./types.ts";

/** What a hook says in the end: its JSON or its exit code. */
export interface Said {
  readonly kind: VerdictKind;
  readonly reason?: string;
  readonly source: "answer" | "exit";
  /** The reason is the answer's context, which is a block here. */
  readonly saysContext?: true;
  /** What is shown whichever side decided. */
  readonly parts: readonly Part[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * JSON decides where it speaks, else the exit code. Context is no decision; where the dialect lets it keep the agent
 * going, it blocks what neither of them refused, and gives a refusal by a silent exit 2 its words.
 */
export function weigh(answer: Heard, exit: Exit, reading: Reading): Said {
  const said = weighDecisions(answer, exit, reading);
  const { context } = answer;
  const { hook, rule } = reading;
  const hasWords = said.source === "answer" || said.reason !== undefined;
  if (context === undefined || rule.context !== "block" || (isRestriction(said.kind) && hasWords))
    return said;
  const approved = diagnose("output-approve-and-context", { dialect: rule.dialectName }, { hook: hook.name });
  return {
    kind: "block",
    reason: context,
    source: "answer",
    saysContext: true,
    parts: said.parts,
    diagnostics: answer.speaks ? [approved] : said.diagnostics,
  };
}

/** Restrictions add up where one side may not overrule the other. */
function weighDecisions(answer: Heard, exit: Exit, { hook: { name: hook }, run, rule }: Reading): Said {
  const { parts } = exit;
  const fromAnswer = { kind: answer.kind, ...given(answer.reason), source: "answer", parts } as const;
  const fromExit = { kind: exit.kind, ...given(exit.reason), source: "exit", parts } as const;
  const forced = exit.forced ? [exit.forced] : [];
  if (!answer.speaks) return { ...fromExit, diagnostics: forced };
  const values = { said: answer.kind === "abstain" ? "approve" : answer.kind, dialect: rule.dialectName };
  const exit2Decides = run.exitCode === 2 && rule.dialect.exit2Wins;
  if (answer.restrictOnly || answer.setAside || exit2Decides || exit.forced) {
    const exitDecides =
      isStricter(exit.kind, answer.kind) || (answer.restrictOnly && exit.kind === answer.kind);
    const won = exitDecides && exit2Decides ? [diagnose("exit-2-won", values, { hook })] : [];
    return { ...(exitDecides ? fromExit : fromAnswer), diagnostics: [...forced, ...won] };
  }
  const overruled = run.exitCode === 2 && rule.refusal && !isRestriction(answer.kind);
  return { ...fromAnswer, diagnostics: overruled ? [diagnose("exit-2-overruled", values, { hook })] : [] };
}

function given(reason: string | undefined): { reason?: string } {
  return reason === undefined || reason === "" ? {} : { reason };
}
