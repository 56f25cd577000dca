import { REDACTED } from "@belay/core";
import { type Hide, redactAddresses, redactOptions } from "./redact-scan.ts";

/*
 * The table of secrets that are known by what stands before them. Every pattern runs in linear time: what repeats without
 * a bound does not begin again inside itself, and a long bound counts as none.
 */

const raw = String.raw;

/** How JSON writes a character that it may not hold as it is; none of its letters belongs to the word behind it. */
const CONTROL = raw`\\(?:[bfnrt]|u[0-9a-fA-F]{4})`;

/** Where a word begins; in JSON, the line break before it is `\n`. */
const BEGIN = raw`(?:\b|(?<=${CONTROL}))`;

/** The last word of a name: `db_pass` ends in one, `compass` does not. What it begins with is looked at last, or it is slow. */
const word = (letters: string) => raw`${letters}(?<=(?:^|[^A-Za-z0-9]|${CONTROL})${letters})`;

/** What may follow the word in a name: which of them it is, nothing about it. `token_count` is no token. */
const WHICH = raw`(?:[_-](?:base|prod|production|prd|staging|stg|live|test|qa|uat|dev|local|ci|bot|old|new|primary|secondary|admin|root|db|backup|github|gitlab|npm|slack|\d{1,3}))?`;

/** Whose keys stand in files of settings as they are; of others, a key is mostly that of a row or a cache. */
const VENDORS =
  "anthropic|aws|azure|datadog|gemini|github|gitlab|google|groq|mailgun|mistral|openai|openrouter|sendgrid|stripe|twilio";

const KEY = raw`(?:api|access|account|encryption|master|private|secret|shared|signing|${VENDORS})[_-]?key|client[_-]key[_-]data`;

/** In settings of registries. */
const AUTH = raw`npm_auth|registry_auth|docker_auth_config|${word("_auth")}`;

/** Names whose values are secrets. The name must end with one of these words: `max_tokens` is none. */
export const NAMES = raw`(?:${KEY}|secret(?:[_-]?string)?|token|passw(?:or)?d|passphrase|credentials?|authorization|cookie|[_-]pwd|${word("pass")}|(?:admin|db|root|smtp|ssh|user)pass|${AUTH})${WHICH}`;

/** The backslashes before a quote in a string of JSON; in one that stands in another string, and once more. */
export const QUOTE_ESCAPES = [1, 3, 7];

/** What may stand before a quote, in a string or outside. Behind an even number of them it ends a string. */
export const ESCAPES = raw`(?:\\(?:\\\\){0,3})?`;

/** A value outside quotes: nothing that could be syntax. */
const BARE = raw`[^\s"'\\{}\[\],;&]`;

/** The brace that closes a variable, which is all of a value or its end. */
const CLOSED = raw`(?:(?<=\$\{\{?[\w.]{1,64})\}{1,2})?`;

/** What may begin the next value in a row. */
const NEXT = raw`[\w$-]{1,40}(?: [\w$-]{1,40})?[=:(]`;

/** A word of a command, or one of several values in a row. */
const WORD = raw`(?:[,\[\]{}]+(?!${NEXT})${BARE}+)*${CLOSED}`;

/** Behind a name that begins a row: up to a space, whatever signs stand in it but those that lead to the next value or command. */
const ALONE = raw`(?<![?#&;,({\[]\s?[\w.$-]{0,60}\s?[:=]\s?)`;
const SIGNS = raw`(?:(?<=\$)\{|(?!&&|;[a-z][\w.-]{0,40}[ \t](?![ \t]*#))[,;&\[\]{}]+(?!${NEXT}))`;
const TO_SPACE = raw`(?:[,;&]+(?!${NEXT}))?${BARE}+(?:${SIGNS}${BARE}+)*${CLOSED}`;

/** What a shell puts in place of a command; what it prints, or a secret in its words. */
const COMMAND = raw`\$\([^()"'\\\r\n{}\[\]]{0,200}\)(?!${BARE})`;

/** What follows a name and its sign outside quotes, if it has this many characters; `a[i]` is code. */
const unquoted = (least: number) =>
  raw`(?:${COMMAND}|${ALONE}(?=[^\s"'\\{}\[\]]{${least}}|[^\s"'\\]{8})${TO_SPACE}|${BARE}{${least},}${WORD})`;

/**
 * A value in quotes, its quote taken: all of it if it ends on this line. Not after a quote that ends a string of JSON, which
 * syntax follows.
 */
const QUOTED = raw`(?!\s*[:,}\]])(?:(?<=")[^"\\\n]+(?=\\{0,7}")|(?<=')[^"'\\\n]+(?=')|[^"'\\\n{}\[\]]+)`;

/** All words of a line, variables included. */
const LINE = raw`[^\s"'\\{}\[\]](?:[^"'\\\r\n{}\[\]]|(?<=\$)\{[^\s"'\\{}\[\]]*\})*`;

/** A sound escape of JSON: taking away an unsound one would mend what was broken. */
export const ESCAPE = raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;

/** In code, a type stands behind a name and its colon. */
const TYPE = `(?:string|number|boolean|object|unknown|null|undefined|true|false|None|bool|bytes)(?!${BARE})`;

/** The type of a variable, between its name and the value that it begins with. */
const TYPE_NAME = raw`(?:&'\w{1,20} )?[\w.&*<>\[\]]{1,60}`;
export const TYPED = raw`(?:[?!]?\s{0,8}:\s{0,8}|[ \t]{1,8}(?:as )?(?=\*?string))${TYPE_NAME}(?: ?\| ?${TYPE_NAME}){0,3}`;

/** What may stand right before the quote of a string: what kind it is, a parenthesis, or two more quotes. */
export const STRING_KIND = raw`(?:(?:String::from|SecretStr|Some)?\(\s{0,8})?(?:[bfru]{1,2}|[$@]{1,2})?(?:${ESCAPES}"${ESCAPES}"(?=${ESCAPES}")|''(?='))?`;

/** Behind a colon and what is no name: the program that complains, a test that did pass, a parser. */
const NOT_SAID = raw`(?<!(?:${word("sshpass")}|--- pass|(?<![^\n])pass(?=:[ \t]test_)|unexpected token):[ \t])`;

/** No secret, but whether there is one, or how many passed. */
const CONSTANT = raw`(?:true|false|null|undefined|none|nil|(?<=(?<![\w-])pass=)\d{1,3})(?=[\s"'\\,;&)\]}|]|$)`;

/** A number of JSON, to its end. */
const NUMBER = raw`-?\d[\d.eE+-]*(?!${BARE})`;

/** A working folder, which goes by the name of a password. */
export const FOLDER = raw`(?:[/~.$\\]|[A-Za-z]:)`;

/** What may stand in a tag behind its name. */
export const ATTRIBUTES = raw`(?:\s[^<>{}]{0,80})?`;

/** A word of a sentence. */
const PLAIN_WORD = raw`[A-Z]?[a-z]{1,19}(?![A-Za-z0-9_~+/=-]|\.\w)`;

/** Programs that are given a password when one logs in. */
const LOGINS = "docker|podman|nerdctl";

/** A line above the key itself, "Version: 2" say; it holds what the key does not. */
const KEY_HEADER = raw`(?:[\r\n]|\\{1,4}[nr])+[A-Z][A-Za-z-]{1,20}: [^"\\\r\n{}]{0,200}`;

/** Between two words of a file, or of a file in a string. */
const GAP = raw`(?:\s|\\{1,4}[nrt]){1,8}`;

/** A secret by what stands before it. */
interface Value {
  /** Stands in every text in which something is found. */
  readonly hint: string;
  /** So does each of these, as it is written here: a text without them is not searched. */
  readonly signs: readonly string[];
  readonly replace: (text: string, hide: Hide) => string;
}

/**
 * The first group of a pattern is kept, what follows it is the secret. The pattern is made when a text is searched for it:
 * nearly all texts hold nothing, and to make all patterns takes longer than to look at one text.
 */
const by = (source: string, flags: string) => {
  let pattern: RegExp | undefined;
  return (text: string, hide: Hide): string => {
    pattern ??= new RegExp(source, flags);
    return text.replace(pattern, hide);
  };
};

const hinted = (hint: string, pattern: string, flags = "g"): Value => ({
  hint,
  signs: [],
  replace: by(pattern, flags),
});

const named = (signs: string, pattern: string): Value => ({
  hint: NAMES,
  signs: signs === "" ? [] : signs.split(" "),
  replace: by(pattern, "gi"),
});

/** Options of a command; another command behind one of the stops has options of its own. */
const optionsOf = (hint: string, command: string, stops: RegExp, option: string, flags = "g"): Value => {
  let redact: Value["replace"] | undefined;
  return {
    hint,
    signs: ["-"],
    replace: (text, hide) => {
      redact ??= redactOptions(
        new RegExp(raw`${BEGIN}(?:${command})\b`, flags),
        stops,
        new RegExp(option, flags),
      );
      return redact(text, hide);
    },
  };
};

/** Hidden before: it counts as found, or the next option would be taken for it. */
const HIDDEN = raw`\[${REDACTED.slice(1, -1)}\]`;

/** A short option that is a password. */
const password = (option: string) =>
  raw`(\s-p${option}${ESCAPES}["'])(?:${HIDDEN}|${QUOTED})|(\s-p${option})(?:${HIDDEN}|${BARE}+)`;

/** One row for each depth of strings in strings, by the quote there, as it is and as a pattern, and one inside its strings. */
const inStrings = (row: (sign: string, quote: string, inner: string) => Value): Value[] =>
  QUOTE_ESCAPES.map((count) => row(`${"\\".repeat(count)}"`, raw`\\{${count}}"`, raw`\\{${2 * count + 1}}"`));

const NEXT_COMMAND = /[\n;&|]/g;

const ADDRESS = raw`:(?://|\\{1,2}/\\{1,2}/)`;

/** Zero stands in for a number, so that JSON stays JSON. */
const hideNumber = by(raw`(${NAMES}${ESCAPES}"\s*:\s*)[1-9]\d{3,}(?=\s*[,}\]])`, "gi");

export const VALUES: readonly Value[] = [
  hinted(
    "PRIVATE KEY",
    raw`(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:${KEY_HEADER})*(?:[A-Za-z0-9+/=\s:-]|\\(?:[\\/bfnrt]|u[0-9a-fA-F]{4}))*`,
  ),
  named(
    ":",
    raw`((?:authorization|cookie|passphrase)\s*:\s*)(?!${CONSTANT}[ \t]{0,8}(?:[\r\n"'\\]|$))${LINE}`,
  ),
  hinted(
    "bearer|basic",
    raw`(${BEGIN}(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+)(?!${PLAIN_WORD})[A-Za-z0-9._~+/=-]{8,}`,
  ),
  hinted(
    raw`"auth\\{0,7}"`,
    raw`("auth${ESCAPES}"\s*:\s*${ESCAPES}")(?=[a-z]*[A-Z0-9])(?!${PLAIN_WORD})[A-Za-z0-9+/]{12,}={0,2}(?=${ESCAPES}")`,
  ),
  hinted(raw`hooks\.slack\.com`, raw`(hooks\.slack\.com/services/)[A-Za-z0-9/]{16,}`),
  hinted("whsec_", "(whsec_)[A-Za-z0-9+/=]{16,}"),
  { hint: ADDRESS, signs: ["@"], replace: redactAddresses },
  // A token in the place of a user.
  { hint: ADDRESS, signs: ["@"], replace: by(raw`(://)(?=[\w-]*\d)[\w-]{20,}(?=@)`, "g") },
  optionsOf(
    "curl",
    "curl",
    /\n/g,
    raw`(\s(?:-[a-z]{0,8}u[\s=]{0,8}|--user[\s=]{1,8})${ESCAPES}["']?[^\s:"'\\{},]+:)(?:${HIDDEN}|${BARE}+)`,
    "gi",
  ),
  optionsOf(
    `sshpass|${LOGINS}`,
    raw`sshpass|(?:${LOGINS})\s{1,8}login`,
    NEXT_COMMAND,
    password(raw`[\s=]{0,8}`),
  ),
  // Of these only what is glued to it: a word of its own is the name of a database.
  optionsOf("mysql|mariadb", "mysql(?:dump|admin)?|mariadb", NEXT_COMMAND, password("")),
  named("-", raw`(-${NAMES}\s+${ESCAPES}["'])${QUOTED}`),
  named(
    "",
    raw`(${NAMES}(?:${TYPED}|${ESCAPES}["']?\]?)\s*(?:[:?]?=|=>|\|\||\?\?)\s*${STRING_KIND}${ESCAPES}["'])${QUOTED}`,
  ),
  named(
    "( ,",
    raw`(${BEGIN}(?:define|getenv|env(?:iron)?\.get|env|putenv|header|set\w{0,24})\(\s*${ESCAPES}["'][\w.-]{0,40}?${NAMES}${ESCAPES}["']\s*,\s*${ESCAPES}["'])${QUOTED}`,
  ),
  named(":", raw`(${NAMES}\s*:\s*${STRING_KIND}${ESCAPES}["'])${QUOTED}`),
  named("' :", raw`(${NAMES}${ESCAPES}["']\s*:\s*[bru]{0,2}')${QUOTED}`),
  named(`' : "`, raw`(${NAMES}'\s*:\s*[bru]{0,2}${ESCAPES}")${QUOTED}`),
  named("=", raw`(${NAMES}=)(?!=|${CONSTANT}|\$["'\\])${unquoted(1)}`),
  named("=", raw`(${NAMES}\s*[:?]?=\s*)(?!=|${CONSTANT})${unquoted(4)}`),
  // Code compares with variables, and adds them.
  named("=", raw`(${NAMES}\s*(?:\+=|={2,3})\s*)(?!=)(?=${BARE}{0,64}\d)${unquoted(4)}`),
  named(":", raw`(${NAMES}${ESCAPES}["']\s*:\s*)(?!${TYPE}|${NUMBER})(?=${BARE}{0,64}\d)${BARE}{4,}`),
  named(
    "value :",
    raw`(${BEGIN}name:\s*["']?[\w.-]{0,40}?${NAMES}["']?(?:\s|\\{1,4}[nrt]){1,40}value:\s*)${BARE}+`,
  ),
  named(
    "value :",
    raw`(${BEGIN}name:\s*["']?[\w.-]{0,40}?${NAMES}["']?(?:\s|\\{1,4}[nrt]){1,40}value:\s*${ESCAPES}["'])${QUOTED}`,
  ),
  named(
    'alue " : ,',
    raw`("(?:name|key)${ESCAPES}"\s*:\s*${ESCAPES}"[\w.-]{0,40}?${NAMES}${ESCAPES}"\s*,\s*${ESCAPES}"value${ESCAPES}"\s*:\s*${ESCAPES}")${QUOTED}`,
  ),
  named(
    "value = <",
    raw`(\s(?:key|name)=${ESCAPES}["'][\w.:-]{0,40}?${NAMES}${ESCAPES}["']\s{1,40}value=${ESCAPES}["'])${QUOTED}`,
  ),
  hinted(
    "password|identified",
    raw`(${BEGIN}(?:(?:with|set|encrypted|user\s{1,8}[^\s"'\\{}]{1,64})\s{1,8}password|identified\s{1,8}by(?:\s{1,8}password)?)\s{1,8}')${QUOTED}`,
    "gi",
  ),
  named("ENV", raw`(${BEGIN}ENV\s{1,8}[\w-]{0,40}?${NAMES}\s{1,8})(?!=)${BARE}+`),
  named(
    "set",
    raw`(${BEGIN}(?:config(?:ure)?\s{1,8}set|setx)\s{1,8}[\w./:@-]{0,80}?${NAMES}\s{1,8})${BARE}+`,
  ),
  named("--", raw`(--[\w-]{0,40}?${NAMES}\s+)(?!-)${BARE}+${WORD}`),
  named("-", raw`(-${NAMES}\s+)${BARE}{4,}${WORD}`),
  named(":", raw`(${NAMES}:\s*)${NOT_SAID}(?!${TYPE}|[:/(=.]|(?:bearer|basic|token)[ \t]\$)${unquoted(4)}`),
  hinted("password", raw`(${BEGIN}login${GAP}[^\s"'\\{}]{1,200}${GAP}password${GAP})${BARE}+`, "gi"),
  // An option and its value as two strings of a list, and the same inside a string.
  named('" - ,', raw`("--?[\w-]{0,40}?${NAMES}"\s*,\s*")(?!-)(?:[^"\\\n]|${ESCAPE})+(?="\s*[,\]])`),
  ...inStrings((sign, quote) =>
    named(
      `${sign} - ,`,
      raw`(${quote}--?[\w-]{0,40}?${NAMES}${quote}\s*,\s*${quote})(?!-)[^"\\\n{}]+(?=${quote}\s*[,\]])`,
    ),
  ),
  named("> <", raw`(${NAMES}${ATTRIBUTES}>)[^<>"'\\\n{}\[\]]+(?=<${ESCAPES}/)`),
  hinted("pwd", raw`(${word("pwd")}\s*=\s*)(?!${FOLDER}|[(\x60])${BARE}{4,}`, "gi"),
  hinted("pwd", raw`("pwd"\s*:\s*")(?!${FOLDER})(?:[^"\\\n]|${ESCAPE})+(?="\s*[,}\]])`, "gi"),
  // "name": "value" as a member of an object, and what looks like one in other text; then the same inside a string.
  named('" :', raw`(${NAMES}"\s*:\s*")(?:[^"\\\n]|${ESCAPE})+(?="\s*[,}\]])`),
  named('" :', raw`(${NAMES}"\s*:\s*")(?:[^"\\\n{}\[\]]|\\["\\])+(?=")`),
  named('" :', raw`(${NAMES}"\s*:\s*")[^"\\\n{}\[\]]{4,}`),
  ...inStrings((sign, quote, inner) =>
    named(`${sign} :`, raw`(${NAMES}${quote}\s*:\s*${quote})(?:[^"\\\n{}]|${inner})+`),
  ),
  ...inStrings((_, quote) =>
    hinted("pwd", raw`(${quote}pwd${quote}\s*:\s*${quote})(?!${FOLDER})[^"\\\n{}]+`, "gi"),
  ),
  { hint: NAMES, signs: ['"', ":"], replace: (text) => hideNumber(text, (_, kept) => `${kept}0`) },
];
