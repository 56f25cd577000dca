import { type EventRecord, REDACTED } from "@belay/core";
import { findObjects, OUR_FIELDS } from "@belay/core/internal";
import { NAME, NAME_SIGNS, TOKEN_SIGNS, TOKENS } from "./secret-shapes.ts";

/*
 * Replaces secrets in the JSON line of a record. JSON is redacted by the names of its keys, also JSON inside a string; all
 * other text by a few notations. A replay reads the redacted output of a hook and must decide the same. So a replacement
 * keeps every sign that JSON is made of: quotes, braces, escapes and control characters stay where they are.
 */

/** What is hidden besides the known shapes. */
export interface Secrets {
  /** Values that are hidden wherever they stand. */
  readonly values: readonly string[];
  /** The user's own patterns: each replaces its matches in a text by what `hide` makes of them. */
  readonly patterns: readonly ((text: string, hide: (match: string) => string) => string)[];
}

const NO_SECRETS: Secrets = { values: [], patterns: [] };

const raw = String.raw;

const SECRET_NAME = new RegExp(`${NAME}$`, "i");

const MAX_KNOWN = 1000;
const knownNames = new Map<string, boolean>();

/** The path of a package may end in what the package handles: node_modules/cookie. */
function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isOne = SECRET_NAME.test(name) && !name.includes("node_modules/");
  if (knownNames.size > MAX_KNOWN) knownNames.clear();
  knownNames.set(name, isOne);
  return isOne;
}

/** Shorter values stand in too many other texts. */
const MIN_VALUE = 8;
const PATH_OR_WORD = /^(?:[/~.\\]|[A-Za-z]:[\\/]|[A-Za-z]+$)/;

/**
 * The values of environment variables whose names say that they are secrets, as they are and as JSON writes them. A path and
 * a plain word are none.
 */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = isSecretName(name) || /key$/i.test(name);
    return isSecret && value.length >= MIN_VALUE && !PATH_OR_WORD.test(value) ? [value] : [];
  });
  return [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))];
}

const OTHER_SIGNS = [
  "bearer",
  "basic",
  "://",
  "begin ",
  "curl",
  "sshpass",
  "login",
  "mysql",
  ":\\",
  'auth"',
  "auth\\",
];
const SIGNS = [...NAME_SIGNS, ...TOKEN_SIGNS, ...OTHER_SIGNS];

/** No notation is shorter, value included. */
const SHORTEST = 6;

/** Whether a text can hold a secret at all. The same for its JSON: no sign holds a character that JSON escapes. */
export function mayHoldSecret(text: string, { values, patterns }: Secrets = NO_SECRETS): boolean {
  if (patterns.length > 0) return true;
  if (text.length < SHORTEST) return false;
  const lower = text.toLowerCase();
  return SIGNS.some((sign) => lower.includes(sign)) || values.some((value) => text.includes(signOf(value)));
}

/** The longest piece of a value that is written the same in JSON, and in JSON inside a string. */
function signOf(value: string): string {
  const pieces = value.split(/[^ !#-.0-[\]-~]/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** A sign that stays, or a piece of text between two of them. */
const STRUCTURE_OR_TEXT = /\\(?:u[\da-f]{4}|[\s\S])?|["'`{}\0-\x1f]|[^"'`{}\\\0-\x1f]+/gi;

function hide(secret: string): string {
  return secret.replace(STRUCTURE_OR_TEXT, (piece) =>
    /^["'`{}\\\0-\x1f]/.test(piece) || piece.trim() === "" ? piece : REDACTED,
  );
}

const isVersion = (text: string) => /^[~^]?\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(text);

/** Says where a secret stands, and is none: $TOKEN, ${TOKEN}, ${{ secrets.TOKEN }}, $(gh auth token), <token>, {token}. */
const REFERENCE = /^(?:[a-z]+ )?(?:\$[A-Z_\d]*|\$?\{{1,2}[\w.\s-]*\}{1,2}|\$\([^()]*\)?|%\w+%?|<[^<>]*>)$/i;

/** Words that stand under such names and are none: how a request treats cookies, the marks of a language model. */
const ORDINARY =
  /^(?:true|false|null|undefined|none|nil|same-origin|include|omit|\[[A-Z]{2,5}\]|<\|?\/?[a-z_]{1,16}\|?>)$/i;

const isNone = (value: string) =>
  value.trim() === "" ||
  value === REDACTED ||
  isVersion(value) ||
  REFERENCE.test(value) ||
  ORDINARY.test(value);

/** The working folder, which goes by the name of a password. */
const isFolder = (name: string, value: string) =>
  /^pwd$/i.test(name) && /^(?:[/~.$\\]|[A-Za-z]:)/.test(value);

/** Whether a whole string is a secret, by the key that it stands under. */
function isNamedSecret(key: string, value: string, isOrdinary: (value: string) => boolean): boolean {
  if (isSecretName(key)) return value !== "" && !isOrdinary(value) && !isFolder(key, value);
  return /^auth$/i.test(key) && /^(?=.*(?:\d|[a-z][A-Z]))[\w+/]{12,}={0,2}$/.test(value);
}

/** Replaces what `find` says is the secret of a match, and goes on behind it. */
function replaceFound(
  text: string,
  pattern: RegExp,
  find: (match: RegExpExecArray) => readonly [from: number, to: number] | undefined,
): string {
  const pieces: string[] = [];
  let copied = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [from, to] = find(match) ?? [0, 0];
    if (to <= from) continue;
    pieces.push(text.slice(copied, from), hide(text.slice(from, to)));
    copied = to;
    pattern.lastIndex = to;
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

/** Where a value in quotes ends. A quote of JSON inside a string has 1, 3 or 7 backslashes before it, and inside it more. */
function quotedEnd(text: string, from: number, quote: string, backslashes: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\n") return at;
    if (char !== quote && char !== '"') continue;
    let count = 0;
    while (text[at - count - 1] === "\\" && at - count > from) count += 1;
    const isInside = count % (2 * backslashes + 2) === 2 * backslashes + 1;
    if (char !== quote || !isInside) return at - Math.min(count, backslashes);
  }
  return text.length;
}

/** Between a name and its value: the end of the name's quotes, a type, and a sign. */
const TYPE = raw`(?:\s{0,8}[?!]?:\s{0,8}[\w.&'<>[\]| ]{1,40}?(?=\s?=[^=>]))?`;
const SIGN = raw`(\s{0,8}(?:=>|[:?]?=|:|\|\||\?\?|,|>)|\s{1,40}value\s{0,8}[:=]|\s(?='))`;
const NAMED = new RegExp(
  raw`(${NAME})(\\*["'\x60]?\]?)${TYPE}${SIGN}\s{0,8}(?:[bfru@$(]{0,2}(\\*)("""|'''|["'\x60]))?`,
  "gi",
);
const BARE = /[^\s"'`\\,;:&(){}[\]<>|=][^\s"'`\\,;&(){}[\]<>|]*/y;
/** So much of a value says whether it is a secret. */
const SAMPLE = /[^\s"'`\\,;:&(){}[\]<>|=][^\s"'`\\,;&(){}[\]<>|]{0,80}/y;

/** The rest of a line that holds nothing but a name and a value without a space: a line of a settings file. */
const REST_OF_LINE = /[^\s"'`\\,;&(){}[\]<>|=][^\s"'`]*(?=[ \t]*(?:#.*)?$)/my;
const LINE_BEFORE = /(?:^|\n)[ \t]*(?:export |- )?\S*$/;
const MAX_LINE_BEFORE = 80;

/** Behind the last quote of a string of JSON: the quote did not open a value. */
const GOES_ON = /\s*(?:[:,}\]]|$)/y;

const isAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** name=value, name: value, "name": "value" and the like. */
function redactNamed(text: string): string {
  return replaceFound(text, NAMED, (match) => {
    const [whole, name = "", closing = "", sign = "", slashes = "", quote] = match;
    const from = match.index + whole.length;
    const isRefused = (value: string) => isNone(value) || isFolder(name, value);
    if (quote !== undefined) {
      if (isAt(GOES_ON, text, from)) return undefined;
      const to = quotedEnd(text, from, quote.at(-1) ?? "", slashes.length);
      const value = text.slice(from, to);
      const isMember = closing !== "" && sign.endsWith(":");
      const isVariable = isLoud(name) && /[:=|?]$/.test(sign);
      return (isMember || isVariable || isLikely(value)) && !isRefused(value) ? [from, to] : undefined;
    }
    if (sign.endsWith(",") || !isAt(SAMPLE, text, from)) return undefined;
    const start = Math.max(0, match.index - MAX_LINE_BEFORE);
    const before = text.slice(start, match.index);
    const isNear = start === 0 || before.includes("\n");
    const isAlone = isNear && /^[:=]$/.test(sign) && LINE_BEFORE.test(before);
    const isLine = isAlone && isAt(REST_OF_LINE, text, from);
    const line = isLine ? text.slice(from, REST_OF_LINE.lastIndex) : "";
    const isSetting = sign === "=" || !/^[\w$.()]*$/.test(line);
    if (isLine && isSetting && !/[,;({[]$|^[$/~.]/.test(line) && !isRefused(line))
      return [from, REST_OF_LINE.lastIndex];
    const value = text.slice(from, SAMPLE.lastIndex);
    if (isRefused(value) || /^\d{1,3}$/.test(value) || /[[({]/.test(text[SAMPLE.lastIndex] ?? ""))
      return undefined;
    const isQuery = sign === "=" && /[?&#][\w.-]*$/.test(before);
    const isGiven = isLoud(name)
      ? sign === "=" || /\d/.test(value)
      : isQuery || (isLikely(value) && !isCode(value));
    return isGiven && isAt(BARE, text, from) ? [from, BARE.lastIndex] : undefined;
  });
}

/** Of a variable of the environment, in capitals. */
const isLoud = (name: string) => /^[A-Z\d_-]+$/.test(name);

/** A secret has a digit in it; words and names of variables mostly have none. */
const isLikely = (value: string) => value.length >= 4 && /\d/.test(value) && /[A-Za-z]/.test(value);

const isCode = (value: string) => /^(?:[A-Za-z_$][\w$]*\??\.)+[A-Za-z_$]|^(?:0x|\d+[a-z]?$)/.test(value);

/** --password x, --token=x, and the same as two strings of a list. */
const OPTION = new RegExp(raw`${NAME}(=|\s{1,8}|\\*["']\s{0,8},\s{0,8}(?=\\*["']))(\\*)(["']?)`, "gi");
/** Before the name, what makes it an option. */
const DASHES = /(?:^|\W)--?[\w-]*$/;
const OPTION_VALUE = /(?!-)[^\s"'\\]+/y;
/** In prose a word follows; on a command line, another option or the end. */
const ENDS_COMMAND = /\s*(?:-|["';|&)]|$)/y;

function redactOptions(text: string): string {
  return replaceFound(text, OPTION, (match) => {
    const [whole, sign = "", slashes = "", quote = ""] = match;
    const from = match.index + whole.length;
    if (!DASHES.test(text.slice(Math.max(0, match.index - 40), match.index))) return undefined;
    if (quote !== "") {
      if (isAt(GOES_ON, text, from) || text[from] === "-") return undefined;
      const to = quotedEnd(text, from, quote, slashes.length);
      return isNone(text.slice(from, to)) ? undefined : [from, to];
    }
    const to = isAt(OPTION_VALUE, text, from) ? OPTION_VALUE.lastIndex : from;
    const value = text.slice(from, to);
    const isWord = /^[a-z]+[,.:]?$/i.test(value) && sign !== "=" && !isAt(ENDS_COMMAND, text, to);
    return isNone(value) || isWord ? undefined : [from, to];
  });
}

const OPTION_TEXT = raw`(\\*(?:"(?!\s*[,:}\]])[^"\\\n]+|'(?!\s*[,:}\]])[^'"\\\n]+|[^\s"'\\]+))`;
/** Commands with an option of their own for a password, up to the next command. */
const COMMANDS: readonly (readonly [command: RegExp, password: RegExp])[] = [
  [/\bcurl\b[^\n;|]*/g, /(\s(?:-[a-z]{0,8}u\s*|--user[\s=]+)\\*["']?[^\s:"'\\]+:)([^\s"'\\]+)/i],
  [
    /\b(?:sshpass|(?:docker|podman|nerdctl)\s+login)\b[^\n;|&]*/g,
    new RegExp(raw`(\s-p[\s=]*)${OPTION_TEXT}`),
  ],
  // A word of its own behind -p is the name of a database.
  [/\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n;|&]*/g, new RegExp(raw`(\s-p)${OPTION_TEXT}`)],
];

function redactCommands(text: string): string {
  return COMMANDS.reduce(
    (redacted, [command, password]) =>
      redacted.replace(command, (line) =>
        line.replace(password, (whole, option: string, value: string) =>
          isNone(value) ? whole : option + hide(value),
        ),
      ),
    text,
  );
}

const HEADER = /\b(?:proxy-)?(?:authorization|(?:set-)?cookie)\\*["']?\s{0,8}:\s{0,8}\\*["']?/gi;
const HEADER_VALUE = /[^"'`\\\r\n{}]+/y;
const CREDENTIALS = /^(?:bearer|basic|digest|token|apikey|negotiate) +\S|^\S+=|\d/i;
/** So much of a header says whether it holds a secret. */
const HEADER_SAMPLE = 200;
const SCHEME = /\b(?:bearer|basic)\s{1,8}(?=([\w.~+/=-]{8,}))/gi;
const KEY_LIKE = /\d|[a-z][A-Z].*[a-z][A-Z]|^.{20}/;

/** Authorization and Cookie headers, and what follows "Bearer". */
function redactHeaders(text: string): string {
  const redacted = replaceFound(text, HEADER, ({ index, 0: whole }) => {
    const from = index + whole.length;
    const sample = /^[^"'`\\\r\n{}]*/.exec(text.slice(from, from + HEADER_SAMPLE))?.[0] ?? "";
    if (isNone(sample.trim()) || !CREDENTIALS.test(sample)) return undefined;
    return isAt(HEADER_VALUE, text, from) ? [from, HEADER_VALUE.lastIndex] : undefined;
  });
  return replaceFound(redacted, SCHEME, ({ index, 0: whole, 1: value = "" }) => {
    const from = index + whole.length;
    return KEY_LIKE.test(value) ? [from, from + value.length] : undefined;
  });
}

/** From "://" to the end of a word; another address may stand in it. */
const ADDRESS = /:\/\/[^\s"'`\\{}<>]+/g;
/** What stands behind a colon may also be a port. */
const USER_AND_PASSWORD = /^([^:/@[]*:)(?!\d{1,5}(?:[/?#,]|$))(.+?)(?=@[\w.-]+(?::\d{1,5})?(?:[/?#,;)]|$))/;
const TOKEN_AS_USER = /^()((?=[\w-]*\d)[\w-]{20,})(?=@)/;

/** Passwords in addresses. */
function redactAddresses(text: string): string {
  const redact = (whole: string, kept: string, secret: string) =>
    isNone(secret) ? whole : kept + hide(secret);
  return text.replace(ADDRESS, (word) =>
    word
      .split("://")
      .map((part) => part.replace(USER_AND_PASSWORD, redact).replace(TOKEN_AS_USER, redact))
      .join("://"),
  );
}

const PRIVATE_KEY = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----END)[^"'`{}])+)/g;

const TOKEN_START = raw`(?:(?<![\w.-])|(?<=\\[bfnrt]))`;
const TOKEN = new RegExp(`${TOKEN_START}(?:${TOKENS.map((row) => row.join("")).join("|")})`, "g");
const TOKEN_BEGUN = new RegExp(
  raw`${TOKEN_START}(?:${TOKENS.map(([begin]) => begin).join("|")})[\w.+/=-]{4}`,
);
const ADDRESS_BEGUN = /:\/\/[^\s:/@]*:(?!\d{1,5}$)(?=[^@]+$)/;
const SCHEME_BEGUN = /(?:bearer|basic)\s$/i;

/** Longer words at a cut are looked at from here on. */
const MAX_TAIL = 1024;

/** The last word before a cut: the beginning of a secret is enough there, because its end is missing. */
function redactTail(text: string): string {
  let start = text.length;
  while (start > Math.max(0, text.length - MAX_TAIL) && !/[\s"'\\{}<>]/.test(text[start - 1] ?? ""))
    start -= 1;
  const word = text.slice(start);
  const address = ADDRESS_BEGUN.exec(word);
  const token = TOKEN_BEGUN.exec(word);
  const isScheme = /\d/.test(word) && SCHEME_BEGUN.test(text.slice(Math.max(0, start - 10), start));
  const from = address ? address.index + address[0].length : (token?.index ?? (isScheme ? 0 : word.length));
  return text.slice(0, start + from) + hide(word.slice(from));
}

/** Text that is no JSON. `isCut`: its end is missing. */
function redactPlain(text: string, isCut: boolean, { values, patterns }: Secrets): string {
  if (text.length < SHORTEST && patterns.length === 0) return text;
  let result = text;
  for (const value of values) result = result.replaceAll(value, hide);
  for (const replace of patterns) result = replace(result, hide);
  result = result.replace(PRIVATE_KEY, (_, begin: string, key: string) => begin + hide(key));
  result = result.replace(TOKEN, REDACTED);
  for (const redact of [redactHeaders, redactAddresses, redactCommands, redactOptions, redactNamed])
    result = redact(result);
  // We cut names and quotations ourselves, and put dots there.
  const pieces = result.split("…");
  return pieces
    .map((piece, index) => (isCut || index < pieces.length - 1 ? redactTail(piece) : piece))
    .join("…");
}

/** An object or a list that is being read. */
interface Level {
  readonly isList: boolean;
  /** It stands below a secret's name: every string in it is a secret. */
  readonly isSecret: boolean;
  /** The key of the current member; a list has the key that it stands under. */
  key: string;
  /** The string before, in a list. */
  before: string;
  /** {"name": "TOKEN", "value": …}: the name is a secret's. */
  isNamed?: boolean;
  isKeyNext: boolean;
}

/** How the strings of a JSON text are redacted. */
interface Reading {
  readonly redactString: (text: string, key: string, isCut: boolean) => string;
  readonly redactKey: (key: string) => string;
  /** What stands there decides, and is no secret. */
  readonly keeps: (text: string, key: string) => boolean;
  /** What a value under a secret's name may be without being a secret. */
  readonly isOrdinary: (value: string) => boolean;
  /** The text stands below a secret's name. */
  readonly isSecret: boolean;
}

const JSON_SIGN = /["{}[\],:]|-?\d{4,}(?![\d.eE+-])/g;

/** Redacts sound JSON in place, by its keys; its end may be missing. What is not changed stays byte for byte. */
function redactJson(text: string, { redactString, redactKey, keeps, isOrdinary, isSecret }: Reading): string {
  const pieces: string[] = [];
  let copied = 0;
  const replace = (from: number, to: number, by: string) => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
  };
  const levels: Level[] = [];
  let level: Level = { isList: true, isSecret, key: "", before: "", isKeyNext: false };
  const sign = new RegExp(JSON_SIGN);
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [char] = match;
    const at = match.index;
    if (char === "{" || char === "[") {
      levels.push(level);
      const isList = char === "[";
      const below = level.isSecret || isSecretName(level.key);
      level = { isList, isSecret: below, key: isList ? level.key : "", before: "", isKeyNext: !isList };
    } else if (char === "}" || char === "]") level = levels.pop() ?? level;
    else if (char === "," || char === ":") level.isKeyNext = char === "," && !level.isList;
    else if (char !== '"') {
      if (level.isSecret || isSecretName(level.key)) replace(at, at + char.length, "0");
    } else {
      const end = quotedEnd(text, at + 1, '"', 0);
      sign.lastIndex = end + 1;
      const isCut = text[end] !== '"';
      const value = decoded(text.slice(at + 1, end));
      const name = optionBefore(level.before, value) ?? level.key;
      const isValue = level.isNamed && /^value$/i.test(level.key) && !isNone(value);
      const isHidden = (level.isSecret && value !== "") || isNamedSecret(name, value, isOrdinary) || isValue;
      if (!level.isKeyNext && /^(?:name|key)$/i.test(level.key)) level.isNamed = isSecretName(value);
      const redacted =
        level.isKeyNext && !isCut
          ? redactKey(value)
          : keeps(value, level.key)
            ? value
            : isHidden && !level.isKeyNext
              ? REDACTED
              : redactString(value, level.key, isCut);
      if (level.isKeyNext) level.key = value;
      level.before = level.isList ? value : "";
      if (redacted !== value) replace(at, end, JSON.stringify(redacted).slice(0, -1));
    }
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

/** The text of a JSON string; half an escape at a cut goes. */
function decoded(string: string): string {
  if (!string.includes("\\")) return string;
  try {
    return JSON.parse(`"${string}"`) as string;
  } catch {
    return JSON.parse(`"${string.replace(/\\(?:u[\da-f]{0,3})?$/i, "")}"`) as string;
  }
}

/** ["--name", "value"]: the option that a string of a list is the value of. */
function optionBefore(option: string, value: string): string | undefined {
  return option.startsWith("-") && /^--?[a-z][\w-]*$/i.test(option) && !value.startsWith("-")
    ? option
    : undefined;
}

/** A key that is shorter is a name. */
const SHORTEST_TOKEN = 16;

/** Before an object that is not read as a member, being among other text. */
const NAME_BEFORE = new RegExp(raw`${NAME}["']?\s{0,8}[:=]\s{0,8}\[?\s{0,8}$`, "i");

export function redactText(text: string, secrets: Secrets = NO_SECRETS, isCut = false): string {
  if (!mayHoldSecret(text, secrets)) return text;
  const redactString = (inner: string, _: string, isInnerCut: boolean) =>
    redactText(inner, secrets, isCut && isInnerCut);
  let result = "";
  let from = 0;
  for (const { start, end } of text.includes("{") ? findObjects(text, true) : []) {
    if (start < from || end - start < SHORTEST) continue;
    const isSecret = NAME_BEFORE.test(text.slice(Math.max(from, start - 100), start));
    const keeps = (value: string, key: string) => OUR_FIELDS.has(key) && /^[A-Za-z]+$/.test(value);
    const redactKey = (key: string) => (key.length < SHORTEST_TOKEN ? key : redactText(key, secrets));
    const object = text.slice(start, end);
    result += redactPlain(text.slice(from, start), false, secrets);
    result += redactJson(object, { redactString, redactKey, keeps, isOrdinary: isNone, isSecret });
    from = end;
  }
  return result + redactPlain(text.slice(from), isCut && from < text.length, secrets);
}

/** Where the output of a hook stands in a record. */
const PRINTED: ReadonlySet<string> = new Set(["stdout", "stderr", "reason", "content", "message"]);

/** A record without its secrets; the same record if it holds none. Keys, kinds and numbers stay. */
export function redactRecord(record: EventRecord, secrets: Secrets = NO_SECRETS): EventRecord {
  const json = JSON.stringify(record);
  /** The last word that a stopped hook printed may be half a secret. */
  const isStopped = record.hooks.some(({ run }) => run.truncated || run.timedOut || run.signal !== undefined);
  /** What a hook printed is also its reason and its message. */
  const known = new Map<string, string>();
  const redactString = (text: string, key: string) => {
    const isCut = isStopped && PRINTED.has(key);
    const redacted = known.get(`${isCut} ${text}`) ?? redactText(text, secrets, isCut);
    known.set(`${isCut} ${text}`, redacted);
    return redacted;
  };
  const redactKey = (key: string) => key;
  const redacted = redactJson(json, {
    redactString,
    redactKey,
    keeps: () => false,
    isOrdinary: isVersion,
    isSecret: false,
  });
  return redacted === json ? record : { ...(JSON.parse(redacted) as EventRecord), redacted: true };
}
