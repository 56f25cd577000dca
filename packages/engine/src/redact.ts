/*
 * Secrets are replaced inside strings before a record is written. What replaces them, and what is replaced, holds no
 * quote, brace, bracket-pair of JSON syntax or backslash that was not there before: a hook's JSON inside a string stays
 * the JSON it was, and replay decides the same.
 */

export const REDACTED = "[redacted]";

const NAMES =
  "(?:api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key|auth)";

/** Each pattern's first group is kept; what follows it is the secret. */
const PATTERNS: readonly RegExp[] = [
  // Well-known token shapes.
  /()\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /()\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,}/g,
  /()\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /()\bglpat-[A-Za-z0-9_-]{16,}/g,
  /()\bnpm_[A-Za-z0-9]{30,}/g,
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bAIza[A-Za-z0-9_-]{30,}/g,
  /()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[A-Za-z0-9+/=\s\\:,-]*/g,
  // Schemes and assignments: name=value, name: value, "name": "value".
  /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /(:\/\/[^\s:/@"'\\]+:)[^\s:/@"'\\]+(?=@)/g,
  new RegExp(`(\\b[\\w-]*${NAMES}[\\w-]*\\s*=\\s*)[^\\s"'\\\\{}\\[\\],;&]{4,}`, "gi"),
  new RegExp(`(\\\\?"[\\w-]*${NAMES}[\\w-]*\\\\?"\\s*:\\s*\\\\?")[^"\\\\\\s]{4,}`, "gi"),
  new RegExp(`(\\b[\\w-]*${NAMES}[\\w-]*:\\s+)[^\\s"'\\\\{}\\[\\],;]{8,}`, "gi"),
];

const SECRET_KEY = new RegExp(`^[\\w-]*${NAMES}[\\w-]*$`, "i");

export function redactText(text: string): string {
  let result = text;
  for (const pattern of PATTERNS) result = result.replace(pattern, `$1${REDACTED}`);
  return result;
}

/** Redacts every string of a value, keys and structure untouched. A string under a secret's name goes whole. */
export function redactValue(value: unknown, key = ""): unknown {
  if (typeof value === "string") return SECRET_KEY.test(key) && value !== "" ? REDACTED : redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item, name)]));
}
