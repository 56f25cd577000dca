import type { Outcome, Rewrites } from "@belay/core";
import { eventRow, isObject } from "@belay/core/internal";
import {
  type Ability,
  abilitiesOf,
  answersOf,
  canEnd,
  contextPath,
  type Degradation,
  isEnding,
  isPlainContext,
  isRefusing,
} from "./abilities.ts";
import { renamed } from "./decode.ts";
import type { Harness } from "./harness.ts";
import type { Answers, Saying } from "./read/reads.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a harness asked about: its own names of the event and of the tool, and the input under our names. */
export interface Asked {
  readonly native: string;
  readonly tool?: string | undefined;
  readonly input?: Fields | undefined;
}

/** What of an Outcome is told to a harness. */
export type Told = Pick<Outcome, "decision" | "messages" | keyof Rewrites>;

/** An Outcome in the words of a harness: what a hook of it prints, and how it exits. */
export interface Encoded {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly losses: readonly EncodingLoss[];
}

/** Part of an Outcome that a harness cannot be told. `looser`: nothing as strict could be said. */
export interface EncodingLoss {
  readonly what: Ability;
  readonly became: Degradation;
  readonly looser?: true;
}

/**
 * Says an Outcome in the words of a harness. What cannot be said becomes the stricter thing that can, and is a loss. An allow
 * is said only where the Outcome is one, even where a rewrite would need it.
 */
export function encode(harness: Harness, asked: Asked, outcome: Told): Encoded {
  const { plan, losses } = planFor(harness, asked, outcome);
  const answers = answersOf(harness.events[asked.native]);
  return { ...write(answers, plan, asked.native), losses };
}

/** What is to be said, with nothing left that the harness cannot be told. */
interface Plan {
  readonly step: "runs" | "refused" | "asks";
  readonly grants: boolean;
  readonly ends: boolean;
  readonly interrupts: boolean;
  /** A refusal by exit code: nothing else is said then. */
  readonly exits: boolean;
  readonly words: string | undefined;
  readonly rewrite: Written | undefined;
  readonly output: Written | undefined;
  readonly context: string | undefined;
  readonly message: string | undefined;
}

interface Written {
  readonly at: string;
  readonly value: unknown;
}

const RESTRICTIONS: readonly Ability[] = ["deny", "ask", "rewrite", "output", "stop"];

function planFor(harness: Harness, asked: Asked, outcome: Told): { plan: Plan; losses: EncodingLoss[] } {
  const row = harness.events[asked.native];
  const answers = answersOf(row);
  const abilities = abilitiesOf(harness, asked.native);
  const losses: EncodingLoss[] = [];
  const lose = (what: Ability, became: Degradation) => {
    const looser = became === "nothing" && RESTRICTIONS.includes(what);
    losses.push({ what, became, ...(looser && { looser }) });
  };
  /** The step that comes of a wish: its own where the harness can, else what becomes of it. */
  const stepFor = (what: Ability, step: Plan["step"]): Plan["step"] => {
    const became = abilities[what];
    if (became === "yes") return step;
    lose(what, became);
    return became === "deny" ? "refused" : "runs";
  };
  const { kind, reason, interrupt = false } = outcome.decision;
  const told = textsOf(outcome);
  const isLate = row !== undefined && eventRow(row.event).appendsToResult === true;
  const stops = kind === "stop" && !(row !== undefined && isEnding(row.event));
  const ends = stops && canEnd(answers);
  const canRefuse = !isLate && abilities.deny === "yes";
  let step: Plan["step"] = "runs";
  if (kind === "deny" || kind === "block") step = stepFor("deny", "refused");
  if (kind === "ask") step = stepFor("ask", "asks");
  if (stops && !ends) lose("stop", canRefuse ? "deny" : "nothing");
  if (stops) step = canRefuse || (!ends && abilities.deny === "yes") ? "refused" : "runs";
  const rewrite = rewriteFor(harness, answers, asked, outcome);
  const isMisfit = rewrite === "cannot" && step !== "refused";
  if (isMisfit) {
    lose("rewrite", canRefuse ? "deny" : "nothing");
    step = canRefuse ? "refused" : step;
  }
  const grants = kind === "allow" && step === "runs";
  if (grants && abilities.allow !== "yes") lose("allow", abilities.allow);
  const isRefused = step === "refused";
  if (isRefused && interrupt && answers.interrupt === undefined && !answers.refusalEnds) lose("stop", "deny");
  const exits = isRefused && !ends && refusesByExit(harness, answers);
  const output = exits ? undefined : outputFor(answers, outcome);
  if (outcome.updatedToolOutput !== undefined && output === undefined) lose("output", "nothing");
  const words = isMisfit
    ? `Use this instead: ${JSON.stringify(outcome.updatedInput ?? outcome.updatedPrompt)}`
    : kind === "ask" && isRefused
      ? `A person can allow this with belay questions${reason === undefined ? "" : `: ${reason}`}`
      : stops
        ? (reason ?? "stopped")
        : reason;
  const toAgent = [...(abilities.deny === "context" && words !== undefined ? [words] : []), ...told.context];
  const hasContext = abilities.context === "yes" && !isRefused && !ends;
  if (toAgent.length > 0 && !hasContext && !(isRefused && speaksToAgent(answers))) lose("context", "later");
  if (told.toUser.length > 0 && !answers.message) lose("message", "elsewhere");
  return {
    losses,
    plan: {
      step,
      grants: grants && abilities.allow === "yes",
      ends,
      interrupts: isRefused && interrupt && answers.interrupt !== undefined,
      exits,
      output,
      words: isRefused ? joined([words, ...told.context]) : words,
      rewrite: rewrite === "cannot" || isRefused ? undefined : rewrite,
      context: hasContext ? joined(toAgent) : undefined,
      message: answers.message ? joined(told.toUser) : undefined,
    },
  };
}

/** The new input under the harness's names; "cannot" where it would not replace the old one, or would need an allow. */
function rewriteFor(
  { tools, reads }: Harness,
  { rewrite, prompt }: Answers,
  { tool, input = {} }: Asked,
  { decision: { kind }, updatedInput, updatedPrompt }: Told,
): Plan["rewrite"] | "cannot" {
  if (updatedPrompt !== undefined)
    return prompt === undefined ? "cannot" : { at: prompt, value: updatedPrompt };
  if (updatedInput === undefined) return undefined;
  if (rewrite === undefined) return "cannot";
  if (rewrite.needs === "allow" && kind !== "allow") return "cannot";
  if (rewrite.needs === "no-ask" && kind === "ask") return "cannot";
  const drops = Object.keys(input).some((name) => !Object.hasOwn(updatedInput, name));
  if (reads?.fold.merges && drops) return "cannot";
  const names = tool === undefined ? {} : (tools[tool]?.input ?? {});
  const theirs = Object.fromEntries(Object.entries(names).map(([native, ours]) => [ours, native]));
  return { at: rewrite.at, value: renamed(updatedInput, theirs) };
}

/** The new result of the tool, where the harness takes one of its kind. */
function outputFor({ output: place }: Answers, { updatedToolOutput: value }: Told): Written | undefined {
  if (place === undefined || value === undefined || (place.is === "object" && !isObject(value)))
    return undefined;
  return { at: place.at, value };
}

/** There another hook's allow can undo a refusal in JSON, and none by exit code; or no field refuses. */
function refusesByExit({ reads }: Harness, { exit2, deny = [] }: Answers): boolean {
  return exit2 !== undefined && (deny.length === 0 || reads?.fold.decision === "first");
}

/** True if the agent reads the words of a refusal. */
function speaksToAgent({ wordsTo, refusalEnds, deny, exit2 }: Answers): boolean {
  return wordsTo === undefined && !refusalEnds && (deny?.[0]?.words !== undefined || exit2 !== undefined);
}

/** The texts of an Outcome, without the words of its decision. */
function textsOf({ messages, decision }: Told): { context: readonly string[]; toUser: readonly string[] } {
  const to = (reader: "agent" | "user") =>
    messages
      .filter((message) => message.to === reader && message.block.content !== decision.reason)
      .map(({ block }) => block.content);
  return { context: to("agent"), toUser: to("user") };
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const said = [...new Set(texts)].filter((text) => text !== undefined && text !== "");
  return said.length === 0 ? undefined : said.join("\n");
}

function write(answers: Answers, plan: Plan, native: string): Omit<Encoded, "losses"> {
  const { step, words } = plan;
  if (plan.exits) return { stdout: "", stderr: words ?? "refused", exitCode: 2 };
  const fields: Record<string, unknown> = {};
  if (plan.message !== undefined) fields.systemMessage = plan.message;
  if (plan.ends) stop(fields, answers, words);
  if (step === "refused" && !(plan.ends && isRefusing(answers.stop))) {
    const [deny] = answers.deny ?? [];
    if (deny) say(fields, deny, words);
    else if (answers.contextRefuses && answers.context?.[0])
      put(fields, answers.context[0], words ?? "refused");
    else stop(fields, answers, words);
  }
  if (step === "asks") say(fields, answers.ask?.[0], words);
  if (plan.grants) say(fields, answers.allow?.[0], words);
  if (plan.interrupts && answers.interrupt !== undefined) put(fields, answers.interrupt, true);
  if (plan.rewrite) put(fields, plan.rewrite.at, plan.rewrite.value);
  if (plan.output) put(fields, plan.output.at, plan.output.value);
  const path = contextPath(answers);
  if (plan.context !== undefined && path !== undefined) put(fields, path, plan.context);
  const text = plan.context !== undefined && isPlainContext(answers) ? plan.context : "";
  const inside = fields[INSIDE];
  if (inside !== undefined) fields[INSIDE] = { hookEventName: native, ...(inside as object) };
  return { stdout: Object.keys(fields).length > 0 ? JSON.stringify(fields) : text, stderr: "", exitCode: 0 };
}

/** The object that names its event, in the harnesses that have it. */
const INSIDE = "hookSpecificOutput";

function stop(fields: Record<string, unknown>, { stopWords }: Answers, words: string | undefined): void {
  fields.continue = false;
  if (stopWords !== undefined && words !== undefined) put(fields, stopWords, words);
}

function say(fields: Record<string, unknown>, saying: Saying | undefined, words: string | undefined): void {
  if (saying === undefined) return;
  put(fields, saying.at, saying.is[0]);
  if (saying.words !== undefined && words !== undefined) put(fields, saying.words, words);
}

/** Sets the field at a path, and the objects on the way to it. */
function put(fields: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let at = fields;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}
