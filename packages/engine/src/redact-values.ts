/*
 * The table of secrets that are known by what stands before them. Every pattern runs in linear time: what repeats without
 * a bound does not begin again inside itself.
 */

const raw = String.raw;

/** Where a word begins; in JSON, the line break before it is `\n`. */
const BEGIN = raw`(?:\b|(?<=\\[bfnrt]))`;

/** The last word of a name: `db_pass` ends in one, `compass` does not. What it begins with is looked at last, or it is slow. */
const word = (letters: string) => raw`${letters}(?<=(?:^|[^A-Za-z0-9]|\\[bfnrt])${letters})`;

/** What may follow the word in a name: which of them it is, nothing about it. `token_count` is no token. */
const WHICH = raw`(?:[_-](?:base|prod|production|staging|live|test|dev|local|old|new|primary|secondary|\d{1,3}))?`;

const KEY = "(?:api|access|account|encryption|master|private|secret|shared|signing)[_-]?key";

/** Names whose values are secrets. The name must end with one of these words: `max_tokens` is none. */
export const NAMES = raw`(?:${KEY}|secret|token|passw(?:or)?d|passphrase|credentials?|authorization|cookie|[_-]pwd|${word("pass")}|${word("_auth")})${WHICH}`;

/** A value outside quotes: nothing that could be syntax. */
const BARE = raw`[^\s"'\\{}\[\],;&]`;

/** A value in quotes, its quote taken; not after a quote that ends a string of JSON, which syntax follows. */
const QUOTED = raw`(?!\s*[:,}\]])[^"'\\\n{}\[\]]+`;

/** All words of a line. */
const LINE = raw`[^\s"'\\{}\[\]][^"'\\\r\n{}\[\]]*`;

/** A sound escape of JSON: taking away an unsound one would mend what was broken. */
const ESCAPE = raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;

/** In code, a type stands behind a name and its colon. */
const TYPE = `(?:string|number|boolean|object|unknown|null|undefined|true|false|None|bool|bytes)(?!${BARE})`;

/** A working folder, which goes by the name of a password. */
export const FOLDER = raw`(?:[/~.$\\]|[A-Za-z]:)`;

/** Programs that are given a password when one logs in. */
const LOGINS = "docker|podman|nerdctl";

/** A short option of these is a password; another command behind them has options of its own. */
const PASSWORD_OPTION = raw`${BEGIN}(?:sshpass|(?:${LOGINS})\s{1,8}login)\b[^\n;&|]{0,200}?\s-p[\s=]{0,8}`;

/** Of these only what is glued to it: a word of its own is the name of a database. */
const GLUED_OPTION = raw`${BEGIN}(?:mysql(?:dump|admin)?|mariadb)\b[^\n;&|]{0,200}?\s-p`;

/** A line above the key itself, "Version: 2" say; it holds what the key does not. */
const KEY_HEADER = raw`(?:[\r\n]|\\[nr])+[A-Z][A-Za-z-]{1,20}: [^"\\\r\n{}]{0,200}`;

/** Ends the password of a URL; any other `@` is a part of it. */
const HOST = raw`@[\w.-]{1,255}(?::\d{1,5})?(?:[/?#,;)\s"'\\]|$)`;

/** Between two words of a file, or of a file in a string. */
const GAP = raw`(?:\s|\\[nrt]){1,8}`;

/** A secret by what stands before it. */
interface Value {
  /** Stands in every text in which the pattern finds something. */
  readonly hint: string;
  /** The first group is kept, what follows it is the secret. */
  readonly pattern: RegExp;
  /** Stands in for a number, so that JSON stays JSON. */
  readonly by?: string;
}

const named = (pattern: string): Value => ({ hint: NAMES, pattern: new RegExp(pattern, "gi") });
const optionOf = (hint: string, pattern: string): Value => ({ hint, pattern: new RegExp(pattern, "g") });

export const VALUES: readonly Value[] = [
  {
    hint: "PRIVATE KEY",
    pattern: new RegExp(
      raw`(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:${KEY_HEADER})*(?:[A-Za-z0-9+/=\s:-]|\\(?:[\\/bfnrt]|u[0-9a-fA-F]{4}))*`,
      "g",
    ),
  },
  named(raw`((?:authorization|cookie|passphrase)\s*:\s*)${LINE}`),
  {
    hint: "bearer|basic",
    pattern: new RegExp(raw`(${BEGIN}(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}`, "gi"),
  },
  { hint: "whsec_", pattern: /(whsec_)[A-Za-z0-9+/=]{16,}/g },
  { hint: "://", pattern: /(:\/\/[^\s:/@"'\\]*:)[^\s/@"'\\{}]+(?=@)/g },
  {
    hint: "://",
    pattern: new RegExp(
      raw`(:\/\/[^\s:/@"'\\\[]{0,256}:)(?!\d{1,5}(?:[/?#,]|$))[^\s"'\\{}]{1,256}?(?=${HOST})`,
      "g",
    ),
  },
  {
    hint: "curl",
    pattern: new RegExp(
      raw`(${BEGIN}curl\b[^\n]{0,200}?\s(?:-[a-z]{0,8}u[\s=]{0,8}|--user[\s=]{1,8})\\?["']?[^\s:"'\\{},]+:)${BARE}+`,
      "gi",
    ),
  },
  optionOf(`sshpass|${LOGINS}`, raw`(${PASSWORD_OPTION}\\?["'])${QUOTED}`),
  optionOf(`sshpass|${LOGINS}`, `(${PASSWORD_OPTION})${BARE}+`),
  optionOf("mysql|mariadb", raw`(${GLUED_OPTION}\\?["'])${QUOTED}`),
  optionOf("mysql|mariadb", `(${GLUED_OPTION})${BARE}+`),
  named(raw`(-${NAMES}\s+\\?["'])${QUOTED}`),
  named(raw`(${NAMES}\\?["']?\s*(?::?=|=>)\s*\\?["'])${QUOTED}`),
  named(raw`(${NAMES}\s*:\s*\\?["'])${QUOTED}`),
  named(raw`(${NAMES}\\?["']\s*:\s*')${QUOTED}`),
  named(raw`(${NAMES}'\s*:\s*\\?")${QUOTED}`),
  named(`(${NAMES}=)${BARE}+`),
  named(raw`(${NAMES}\s*:?=\s*)${BARE}{4,}`),
  named(raw`(--[\w-]{0,40}?${NAMES}\s+)(?!-)${BARE}+`),
  named(raw`(-${NAMES}\s+)${BARE}{4,}`),
  named(raw`(${NAMES}:\s*)(?!${TYPE}|[:/(=.])${BARE}{4,}`),
  named(raw`(${BEGIN}login${GAP}[^\s"'\\{}]{1,200}${GAP}password${GAP})${BARE}+`),
  named(raw`(${NAMES}>)[^<>"'\\\n{}\[\]]+(?=<\\?/)`),
  { hint: "pwd", pattern: new RegExp(raw`(${word("pwd")}\s*=\s*)(?!${FOLDER}|[(\x60])${BARE}{4,}`, "gi") },
  {
    hint: "pwd",
    pattern: new RegExp(raw`("pwd"\s*:\s*")(?!${FOLDER})(?:[^"\\\n]|${ESCAPE})+(?="\s*[,}\]])`, "gi"),
  },
  // "name": "value" as a member of an object, and what looks like one in other text; then the same inside a string.
  named(raw`(${NAMES}"\s*:\s*")(?:[^"\\\n]|${ESCAPE})+(?="\s*[,}\]])`),
  named(raw`(${NAMES}"\s*:\s*")(?:[^"\\\n{}\[\]]|\\["\\])+(?=")`),
  named(raw`(${NAMES}"\s*:\s*")[^"\\\n{}\[\]]{4,}`),
  named(raw`(${NAMES}\\"\s*:\s*\\")(?:[^"\\\n{}]|\\\\\\")+`),
  { hint: "pwd", pattern: new RegExp(raw`(\\"pwd\\"\s*:\s*\\")(?!${FOLDER})[^"\\\n{}]+`, "gi") },
  { ...named(raw`(${NAMES}\\?"\s*:\s*)[1-9]\d{3,}(?=\s*[,}\]])`), by: "0" },
];
