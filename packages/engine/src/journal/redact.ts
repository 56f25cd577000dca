import { REDACTED } from "@belay/core";
import { mapStrings } from "./map-strings.ts";
import { redactBelow } from "./redact-below.ts";
import { FOLDER, NAMES, VALUES } from "./redact-values.ts";

/*
 * Secrets are replaced inside strings before a record is written. A hook's JSON inside a string stays as sound or as
 * broken as it was, and replay decides the same: what is replaced ends before a quote, holds no half of an escape and no
 * brace that could begin an object, and a raw control character in it (which JSON forbids) leaves a line break.
 * Every pattern runs in linear time, because hook output is anyone's text.
 */

const raw = String.raw;

/**
 * What tells a key from the name of a table, a branch or a folder, which may begin like one: letters of both kinds with a
 * digit, the word that its maker puts first, or a piece that is too long for a word.
 */
const KEY_REST = [
  "(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])(?=[\\w-]*\\d)[\\w-]{16,}",
  "(?:live|test)[-_][A-Za-z0-9]{11,}",
  "(?:ant|or|proj)-[\\w-]{12,}",
  "(?:lf-)?[0-9a-f]{8}-[0-9a-f]{4}-",
  "(?:[A-Za-z0-9]*[-_])*(?:(?=[A-Za-z]*\\d)[A-Za-z0-9]{16,}|[A-Za-z]{21,})",
].join("|");

/** Shapes of well-known tokens, by how they begin; each is tried once, at the beginning of a run of token characters. */
const TOKEN_SHAPES = {
  "(?:sk|pk|rk)[-_]": `(?:${KEY_REST})`,
  "(?:gh[opusr]|github_pat)_": "[A-Za-z0-9_]{20,}",
  "xox[abeprs][-.]": "[A-Za-z0-9.-]{10,}",
  "xapp-": "[A-Za-z0-9-]{20,}",
  "gl(?:pat|rt|dt|ptt|soat|cbt)-": "[A-Za-z0-9_-]{16,}",
  gsk_: "[A-Za-z0-9]{20,}",
  dckr_pat_: "[A-Za-z0-9_-]{20,}",
  ATATT3: "[A-Za-z0-9_-]{20,}",
  "nvapi-": "[A-Za-z0-9_-]{20,}",
  figd_: "[A-Za-z0-9_-]{20,}",
  sbp_: "[a-f0-9]{32,}",
  dapi: "[a-f0-9]{32}",
  npm_: "[A-Za-z0-9]{30,}",
  hf_: "[A-Za-z0-9]{20,}",
  "SG\\.": "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
  "GOCSPX-": "[A-Za-z0-9_-]{20,}",
  "hv[bs]\\.": "[A-Za-z0-9_-]{20,}",
  "do[opr]_v1_": "[a-f0-9]{40,}",
  "AGE-SECRET-KEY-1": "[A-Z0-9]{40,}",
  "shp(?:at|ca|pa|ss)_": "[A-Za-z0-9]{20,}",
  "pypi-": "[A-Za-z0-9_-]{30,}",
  lin_api_: "[A-Za-z0-9]{20,}",
  glsa_: "[A-Za-z0-9_]{20,}",
  "ya29\\.": "[A-Za-z0-9_-]{16,}",
  "(?:AKIA|ASIA)": "[A-Z0-9]{16}(?![A-Za-z0-9])",
  AIza: "[A-Za-z0-9_-]{30,}",
  eyJ: "[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}",
};
export const TOKEN_BEGINNINGS = Object.keys(TOKEN_SHAPES).join("|");
const TOKENS = new RegExp(
  `^(?:${Object.entries(TOKEN_SHAPES)
    .map(([beginning, rest]) => beginning + rest)
    .join("|")})`,
);
/** The letter of an escape is no part of the run: in JSON, the line break before a token is `\n`. */
const TOKEN_RUN = /(\\(?:[bfnrt]|u[0-9a-fA-F]{4}))?[A-Za-z0-9_.-]{16,}/g;

const SECRET_KEY = new RegExp(`${NAMES}$`, "i");
/** A package may be named for what it handles. */
const isSecretName = (name: string) => SECRET_KEY.test(name) && !name.includes("node_modules/");
const isVersion = (text: string) => /^[~^]?\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(text);

/** The name of a variable, or a command that reads a secret and holds none: it says where the secret stands. */
const VARIABLE = raw`\$(?:[A-Z]+(?:_[A-Z0-9]+)*|\d|\{\{?[A-Za-z_][\w.]*\}{1,2})`;
const READER = raw`(?:gh auth token|gcloud auth print-(?:access|identity)-token|cat|op read|pass show|openssl rand)`;
const REFERENCE = new RegExp(
  raw`^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken) )?(?:${VARIABLE}|\$\(${READER}(?: [\w./:@~$-]+)*\))$`,
);

/** Words of the platform that stand under such names: how a request treats cookies, the marks of a language model. */
const ORDINARY = /^(?:same-origin|include|omit|\[[A-Z]{2,5}\]|<\|?\/?[a-z_]{1,16}\|?>)$/;

/** In single quotes a shell names nothing. */
const isNone = (text: string, before: string) =>
  isVersion(text) || ORDINARY.test(text) || (REFERENCE.test(text) && !before.endsWith("'"));

/** What every secret begins with or stands behind. It is the same in a string's JSON: none of it is ever escaped. */
export const HINT = new RegExp(
  [...new Set([...Object.keys(TOKEN_SHAPES), NAMES, ...VALUES.map(({ hint }) => hint)])].join("|"),
  "i",
);

/** Small letters that stand in whatever HINT finds. They are looked for first: to make and run HINT once takes a millisecond. */
const SIGNS =
  'sk- sk_ pk- pk_ rk- rk_ gho_ ghp_ ghu_ ghs_ ghr_ github_ xox xapp glpat glrt gldt glptt glsoat glcbt gsk_ dckr_ atatt3 nvapi figd_ sbp_ dapi npm_ hf_ sg. gocspx hvb. hvs. _v1_ age- shp pypi lin_ glsa ya29 akia asia aiza eyj key secret token pass credential authorization cookie pwd _auth "auth hooks.slack bearer basic identified whsec :// :\\/ :\\\\/ curl docker podman nerdctl mysql mariadb'.split(
    " ",
  );

/** Below a space there are only control characters. */
const CONTROL = /[^ -\uffff]/;

/** Which patterns are worth their time. */
let hints: ReadonlyMap<string, RegExp> | undefined;

/** Whether a text, or the JSON of a value, can hold a secret at all; one look that spares a whole record the patterns. */
export function mayHoldSecret(text: string): boolean {
  const small = text.toLowerCase();
  return SIGNS.some((sign) => small.includes(sign)) && HINT.test(text);
}

export function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  const result = text.replace(TOKEN_RUN, (run, escaped: string = "") =>
    TOKENS.test(run.slice(escaped.length)) ? escaped + REDACTED : run,
  );
  const below = redactBelow(result, isSecretName, hide);
  hints ??= new Map(VALUES.map(({ hint }) => [hint, new RegExp(hint, "i")]));
  const hinted = new Map([...hints].map(([hint, pattern]) => [hint, pattern.test(below)]));
  return VALUES.reduce((redacted, { hint, signs, replace }) => {
    const isWorthIt = hinted.get(hint) && signs.every((sign) => redacted.includes(sign));
    return isWorthIt ? replace(redacted, hide) : redacted;
  }, below);
}

/** Braces stay: outside of JSON they may begin an object. So does a backtick at the end, in which messages close a name. */
export function hide(whole: string, kept: string): string {
  const end = whole.endsWith("`") ? "`" : "";
  const secret = whole.slice(kept.length, whole.length - end.length);
  if (isNone(secret, kept)) return whole;
  return kept + (/[{}]/.test(secret) ? secret.replace(/[^{}]+/g, standIn) : standIn(secret)) + end;
}

function standIn(secret: string): string {
  if (secret.trim() === "") return secret;
  return CONTROL.test(secret) ? `\n${REDACTED}` : REDACTED;
}

const isFolder = new RegExp(`^${FOLDER}`);
const isWholeSecret = (text: string, key: string) =>
  text !== "" && !isVersion(text) && (isSecretName(key) || (/^pwd$/i.test(key) && !isFolder.test(text)));

/**
 * Redacts every string of a value. A string under a secret's name goes whole, however deep below it; a number there that
 * is long enough for a password becomes 0.
 *
 * @param redactFirst what is done to the other strings before
 */
export function redactValue(
  value: unknown,
  redactFirst: (text: string, key: string) => string = (text) => text,
): unknown {
  /** What a hook printed is also its reason and its message. */
  const known = new Map<string, string>();
  const redactOnce = (text: string) => {
    const redacted = known.get(text) ?? redactText(text);
    known.set(text, redacted);
    return redacted;
  };
  const redact = (text: string, key: string) =>
    isWholeSecret(text, key) ? REDACTED : redactOnce(redactFirst(text, key));
  const redactNumber = (number: number, key: string) =>
    isSecretName(key) && Math.abs(number) >= 1000 ? 0 : number;
  return mapStrings(value, redact, isSecretName, redactNumber);
}
