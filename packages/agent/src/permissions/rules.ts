import type { PermissionRule } from "@belay/core";
import { alike, fits, gaps, placeOf, wildPattern } from "@belay/core/internal";
import type { Tool } from "../tools/tool.ts";
import { allowsLine, restrictsLine } from "./command-rule.ts";
import { allowsPath, restrictsPath, restrictsSearch } from "./path-rule.ts";
import type { Base } from "./paths.ts";

/** The rules in force. */
export interface RuleSet {
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
}

/** A call, as rules look at it. */
export interface JudgedCall extends Base {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the rules say of a call. */
export type Ruling =
  | { readonly kind: "deny"; readonly rule: PermissionRule; readonly reason: string }
  /** unreadable: what the call does cannot be told with certainty, and a rule that restricts may be about it. */
  | {
      readonly kind: "ask";
      readonly by: "rule" | "unreadable";
      readonly rule: PermissionRule;
      readonly reason: string;
    }
  /** namesPaths: the rule's pattern is about these very paths, so it counts outside of the working folder too. */
  | { readonly kind: "allow"; readonly rule: PermissionRule; readonly namesPaths: boolean }
  /** A command that cannot be read, and rules that might have allowed it. */
  | { readonly kind: "unread"; readonly reason: string };

/** The one tool whose patterns are about commands. */
export const SHELL_TOOL = "Bash";
const READ_TOOL = "Read";
const GLOB_TOOL = "Glob";
const SEARCH_TOOLS = ["Grep", GLOB_TOOL];

/** A deny counts before an ask, an ask before an allow. undefined: no rule is about this call. */
export function judge({ allow, deny, ask }: RuleSet, call: JudgedCall): Ruling | undefined {
  const isAbout = ({ tool }: PermissionRule) => tool === "*" || tool === call.tool.name;
  const mayRestrict = (rule: PermissionRule) => isAbout(rule) || isAboutReading(rule, call);
  const denies = deny.filter(mayRestrict);
  const asks = ask.filter(mayRestrict);
  const holds = (rule: PermissionRule) => rule.problem === undefined && restricts(rule, call) === "yes";
  const denying = denies.find(holds);
  if (denying) return { kind: "deny", rule: denying, reason: `the rule ${named(denying)} denies it` };
  const asking = asks.find(holds);
  if (asking) return { kind: "ask", by: "rule", rule: asking, reason: `the rule ${named(asking)} asks` };
  return doubt([...denies, ...asks], call) ?? consent(allow.filter(isAbout), call);
}

/** What may not be read may not be searched either: a search shows what it finds. */
function isAboutReading({ tool }: PermissionRule, call: JudgedCall): boolean {
  return tool === READ_TOOL && SEARCH_TOOLS.includes(call.tool.name);
}

/** Rules that might restrict the call: those that cannot be read, and those about what cannot be read. */
function doubt(rules: readonly PermissionRule[], call: JudgedCall): Ruling | undefined {
  const broken = rules.find(({ problem }) => problem !== undefined);
  if (broken) {
    const what = broken.text === "" ? "" : `${broken.text} in `;
    const reason = `${what}${placeOf(broken.source)} may be about it, and is no rule: ${broken.problem}; next: belay check`;
    return { kind: "ask", by: "rule", rule: broken, reason };
  }
  // A glob reads nothing of what lies below its folder, and leaves out the names of what may not be read.
  const mayRead = ({ tool }: PermissionRule) => tool !== READ_TOOL || call.tool.name !== GLOB_TOOL;
  const rule = rules.find((one) => mayRead(one) && restricts(one, call) === "perhaps");
  if (!rule) return undefined;
  const reason = `it cannot be told whether the rule ${named(rule)} is about it`;
  return { kind: "ask", by: "unreadable", rule, reason };
}

function restricts(
  { pattern }: PermissionRule,
  { tool, input, ...base }: JudgedCall,
): "yes" | "perhaps" | "no" {
  if (pattern === undefined || pattern === "*") return "yes";
  const subject = tool.subject(input);
  if (tool.name === SHELL_TOOL) return restrictsLine(pattern, subject);
  const reaches = SEARCH_TOOLS.includes(tool.name) ? restrictsSearch : restrictsPath;
  const found = tool.paths(input).map((path) => reaches(pattern, path, base));
  if (found.length > 0) return found.includes("yes") ? "yes" : found.includes("perhaps") ? "perhaps" : "no";
  return fits(alike(wildPattern(pattern)), alike(gaps(subject)), "surely") ? "yes" : "no";
}

function consent(rules: readonly PermissionRule[], { tool, input, ...base }: JudgedCall): Ruling | undefined {
  const sound = rules.filter(({ problem }) => problem === undefined);
  const whole = sound.find(({ pattern = "*" }) => pattern === "*");
  const named = sound.filter((rule) => rule !== whole && rule.pattern !== undefined);
  const [first] = named;
  const patterns = named.map(({ pattern = "*" }) => pattern);
  const paths = tool.paths(input);
  if (first && paths.length > 0 && paths.every((path) => allowsPath(patterns, path, base)))
    return { kind: "allow", rule: first, namesPaths: true };
  if (whole) return { kind: "allow", rule: whole, namesPaths: false };
  if (!first || paths.length > 0) return undefined;
  const subject = tool.subject(input);
  if (tool.name !== SHELL_TOOL) {
    const rule = named.find(({ pattern = "*" }) => fits(wildPattern(pattern), gaps(subject), "surely"));
    return rule && { kind: "allow", rule, namesPaths: false };
  }
  const isAllowed = allowsLine(patterns, subject);
  if (isAllowed === undefined)
    return { kind: "unread", reason: "no rule can allow it: what it runs cannot be told with certainty" };
  return isAllowed ? { kind: "allow", rule: first, namesPaths: false } : undefined;
}

/** What rules say of reading a file, for a tool that would show its name. Names of what only may be restricted pass. */
export function restrictionOf(ruling: Ruling | undefined): "deny" | "ask" | undefined {
  if (ruling?.kind === "deny") return "deny";
  return ruling?.kind === "ask" && ruling.by === "rule" ? "ask" : undefined;
}

function named({ text, source }: PermissionRule): string {
  return `${text} in ${placeOf(source)}`;
}
