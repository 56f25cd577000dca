import { toolNamed } from "../tables/tools.ts";
import type { HookSource } from "./hook.ts";

/**
 * default: asks before anything changes. acceptEdits: edits in the working folder pass. plan: only reads. bypass: asks only
 * where a rule or a hook asks.
 */
export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "bypass"] as const;
/** The mode of a session if nobody names one. */
export const DEFAULT_MODE = "default" satisfies PermissionMode;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The lists of rules, from the strictest to the loosest. */
export const PERMISSION_LISTS = ["deny", "ask", "allow"] as const;
export type PermissionList = (typeof PERMISSION_LISTS)[number];

/** What a user allows, denies or wants to be asked about: `Read`, `Bash(git push *)`, `*`. */
export interface PermissionRule {
  /** As it is written. */
  readonly text: string;
  /** The exact name of a tool, or `*` for all. */
  readonly tool: string;
  readonly pattern?: string;
  readonly source: HookSource;
  /** Why it cannot be read. Such a rule is kept where it restricts, and asks. */
  readonly problem?: string;
}

/** What a settings file says about tools. */
export interface Permissions {
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
  readonly defaultMode?: { readonly mode: PermissionMode; readonly source: HookSource };
}

const RULE = /^([A-Za-z_][\w-]*)(?:\(([\s\S]*)\))?$/;

/** `Tool`, `Tool(pattern)` or `*`; undefined for anything else. */
export function parseRule(text: string, source: HookSource): PermissionRule | undefined {
  return whyNoRule(text) === undefined ? { text: text.trim(), ...partsOf(text), source } : undefined;
}

/** What a rule is made of. */
export function partsOf(rule: string): Pick<PermissionRule, "tool" | "pattern"> {
  const [, tool = "*", pattern] = RULE.exec(rule.trim()) ?? [];
  return { tool, ...(pattern !== undefined && { pattern: pattern.trim() }) };
}

/** The rule in place of one that cannot be read: it asks for the tool that seems to be meant, else for every tool. */
export function unreadRule(text: string, problem: string, source: HookSource): PermissionRule {
  return { text, tool: /^\s*([A-Za-z_][\w-]*)/.exec(text)?.[1] ?? "*", source, problem };
}

/** Why a text is no rule, if it is none. */
export function whyNoRule(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "*") return undefined;
  if (trimmed.startsWith("*(")) return "`*` means every tool and takes no pattern";
  const [rule, tool = "", pattern] = RULE.exec(trimmed) ?? [];
  if (rule === undefined)
    return /^[\w-]+\([^)]*$/.test(trimmed)
      ? "the closing parenthesis is missing"
      : "expected Tool, Tool(pattern) or *";
  return pattern === undefined ? undefined : whyNoPattern(tool, pattern);
}

function whyNoPattern(tool: string, pattern: string): string | undefined {
  if (pattern.trim() === "") return "the pattern is empty";
  if (/[\u0000-\u001f\u007f]/.test(pattern)) return "the pattern holds a control character";
  if (tool === "Bash")
    return /:\*(?=.)/.test(pattern) ? "`:*` counts at the end of a pattern only" : undefined;
  const open = toolNamed(tool)?.takesPaths ? unclosed(pattern) : undefined;
  return open && `\`${open}\` is not closed; write \\${open} if it is part of a name`;
}

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };

function unclosed(pattern: string): string | undefined {
  const waiting: string[] = [];
  for (const [char] of pattern.replaceAll(/\\[\s\S]/g, "").matchAll(/[[\]{}()]/g)) {
    if (CLOSING[char] !== undefined) waiting.push(char);
    else if (CLOSING[waiting.at(-1) ?? ""] === char) waiting.pop();
  }
  return waiting.at(-1);
}
