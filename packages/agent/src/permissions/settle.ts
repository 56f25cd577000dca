import type { PendingPermission } from "@belay/core";
import type { ToolKind } from "../tools/tool.ts";
import type { PermissionMode } from "../types.ts";
import type { Ruling } from "./rules.ts";

/** All that one call's permission depends on. */
export interface Claim {
  /** What PreToolUse hooks said of it. Their deny has ended the call before it comes here. */
  readonly hook: "allow" | "ask" | "none";
  /** What the user's rules say of the input as hooks have left it. */
  readonly ruling: Ruling | undefined;
  readonly toolKind: ToolKind;
  readonly mode: PermissionMode;
  /** It names a path outside of the working folder, or would change settings, a plugin or what a hook runs. */
  readonly isOutside: boolean;
}

export type Settled =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | {
      readonly kind: "ask";
      readonly by: NonNullable<PendingPermission["by"]>;
      /** Whether a PermissionRequest hook may answer in the user's place. */
      readonly mayHooksAllow: boolean;
      readonly reason: string;
    };

const ALLOW: Settled = { kind: "allow" };

/**
 * Whether a call runs, is refused, or is asked about. What restricts comes first, and nothing below undoes it: a hook's
 * allow spares the questions of modes and folders, never one of the user's own rules.
 */
export function settle({ hook, ruling, toolKind, mode, isOutside }: Claim): Settled {
  if (ruling?.kind === "deny") return { kind: "deny", reason: ruling.reason };
  if (mode === "plan" && toolKind !== "read" && toolKind !== "agent") return { kind: "deny", reason: PLAN };
  if (ruling?.kind === "ask")
    return { kind: "ask", by: ruling.by, mayHooksAllow: false, reason: ruling.reason };
  if (hook === "ask")
    return { kind: "ask", by: "hook", mayHooksAllow: true, reason: "a hook wants you to be asked" };
  if (hook === "allow" || mode === "bypass" || toolKind === "agent") return ALLOW;
  const isAllowed = ruling?.kind === "allow";
  if (isOutside && !(isAllowed && ruling.namesPaths))
    return { kind: "ask", by: "outside", mayHooksAllow: true, reason: OUTSIDE };
  if (isAllowed || toolKind === "read" || (toolKind === "edit" && mode === "acceptEdits")) return ALLOW;
  const reason = ruling?.kind === "unread" ? ruling.reason : MAY[toolKind];
  return { kind: "ask", by: "mode", mayHooksAllow: true, reason };
}

/**
 * Whether a question stays although rules and mode would allow what is asked about now: a rule of the user raised it, and a
 * hook may have put another input in the place of the one that the rule is about.
 */
export function outlastsAllow({ by, updatedInput }: PendingPermission): boolean {
  return (by === "rule" || by === "unreadable") && updatedInput !== undefined;
}

const PLAN =
  "The permission mode is plan: only tools that read may run. Say what you would do instead; the user can change the mode.";
export const OUTSIDE =
  "it reaches outside of the working folder, or changes settings, a plugin or what a hook runs";
const MAY: Readonly<Record<"edit" | "execute", string>> = {
  edit: "it changes files",
  execute: "it runs a command",
};
