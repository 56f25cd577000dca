import { isObject, type JsonObject } from "../json.ts";
import { type EventName, eventRow } from "../tables/events.ts";
import { toolNamed } from "../tables/tools.ts";
import { fits, fitsLine, gaps, narrow } from "./command-pattern.ts";
import { fitsPath, type PathBase, whyNoPathPattern } from "./path-pattern.ts";
import { partsOf, whyNoRule } from "./permission-rule.ts";
import { asWritten } from "./problems.ts";

/**
 * The `if` of an entry: a permission rule that the call of a tool must fit, or its hook does not run. Read as Claude Code
 * 2.1.325 reads it, but for one thing: where it cannot be told, the hook runs.
 */
export interface Condition {
  /** As it is written. */
  readonly text: string;
  /** Why it cannot be tested. Its hook runs every time. */
  readonly problem?: string;
  /** Whether the call in a payload fits. Takes time in proportion to both, whoever wrote them. */
  fits(payload: Readonly<Record<string, unknown>>): boolean;
}

/** The condition that the value of an `if` stands for; undefined for none. `simulated`: what is no rule fits no call. */
export function conditionOf(
  value: unknown,
  event: EventName,
  home: string | undefined,
  simulated: boolean,
): Condition | undefined {
  if (value === undefined || value === "") return undefined;
  const text = asWritten(value);
  if (!takesCondition(event)) return { text, fits: () => false };
  if (typeof value !== "string") return { text, problem: "expected one rule, as a string", fits: () => true };
  const noRule = whyNoTool(value);
  if (noRule !== undefined) return { text, problem: noRule, fits: () => !simulated };
  const problem = whyNoTest(value);
  if (problem !== undefined) return { text, problem, fits: () => true };
  const { tool, pattern = "*" } = partsOf(value);
  return {
    text,
    fits: ({ tool_name: name, tool_input: input, cwd }) => {
      if (typeof name !== "string") return true;
      if (!isNameOf(tool, name)) return false;
      if (pattern === "*" || !isObject(input)) return true;
      return fitsInput(pattern, tool, input, { cwd: typeof cwd === "string" ? cwd : "/", home });
    },
  };
}

/** Whether an event is about one call of a tool. On any other a hook with an `if` never runs. */
export function takesCondition(event: EventName): boolean {
  return eventRow(event).matcher === "tool_name";
}

function whyNoTool(text: string): string | undefined {
  if (text.trim() === "*") return "`*` names no tool";
  const why = whyNoRule(text);
  return why?.startsWith("expected") ? "expected Tool or Tool(pattern)" : why;
}

/** Why a rule cannot be tested here. */
function whyNoTest(text: string): string | undefined {
  const { tool, pattern = "*" } = partsOf(text);
  const { takesPaths, subject } = toolNamed(tool) ?? {};
  if (pattern === "*") return undefined;
  if (SEVERAL.test(pattern)) return "it holds several rules: write one hook for each";
  if (takesPaths) return whyNoPathPattern(pattern);
  return subject === undefined ? `no pattern for ${tool} can be tested; name the tool alone` : undefined;
}

/** `Bash(git *) && Bash(rm *)`, which would read as one long pattern. */
const SEVERAL = /\)\s*(?:&&|\|\|?|,|;)?\s*[A-Z]\w*\(/;

/** A rule for a server is for each of its tools. */
function isNameOf(tool: string, name: string): boolean {
  const isServer = /^mcp__(?:(?!__).)+$/.test(tool);
  return name === tool || name === toolNamed(tool)?.renamed || (isServer && name.startsWith(`${tool}__`));
}

function fitsInput(pattern: string, tool: string, input: JsonObject, base: PathBase): boolean {
  const { takesPaths, path = "", subject = "" } = toolNamed(tool) ?? {};
  const values = [
    ...(takesPaths ? [{ value: input[path], test: (way: string) => fitsPath(pattern, way, base) }] : []),
    ...(subject === ""
      ? []
      : [{ value: input[subject], test: (text: string) => fitsText(pattern, tool, text) }]),
  ].filter(({ value }) => value !== undefined);
  return values.length === 0 || values.some(({ value, test }) => typeof value !== "string" || test(value));
}

function fitsText(pattern: string, tool: string, text: string): boolean {
  return tool === "Bash" ? fitsLine(pattern, text) : narrow(pattern).some((one) => fits(one, gaps(text)));
}
