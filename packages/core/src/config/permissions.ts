import { isObject } from "../json.ts";
import { optional, words } from "../schema/field.ts";
import { TOOLS } from "../tables/tools.ts";
import { asGuess, nearest, quote } from "../text.ts";
import { type JSONPath, showPath } from "./jsonc.ts";
import {
  PERMISSION_LISTS,
  PERMISSION_MODES,
  type PermissionList,
  type PermissionRule,
  type Permissions,
  parseRule,
  unreadRule,
  whyNoRule,
} from "./permission-rule.ts";
import { asWritten, note, placeAt, type Reading, takeFields, warnUnknown } from "./problems.ts";
import { FILE_FIELDS } from "./schema.ts";

const MODE_FIELD = { defaultMode: optional(words(PERMISSION_MODES)) };
const FIELDS = [...PERMISSION_LISTS, "defaultMode"];

/**
 * The permissions of a file, if it has any. A rule that cannot be read loosens nothing and still restricts: a deny or ask
 * becomes a question for the tools that may be meant.
 */
export function readPermissions(reading: Reading, file: Record<string, unknown>): Permissions | undefined {
  const misnamed = Object.keys(file).filter((key) => isMisnamed(key, file[key]));
  const asks = misnamed.map((key) =>
    report(reading, [key], file[key], `there is no field ${quote(key)}${asGuess("permissions")}`),
  );
  if (file.permissions === undefined) return asks.length > 0 ? { allow: [], deny: [], ask: asks } : undefined;
  const { ask, ...others } = readLists(reading, file.permissions);
  return { ...others, ask: [...ask, ...asks] };
}

/** True for a field that is nearly called `permissions` and may restrict. */
function isMisnamed(key: string, value: unknown): boolean {
  const fields = Object.keys(FILE_FIELDS);
  if (fields.includes(key) || nearest(key, [...fields, "hooks"]) !== "permissions") return false;
  return isObject(value)
    ? Object.keys(value).some((list) => list !== "allow" && list !== "defaultMode")
    : Array.isArray(value);
}

function readLists(reading: Reading, value: unknown): Permissions {
  const path = ["permissions"];
  if (!isObject(value)) {
    const rule = report(reading, path, value, "expected an object with allow, deny and ask");
    return { allow: [], deny: [], ask: [rule] };
  }
  warnUnknown(reading, value, FIELDS, path);
  const { defaultMode: mode } = takeFields(reading, value, MODE_FIELD, path);
  return {
    allow: readList(reading, "allow", value.allow),
    deny: readList(reading, "deny", value.deny),
    ask: [...readList(reading, "ask", value.ask), ...misspelt(reading, value)],
    ...(mode && { defaultMode: { mode, source: placeAt(reading, [...path, "defaultMode"]) } }),
  };
}

/** A list that is nearly called `deny` or `ask` was meant to restrict: it asks. */
function misspelt(reading: Reading, value: Record<string, unknown>): PermissionRule[] {
  return Object.keys(value)
    .filter((key) => !FIELDS.includes(key) && nearest(key, ["deny", "ask"]) !== undefined)
    .map((key) => report(reading, ["permissions", key], value[key], `there is no list ${quote(key)}`));
}

function readList(reading: Reading, list: PermissionList, value: unknown): PermissionRule[] {
  if (value === undefined) return [];
  const path = ["permissions", list];
  if (Array.isArray(value))
    return value.flatMap((text: unknown, index) => readRule(reading, list, text, [...path, index]));
  const rule = report(reading, path, value, "expected a list of rules", list);
  return list === "allow" ? [] : [rule];
}

function readRule(reading: Reading, list: PermissionList, text: unknown, path: JSONPath): PermissionRule[] {
  const problem = typeof text === "string" ? whyNoRule(text) : "expected a string";
  if (problem !== undefined) {
    const unread = report(reading, path, text, problem, list);
    return list === "allow" ? [] : [unread];
  }
  const rule = parseRule(text as string, placeAt(reading, path));
  if (rule === undefined) return [];
  advise(reading, rule, path);
  return [rule];
}

/** Reports a bad rule, and returns the rule that asks in its place. */
function report(
  reading: Reading,
  path: JSONPath,
  got: unknown,
  problem: string,
  list: PermissionList = "deny",
): PermissionRule {
  const written = typeof got === "string" ? got : "";
  const rule = unreadRule(written, problem, placeAt(reading, path));
  const asks = rule.tool === "*" ? "every call asks" : `every call of ${rule.tool} asks`;
  note(reading, "permission-bad-rule", path, {
    path: showPath(path),
    rule: asWritten(got),
    detail: problem,
    effect: list === "allow" ? "it allows nothing" : `until it is corrected, ${asks}`,
  });
  return rule;
}

/** Notes rules that are valid and will not do what their author thinks. */
function advise(reading: Reading, { text, tool, pattern = "" }: PermissionRule, path: JSONPath): void {
  const values = { path: showPath(path), rule: asWritten(text) };
  const known = Object.keys(TOOLS);
  if (tool !== "*" && !known.includes(tool) && !tool.startsWith("mcp__")) {
    const meant = nearest(tool, known);
    const advice = meant
      ? `Write ${quote(text.replace(tool, meant))}.`
      : "Leave it if your agent has such a tool: names are taken as they stand.";
    note(reading, "permission-unknown-tool", path, {
      ...values,
      tool,
      guess: asGuess(meant),
      advice,
    });
  }
  if (tool === "Bash" && /(?:^|\s)(?:&&|\|\|?|;)(?:\s|$)/.test(pattern) && !/['"]/.test(pattern))
    note(reading, "permission-several-commands", path, values);
}
