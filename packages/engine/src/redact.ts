import { mapStrings } from "./map-strings.ts";
import { redactBelow } from "./redact-below.ts";

/*
 * Secrets are replaced inside strings before a record is written. A hook's JSON inside a string stays as sound or as
 * broken as it was, and replay decides the same: what is replaced ends before a quote, holds no half of an escape and no
 * brace that could begin an object, and a raw control character in it (which JSON forbids) leaves a line break.
 * Every pattern runs in linear time, because hook output is anyone's text.
 */

export const REDACTED = "[redacted]";

/** Shapes of well-known tokens, by how they begin; each is tried once, at the beginning of a run of token characters. */
const TOKEN_SHAPES = {
  "(?:sk|pk|rk)[-_]": "[A-Za-z0-9_-]{16,}",
  "(?:gh[opusr]|github_pat)_": "[A-Za-z0-9_]{20,}",
  "xox[abprs]-": "[A-Za-z0-9-]{10,}",
  "glpat-": "[A-Za-z0-9_-]{16,}",
  npm_: "[A-Za-z0-9]{30,}",
  hf_: "[A-Za-z0-9]{20,}",
  "SG\\.": "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
  "ya29\\.": "[A-Za-z0-9_-]{16,}",
  "(?:AKIA|ASIA)": "[A-Z0-9]{16}(?![A-Za-z0-9])",
  AIza: "[A-Za-z0-9_-]{30,}",
  eyJ: "[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}",
};
const TOKENS = new RegExp(
  `^(?:${Object.entries(TOKEN_SHAPES)
    .map(([beginning, rest]) => beginning + rest)
    .join("|")})`,
);
/** The letter of an escape is no part of the run: in JSON, the line break before a token is `\n`. */
const TOKEN_RUN = /(\\(?:[bfnrt]|u[0-9a-fA-F]{4}))?[A-Za-z0-9_.-]{16,}/g;

/** Names whose values are secrets. The name must end with one of these words: `max_tokens` is none. */
const NAMES =
  "(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|secret|token|password|passwd|passphrase|[_-]pass|[_-]pwd|credentials?|authorization)";

/** A value outside quotes: nothing that could be syntax. */
const BARE = "[^\\s\"'\\\\{}\\[\\],;&]";

/** A value in quotes, its quote taken; not after a quote that ends a string of JSON, which syntax follows. */
const QUOTED = "(?!\\s*[:,}\\]])[^\"'\\\\\\n{}\\[\\]]+";

/** A sound escape of JSON: taking away an unsound one would mend what was broken. */
const ESCAPE = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;

/** Where a word begins; in JSON, the line break before it is `\n`. */
const BEGIN = "(?:\\b|(?<=\\\\[bfnrt]))";

/** Programs that are given a password when one logs in. */
const LOGINS = "docker|podman|nerdctl";

/** A short option of these is a password; another command behind them has options of its own. */
const PASSWORD_OPTION = `${BEGIN}(?:sshpass|(?:${LOGINS})\\s{1,8}login)\\b[^\\n;&|]{0,200}?\\s-p[\\s=]{0,8}`;

/** A line above the key itself, "Version: 2" say; it holds what the key does not. */
const KEY_HEADER = `(?:[\\r\\n]|\\\\[nr])+[A-Z][A-Za-z-]{1,20}: [^"\\\\\\r\\n{}]{0,200}`;

/** A secret by what stands before it. */
interface Value {
  /** Stands in every text in which the pattern finds something. */
  readonly hint: string;
  /** The first group is kept, what follows it is the secret. */
  readonly pattern: RegExp;
}

const named = (pattern: string): Value => ({ hint: NAMES, pattern: new RegExp(pattern, "gi") });
const optionOf = (pattern: string): Value => ({
  hint: `sshpass|${LOGINS}`,
  pattern: new RegExp(pattern, "g"),
});

const VALUES: readonly Value[] = [
  {
    hint: "PRIVATE KEY",
    pattern: new RegExp(
      `(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:${KEY_HEADER})*(?:[A-Za-z0-9+/=\\s:-]|\\\\(?:[\\\\/bfnrt]|u[0-9a-fA-F]{4}))*`,
      "g",
    ),
  },
  { hint: NAMES, pattern: /(authorization\s*:\s*)[^\s"'\\{}[\]][^"'\\\r\n{}[\]]*/gi },
  { hint: "bearer|basic", pattern: new RegExp(`(${BEGIN}(?:Bearer|Basic)\\s+)[A-Za-z0-9._~+/=-]{8,}`, "gi") },
  { hint: "://", pattern: /(:\/\/[^\s:/@"'\\]*:)[^\s/@"'\\{}]+(?=@)/g },
  {
    hint: "curl",
    pattern: new RegExp(
      `(${BEGIN}curl\\b[^\\n]{0,200}?\\s(?:-u|--user)[\\s=]{1,8}\\\\?["']?[^\\s:"'\\\\{},]+:)${BARE}+`,
      "gi",
    ),
  },
  optionOf(`(${PASSWORD_OPTION}\\\\?["'])${QUOTED}`),
  optionOf(`(${PASSWORD_OPTION})${BARE}+`),
  named(`(-${NAMES}\\s+\\\\?["'])${QUOTED}`),
  named(`(${NAMES}\\s*=\\s*\\\\?["'])${QUOTED}`),
  named(`(${NAMES}\\\\?["']\\s*:\\s*')${QUOTED}`),
  named(`(${NAMES}'\\s*:\\s*\\\\?")${QUOTED}`),
  named(`(${NAMES}\\s*=\\s*)${BARE}{4,}`),
  named(`(-${NAMES}\\s+)${BARE}{4,}`),
  named(`(${NAMES}:\\s+)${BARE}{8,}`),
  // "name": "value" as a member of an object, and what looks like one in other text; then the same inside a string.
  named(`(${NAMES}"\\s*:\\s*")(?:[^"\\\\\\n]|${ESCAPE})+(?="\\s*[,}\\]])`),
  named(`(${NAMES}"\\s*:\\s*")[^"\\\\\\n{}\\[\\]]{4,}`),
  named(`(${NAMES}\\\\"\\s*:\\s*\\\\")[^"\\\\\\n{}]+`),
];

const SECRET_KEY = new RegExp(`${NAMES}$`, "i");
const isSecretName = (name: string) => SECRET_KEY.test(name);

/** A secret's name with an object or a list under it. */
const BELOW = new RegExp(`${NAMES}\\\\?"(?:\\s|\\\\[nrt])*:(?:\\s|\\\\[nrt])*[{[]`, "i");

/** What every secret begins with or stands behind. It is the same in a string's JSON: none of it is ever escaped. */
const HINT = new RegExp(
  [...new Set([...Object.keys(TOKEN_SHAPES), NAMES, ...VALUES.map(({ hint }) => hint)])].join("|"),
  "i",
);

/** Whether a text, or the JSON of a value, can hold a secret at all; one look that spares a whole record the patterns. */
export function mayHoldSecret(text: string): boolean {
  return HINT.test(text);
}

export function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  const result = text.replace(TOKEN_RUN, (run, escaped: string = "") =>
    TOKENS.test(run.slice(escaped.length)) ? escaped + REDACTED : run,
  );
  const below = BELOW.test(result) ? redactBelow(result, isSecretName, hide) : result;
  return VALUES.reduce((redacted, { pattern }) => redacted.replace(pattern, hide), below);
}

/** Braces stay: outside of JSON they may begin an object. */
function hide(whole: string, kept: string): string {
  const hidden = whole.slice(kept.length).replace(/[^{}]+/g, (piece) => {
    const hasControl = [...piece].some((char) => char < " ");
    return `${hasControl ? "\n" : ""}${REDACTED}`;
  });
  return kept + hidden;
}

/** Redacts every string of a value. A string under a secret's name goes whole, however deep below it. */
export function redactValue(value: unknown): unknown {
  const redact = (text: string, key: string) =>
    text !== "" && isSecretName(key) ? REDACTED : redactText(text);
  return mapStrings(value, redact, isSecretName);
}
