import { findObjects, isObject } from "@belay/core/internal";
import type { HookRun, Meaning } from "../harness.ts";

const REFUSES = ["deny", "block"];
const REWRITES = ["updatedInput", "updated_input", "modifiedArgs", "tool_input", "overrideInput"];
const CONTEXTS = ["additionalContext", "additional_context", "context", "contextModification"];
const OUTPUTS = ["updatedToolOutput", "updatedMCPToolOutput", "modifiedResult", "updated_mcp_tool_output"];
const MESSAGES = ["systemMessage", "user_message"];
const DECISIONS = ["permissionDecision", "decision", "permission", "behavior"];

/** One run is read for every harness, and means the same for each. */
const known = new WeakMap<HookRun, ReadonlySet<Meaning>>();

/** What the author of an output meant, by the words of any harness, in any place. No harness is as generous. */
export function meantBy(hook: HookRun): ReadonlySet<Meaning> {
  const meant = known.get(hook) ?? meaningsOf(hook);
  known.set(hook, meant);
  return meant;
}

function meaningsOf({ run, failClosed }: HookRun): ReadonlySet<Meaning> {
  const meant = new Set<Meaning>();
  if (run.exitCode === 2) meant.add("deny");
  if (failClosed !== undefined && (run.failure !== undefined || run.timedOut || isOddExit(run.exitCode)))
    meant.add("deny");
  for (const { json } of findObjects(run.stdout, run.truncated)) {
    const answer = parsed(json);
    const inside = answer?.hookSpecificOutput;
    for (const part of [answer, inside, isObject(inside) ? inside.decision : undefined, answer?.decision])
      if (isObject(part)) addMeanings(part, meant);
  }
  // Whoever ends everything does not also mean to keep it going.
  if (meant.has("stop")) meant.delete("deny");
  return meant;
}

function isOddExit(code: number | undefined): boolean {
  return code !== undefined && code !== 0;
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function addMeanings(part: Record<string, unknown>, meant: Set<Meaning>): void {
  const decisions = DECISIONS.map((name) => part[name]);
  if (part.cancel === true || decisions.some((value) => REFUSES.includes(value as string))) meant.add("deny");
  if (decisions.includes("ask")) meant.add("ask");
  if (part.continue === false) meant.add("stop");
  const has = (names: readonly string[]) => names.some((name) => part[name] !== undefined);
  if (has(REWRITES)) meant.add("rewrite");
  if (has(CONTEXTS)) meant.add("context");
  if (has(OUTPUTS)) meant.add("output");
  if (has(MESSAGES)) meant.add("message");
}
