import { type EventRecord, REDACTED } from "@belay/core";
import { findObjects, OUR_FIELDS } from "@belay/core/internal";
import { NAME, NAME_SIGNS, TOKENS } from "./secret-shapes.ts";

/*
 * Replaces secrets in the JSON line of a record. JSON is redacted by the names of its keys, also JSON inside a string; all
 * other text by six notations. A replay reads the redacted output of a hook and must decide the same. So a replacement
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
/** No name of a secret has a longer end. */
const MAX_NAME = 60;

/** The cheap look before the pattern, which costs 2 ms in a fresh process. */
function hasNameSign(lower: string): boolean {
  return NAME_SIGNS.some((sign) => lower.includes(sign));
}

/** The path of a package may end in what the package handles: node_modules/cookie. */
function isSecretName(name: string): boolean {
  const end = name.slice(-MAX_NAME);
  return hasNameSign(end.toLowerCase()) && SECRET_NAME.test(end) && !end.includes("node_modules/");
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
    const isLikely = value.length >= MIN_VALUE && !PATH_OR_WORD.test(value);
    return isLikely && (/key$/i.test(name) || isSecretName(name)) ? [value] : [];
  });
  return [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))];
}

/** In lower case: every notation holds a name or one of these. */
const OTHER_SIGNS = ["bearer", "basic", "://", ":\\", "begin ", "curl", "login", "mysql", "mariadb"];
const BEGINNINGS = TOKENS.flatMap(([beginnings]) => beginnings.split(" "));

/** Whether a text can hold a secret at all. The same for its JSON: no sign holds a character that JSON escapes. */
export function mayHoldSecret(text: string, { values, patterns }: Secrets = NO_SECRETS): boolean {
  if (patterns.length > 0) return true;
  const lower = text.toLowerCase();
  return (
    hasNameSign(lower) ||
    OTHER_SIGNS.some((sign) => lower.includes(sign)) ||
    BEGINNINGS.some((beginning) => text.includes(beginning)) ||
    values.some((value) => text.includes(signOf(value)))
  );
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
const ORDINARY = /^(?:true|false|null|undefined|none|nil|same-origin|include|omit|\[[A-Z]{2,5}\])$/i;

const isNone = (value: string) =>
  value.trim() === "" ||
  value === REDACTED ||
  isVersion(value) ||
  REFERENCE.test(value) ||
  ORDINARY.test(value);

/** The working folder, which goes by the name of a password. */
const isFolder = (name: string, value: string) =>
  /^pwd$/i.test(name) && /^(?:[/~.$\\]|[A-Za-z]:)/.test(value);

/** A secret has a digit in it; words and names of variables mostly have none. */
const isLikely = (value: string) => value.length >= 4 && /\d/.test(value) && /[A-Za-z]/.test(value);

const isCode = (value: string) => /^(?:[A-Za-z_$][\w$]*\??\.)+[A-Za-z_$]|^(?:0x|\d+[a-z]?$)/.test(value);

/** A variable of the environment, in capitals. */
const isLoud = (name: string) => /^[A-Z\d_-]+$/.test(name);

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

/** Between a name and its value: the end of the name's quotes, a type, and a sign. Behind an option a space is enough. */
const TYPE = raw`(?:\s{0,8}[?!]?:\s{0,8}[\w.&'<>[\]| ]{1,40}?(?=\s?=[^=>]))?`;
const OPTION = raw`(?<=(?:^|\W)--?[\w-]{0,60})`;
const SIGN = raw`(\s{0,8}(?:=>|[:?]?=|:|\|\||\?\?|,|>)|\s{1,40}value\s{0,8}[:=]|\s(?=')|${OPTION}\s(?=[^-]))`;
const NAMED = new RegExp(
  raw`(${NAME})(\\*["'\x60]?\]?)${TYPE}${SIGN}\s{0,8}(?:[bfru@$(]{0,2}(\\*)("""|'''|["'\x60]))?`,
  "gi",
);
const IS_OPTION = new RegExp(`${OPTION}$`);
const WORD = /[^\s"'`\\,;:&(){}[\]<>|=][^\s"'`\\,;&(){}[\]<>|]*/y;
const OPTION_WORD = /[^\s"'\\]+/y;
/** In prose a word follows an option; on a command line, another option or the end. */
const ENDS_COMMAND = /\s*(?:-|["';|&)]|$)/y;
/** Behind the last quote of a string of JSON: the quote did not open a value. */
const GOES_ON = /\s*(?:[:,}\]]|$)/y;

const isAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** name=value, name: value, "name": "value", --name value and the like. A rejected word is not searched again. */
function redactNamed(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match; match = NAMED.exec(text)) {
    const [whole, name = "", closing = "", sign = "", slashes = "", quote] = match;
    const from = match.index + whole.length;
    const isOption = IS_OPTION.test(text.slice(Math.max(0, match.index - 40), match.index));
    let to = from;
    if (quote === undefined) {
      const word = isOption ? OPTION_WORD : WORD;
      if (!isAt(word, text, from)) continue;
      to = word.lastIndex;
      NAMED.lastIndex = to;
    } else {
      if (isAt(GOES_ON, text, from)) continue;
      to = quotedEnd(text, from, quote.at(-1) ?? "", slashes.length);
    }
    const value = text.slice(from, to);
    if (isNone(value) || isFolder(name, value)) continue;
    const isProse = () =>
      !quote && /^\s/.test(sign) && /^[a-z]+[,.:]?$/i.test(value) && !isAt(ENDS_COMMAND, text, to);
    const isMember = () => closing !== "" && sign.endsWith(":");
    const isCall = () => sign.endsWith(",") || /[[({]/.test(text[to] ?? "") || /^\d{1,3}$/.test(value);
    const isSecret = isOption
      ? !value.startsWith("-") && !isProse()
      : quote !== undefined
        ? isMember() || (isLoud(name) && /[:=|?]$/.test(sign)) || isLikely(value)
        : !isCall() && ((isLoud(name) && sign === "=") || (isLikely(value) && !isCode(value)));
    if (!isSecret) continue;
    pieces.push(text.slice(copied, from), hide(value));
    copied = to;
    NAMED.lastIndex = to;
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

const QUOTED_OR_WORD = raw`(\\*(?:"(?!\s*[,:}\]])[^"\\\n]+|'(?!\s*[,:}\]])[^'"\\\n]+|[^\s"'\\]+))`;
const SETTING = raw`^([ \t]*(?:export |- )?[^\s"'\x60]{0,60}?${NAME}(?:=[ \t]{0,8}|:[ \t]{0,8}(?=\S*[^\s\w$.()])))([^\s"'\x60\\:,;&(){}[\]<>|=$/~.][^\s"'\x60]*)(?<![,;({[])(?=[ \t]*(?:#.*)?$)`;

/** Notations without a name, and lines of settings. Each has what stays and what is hidden; `within` is where it may stand. */
const NOTATIONS: readonly { readonly secret: RegExp; readonly within?: RegExp }[] = [
  { secret: /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----END)[^"'`{}])+)/g },
  {
    within: /\b(?:proxy-)?(?:authorization|(?:set-)?cookie)\\*["']?\s{0,8}:[^\r\n]+/gi,
    secret:
      /^([^:]*:\s{0,8}\\*["']?)(?=(?:bearer|basic|digest|token|apikey|negotiate) +\S|[^\s"'`\\{}]+=|[^"'`\\{}]*\d)([^\s"'`\\{}][^"'`\\{}]*)/i,
  },
  {
    within: /\b(?:bearer|basic)\s{1,8}[\w.~+/=-]{5,}/gi,
    secret: /^(\w+\s+)(?=.*\d|.*[a-z][A-Z].*[a-z][A-Z]|.{20})(.+)/,
  },
  // From "://" to the end of a word; another address may stand in it. What stands behind a colon may also be a port.
  {
    within: /(?<=:\/\/)(?:(?!:\/\/)[^\s"'`\\{}<>])+/g,
    secret: /^([^:/@[]*:)(?!\d{1,5}(?:[/?#,]|$))(.+?)(?=@[\w.-]+(?::\d{1,5})?(?:[/?#,;)]|$))/,
  },
  { secret: /((?<=:\/\/))((?=[\w-]*\d)[\w-]{20,})(?=@)/g },
  // A line of a settings file holds nothing but a name and a value without a space.
  { secret: new RegExp(SETTING, "gim") },
  {
    within: /\bcurl\b[^\n;|]*/g,
    secret: /(\s(?:-[a-z]{0,8}u\s*|--user[\s=]+)\\*["']?[^\s:"'\\]+:)([^\s"'\\]+)/i,
  },
  {
    within: /\b(?:sshpass|(?:docker|podman|nerdctl)\s+login)\b[^\n;|&]*/g,
    secret: new RegExp(raw`(\s-p[\s=]*)${QUOTED_OR_WORD}`),
  },
  // A word of its own behind -p is the name of a database.
  {
    within: /\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n;|&]*/g,
    secret: new RegExp(raw`(\s-p)${QUOTED_OR_WORD}`),
  },
];

const TOKEN_START = raw`(?:(?<![\w.-])|(?<=\\[bfnrt]))`;
const asPattern = (beginnings: string) => `(?:${beginnings.replaceAll(".", "\\.").replaceAll(" ", "|")})`;
const TOKEN = new RegExp(
  `${TOKEN_START}(?:${TOKENS.map(([beginnings, rest]) => asPattern(beginnings) + rest).join("|")})`,
  "g",
);
/** How a token or an address with a password begins. */
const BEGUN = new RegExp(
  raw`${TOKEN_START}${asPattern(BEGINNINGS.join(" "))}(?=[\w.+/=-]{4})|:\/\/[^\s:/@]*:(?!\d{1,5}$)(?=[^@]+$)`,
);
/** Of a longer word at a cut, this much is looked at. */
const MAX_TAIL = 1024;

/** The last word before a cut: the beginning of a secret is enough there, because its end is missing. */
function redactTail(text: string): string {
  const word =
    text
      .slice(-MAX_TAIL)
      .split(/[\s"'\\{}<>]/)
      .at(-1) ?? "";
  const begun = BEGUN.exec(word);
  if (!begun) return text;
  const from = text.length - word.length + begun.index + begun[0].length;
  return text.slice(0, from) + hide(text.slice(from));
}

/** Text that is no JSON. `isCut`: its end is missing. */
function redactPlain(text: string, isCut: boolean, { values, patterns }: Secrets): string {
  let result = text;
  for (const value of values) result = result.replaceAll(value, hide);
  for (const replace of patterns) result = replace(result, hide);
  result = result.replace(TOKEN, REDACTED);
  const hideSecret = (whole: string, kept: string, value: string) =>
    isNone(value.trim()) ? whole : kept + hide(value);
  for (const { within, secret } of NOTATIONS)
    result = within
      ? result.replace(within, (found) => found.replace(secret, hideSecret))
      : result.replace(secret, hideSecret);
  result = redactNamed(result);
  // We cut names and quotations ourselves, and put dots there.
  const pieces = result.split("…");
  return pieces
    .map((piece, index) => (isCut || index < pieces.length - 1 ? redactTail(piece) : piece))
    .join("…");
}

/** An object or a list that is being read. */
interface Level {
  readonly isList: boolean;
  /** It stands below a secret's name. */
  readonly isBelow: boolean;
  /** The key of the current member; a list has the key that it stands under. */
  key: string;
  /** What comes next is a secret: by its key, a key further out, or the option before it in a list. */
  isSecret: boolean;
  /** {"name": "TOKEN", "value": …}: the name is a secret's. */
  isNamed: boolean;
}

/** How a JSON text is redacted. */
interface Reading {
  readonly redactString: (text: string, key: string, isCut: boolean) => string;
  /** The text is a whole record: its keys stay, and under a secret's name everything but a version is a secret. */
  readonly isRecord: boolean;
  /** The text stands below a secret's name. */
  readonly isSecret: boolean;
}

const JSON_SIGN = /["{}[\]]|-?\d{4,}(?![\d.eE+-])/g;
const COLON = /\s*:\s*/y;
/** A key that is shorter is a name. */
const SHORTEST_TOKEN = 16;
/** What a member called "auth" of a file of logins holds. */
const BASE64 = /^(?=.*(?:\d|[a-z][A-Z]))[\w+/]{12,}={0,2}$/;

/** Redacts sound JSON in place, by its keys; its end may be missing. What is not changed stays byte for byte. */
function redactJson(text: string, { redactString, isRecord, isSecret }: Reading): string {
  const pieces: string[] = [];
  let copied = 0;
  /** Where the value of the last key begins. */
  let valueAt = -1;
  const levels: Level[] = [];
  let level: Level = { isList: true, isBelow: isSecret, key: "", isSecret, isNamed: false };
  const replace = (from: number, to: number, by: string) => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
  };
  const redactKey = (key: string, isCut: boolean) => {
    level.key = key;
    level.isSecret = level.isBelow || isSecretName(key) || (level.isNamed && /^value$/i.test(key));
    return isRecord || (key.length < SHORTEST_TOKEN && !isCut) ? key : redactString(key, "", isCut);
  };
  const redactValue = (value: string, isCut: boolean) => {
    const { key, isList, isBelow } = level;
    const isNamedSecret = level.isSecret && !(isList && !isBelow && value.startsWith("-"));
    const isNoSecret = isRecord ? isVersion : isNone;
    const isOrdinary = value === "" || (!isBelow && isNoSecret(value)) || isFolder(key, value);
    if (isList) level.isSecret = isBelow || (/^--?[a-z][\w-]*$/i.test(value) && isSecretName(value));
    else if (/^(?:name|key)$/i.test(key)) level.isNamed = isSecretName(value);
    // What stands there decides, and is no secret.
    if (!isRecord && OUR_FIELDS.has(key) && /^[A-Za-z]+$/.test(value)) return value;
    const isHidden = isNamedSecret || (/^auth$/i.test(key) && BASE64.test(value));
    return isHidden && !isOrdinary ? REDACTED : redactString(value, key, isCut);
  };
  const sign = new RegExp(JSON_SIGN);
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [char] = match;
    const at = match.index;
    if (char === "{" || char === "[") {
      levels.push(level);
      const isList = char === "[";
      const isBelow = level.isSecret;
      level = { isList, isBelow, key: isList ? level.key : "", isSecret: isBelow, isNamed: false };
    } else if (char === "}" || char === "]") level = levels.pop() ?? level;
    else if (char !== '"') {
      if (level.isSecret) replace(at, at + char.length, "0");
    } else {
      const end = quotedEnd(text, at + 1, '"', 0);
      sign.lastIndex = end + 1;
      const value = decoded(text.slice(at + 1, end));
      const isKey = !level.isList && at !== valueAt;
      if (isKey && isAt(COLON, text, end + 1)) valueAt = COLON.lastIndex;
      const redacted = (isKey ? redactKey : redactValue)(value, text[end] !== '"');
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

/** Before an object that is not read as a member, being among other text. */
const NAME_BEFORE = new RegExp(raw`${NAME}["']?\s{0,8}[:=]\s{0,8}\[?\s{0,8}$`, "i");

/** `isCut`: the end of the text is missing. */
export function redactText(text: string, secrets: Secrets = NO_SECRETS, isCut = false): string {
  if (!mayHoldSecret(text, secrets)) return text;
  const redactString = (inner: string, _: string, isInnerCut: boolean) =>
    redactText(inner, secrets, isInnerCut);
  let result = "";
  let from = 0;
  for (const { start, end } of text.includes("{") ? findObjects(text, true) : []) {
    if (start < from) continue;
    const isSecret = NAME_BEFORE.test(text.slice(Math.max(from, start - 100), start));
    result += redactPlain(text.slice(from, start), false, secrets);
    result += redactJson(text.slice(start, end), { redactString, isRecord: false, isSecret });
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
  const redacted = redactJson(json, { redactString, isRecord: true, isSecret: false });
  return redacted === json ? record : { ...(JSON.parse(redacted) as EventRecord), redacted: true };
}
