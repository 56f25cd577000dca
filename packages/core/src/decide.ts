import { diagnose } from "./tables/diagnostics/index.ts";
import { isRefused, isStricter } from "./tables/kinds.ts";
import { plural } from "./text.ts";
import type { Decision, Diagnostic, Mutable, Rewrites, Verdict } from "./types.ts";

/** What the fold needs besides the verdicts. Recorded, so that a replay reaches the same decision. */
export interface DecideContext {
  /** Blocks of this stop in a row so far, and the cap; absent where there is no cap. */
  readonly stops?: { readonly soFar: number; readonly cap: number };
  /** Why the winning rewrite does not fit the tool's own schema, if it does not. */
  readonly misfit?: string;
  /** Indexes of the verdicts in the order in which their hooks finished, where the last rewrite to finish counts. */
  readonly finished?: readonly number[];
  /** The tool is one of an MCP server. */
  readonly mcpTool?: true;
}

export interface Decided extends Rewrites {
  readonly decision: Decision;
  readonly diagnostics: readonly Diagnostic[];
  /** A refusal by the engine, for which no hook has words. */
  readonly refusal?: { readonly hook: string; readonly text: string };
  /** The stop would have been blocked once more, but the cap lets it through. */
  readonly capped: boolean;
}

/** Folds verdicts, in configured order, into one decision (design §5). The order of finishing counts for nobody but a simulated system. */
export function decide(verdicts: readonly Verdict[], context: DecideContext = {}): Decided {
  const counted = verdicts.filter((verdict) => !verdict.observed);
  const rewrite = winningRewrite(verdicts, "updatedInput", context);
  const prompt = winningRewrite(verdicts, "updatedPrompt", context);
  const outputs = verdicts.map((verdict) => withToolOutput(verdict, context));
  const output = winningRewrite(outputs, "updatedToolOutput", context);
  const voided = counted.filter(
    (verdict) => verdict.kind === "allow" && !allowStands(verdict, rewrite, verdicts),
  );
  const standing = counted.filter((verdict) => !voided.includes(verdict));
  const strictest = standing.reduce<Verdict | undefined>(
    (best, verdict) => (best === undefined || isStricter(verdict.kind, best.kind) ? verdict : best),
    undefined,
  );
  const decision = toDecision(strictest, standing);
  const diagnostics = [
    ...lostRewrites(verdicts, "updatedInput", rewrite),
    ...lostRewrites(verdicts, "updatedPrompt", prompt),
    ...lostRewrites(outputs, "updatedToolOutput", output),
    ...counted.flatMap((verdict) => unusedOutput(verdict, context)),
    ...(decision.kind === "none" || decision.kind === "allow"
      ? voided.map(({ hook }) => diagnose("allow-voided", { hook, winner: rewrite?.hook ?? "" }, { hook }))
      : []),
  ];
  if (rewrite && context.misfit !== undefined && !isRefused(decision.kind)) {
    return misfit(rewrite, context.misfit, diagnostics);
  }
  const { stops } = context;
  const capped = decision.kind === "block" && stops !== undefined && stops.soFar >= stops.cap;
  const final = capped ? NOTHING : decision;
  const decided: Mutable<Decided> = {
    decision: final,
    diagnostics: capped
      ? [...diagnostics, diagnose("stop-cap", { times: plural(stops.soFar, "time") })]
      : diagnostics,
    capped,
  };
  // The agent reads a result whatever is refused after it, and the original is what a hook wanted changed.
  if (output) decided.updatedToolOutput = output.updatedToolOutput;
  if (isRefused(final.kind)) return decided;
  if (rewrite?.updatedInput) decided.updatedInput = rewrite.updatedInput;
  if (prompt?.updatedPrompt !== undefined) decided.updatedPrompt = prompt.updatedPrompt;
  return decided;
}

const NOTHING: Decision = { kind: "none" };

/** The verdict with its new result of the tool under one name, whichever field it stood in. */
export function withToolOutput(
  verdict: Verdict,
  { mcpTool }: { readonly mcpTool?: boolean | undefined },
): Verdict {
  const { updatedToolOutput, updatedMCPToolOutput } = verdict;
  if (!mcpTool || updatedToolOutput !== undefined || updatedMCPToolOutput === undefined) return verdict;
  return { ...verdict, updatedToolOutput: updatedMCPToolOutput };
}

function unusedOutput({ hook, updatedMCPToolOutput }: Verdict, { mcpTool }: DecideContext): Diagnostic[] {
  if (mcpTool || updatedMCPToolOutput === undefined) return [];
  return [diagnose("output-for-mcp-tools", {}, { hook, path: "hookSpecificOutput.updatedMCPToolOutput" })];
}

/** The rewrite that counts: the last configured one, or the last to finish. Used before deciding, to check it against the tool's schema. */
export function winningRewrite(
  verdicts: readonly Verdict[],
  field: keyof Rewrites,
  { finished }: DecideContext,
): Verdict | undefined {
  const ordered = finished ? finished.flatMap((index) => verdicts[index] ?? []) : verdicts;
  return ordered.findLast((verdict) => !verdict.observed && verdict[field] !== undefined);
}

/** The first of the strictest gives the words; any of them can interrupt. */
function toDecision(verdict: Verdict | undefined, standing: readonly Verdict[]): Decision {
  if (!verdict || verdict.kind === "abstain") return NOTHING;
  const interrupts = standing.some(({ kind, interrupt }) => kind === verdict.kind && interrupt);
  return {
    kind: verdict.kind,
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    hook: verdict.hook,
    ...(interrupts && { interrupt: true }),
  };
}

/** An allow stands for the input that it saw: the original, its own rewrite, or one it was given. It also stands if the rewriter allows. */
function allowStands(verdict: Verdict, rewrite: Verdict | undefined, verdicts: readonly Verdict[]): boolean {
  if (!rewrite || verdict === rewrite || rewrite.kind === "allow") return true;
  return verdict.saw !== undefined && verdicts[verdict.saw] === rewrite;
}

/** Rewrites that a later one replaced without having seen them. Both authors are told. */
function lostRewrites(
  verdicts: readonly Verdict[],
  field: keyof Rewrites,
  winner: Verdict | undefined,
): Diagnostic[] {
  if (!winner) return [];
  const seen = chainOf(winner, verdicts);
  const lost = verdicts.filter((v) => !v.observed && v[field] !== undefined && v !== winner && !seen.has(v));
  return lost.flatMap((loser) => {
    const values = { what: field, loser: loser.hook, winner: winner.hook };
    return [loser, winner].map(({ hook }) => diagnose("rewrite-lost", values, { hook, path: field }));
  });
}

function chainOf(verdict: Verdict, verdicts: readonly Verdict[]): Set<Verdict> {
  const seen = new Set<Verdict>();
  for (let at = verdict.saw; at !== undefined; ) {
    const previous = verdicts[at];
    if (!previous || seen.has(previous)) break;
    seen.add(previous);
    at = previous.saw;
  }
  return seen;
}

/** The original input, which the hook wanted changed, is never run instead (design §4.7). */
function misfit(rewrite: Verdict, detail: string, before: readonly Diagnostic[]): Decided {
  const refused = diagnose("rewrite-refused", { detail }, { hook: rewrite.hook, path: "updatedInput" });
  return {
    decision: { kind: "deny", reason: refused.message, hook: rewrite.hook },
    refusal: { hook: rewrite.hook, text: refused.message },
    diagnostics: [...before, refused],
    capped: false,
  };
}
