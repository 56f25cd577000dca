import type { Rule } from "./rules.ts";
import type { HookTerms, Run } from "./types.ts";

/** What every step of parse is about: one run of one hook, by its event's rule. */
export interface Reading {
  readonly hook: HookTerms;
  readonly run: Run;
  readonly rule: Rule;
}
