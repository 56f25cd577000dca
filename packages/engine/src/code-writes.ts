/*
 * What the code in a command (python3 -c, node -e, …) only writes to: a hook's own log is none of its scripts, as behind a
 * `>>`. Only a name that stands in the call itself is read so; whatever is in doubt stays a file that may be run.
 */

/** A plain name: a shell that is made to read the quotes the other way round cannot find a command in it. */
const NAME = "(?:[\\w./~@%+-]|\\$\\w+|\\$\\{\\w+\\}){0,256}";
/** Quotes of code, as a shell is given them. */
const QUOTES = ["'", '"', "\\\\'", '\\\\"', "'\\\\''", "'\"'\"'"];
const STRING = quoted(NAME);
/** 'x', HOME, process.env.HOME, os.environ['HOME'], process.cwd() */
const PART = `(?:${STRING}|[\\w.]{1,64}(?:\\[${STRING}\\]|\\(\\))?)`;
const JOINED = joined(PART);
const FILE = `(?:${joined(`(?:${JOINED}|${PART})`)}|${PART}(?: ?[+/] ?${STRING})?)`;
/** Without a `+`: what can be read can be run. */
const MODE = `(?:mode ?= ?)?${quoted("[awx][bt]{0,2}")}`;
const OTHER_OPTION = `\\w{1,32}=${quoted("[\\w-]{0,32}")}`;

const OPENS = "f?open|openSync";
const WRITES =
  "(?:append|write(?:Text)?)File(?:Sync)?|createWriteStream|(?:File|Bun)\\.write|file_put_contents";

const CALL = new RegExp(
  [
    `\\b(?:${OPENS})\\(${FILE}, ?(?:${OTHER_OPTION}, ?)?${MODE}`,
    `\\b(?:${WRITES})\\(${FILE}[,)]`,
    `\\bPath\\(${FILE}\\)\\.(?:write_text\\(|write_bytes\\(|open\\(${MODE})`,
    `\\bopen\\((?:my )?\\$?\\w{1,32}, ?${quoted(">>?")}, ?${STRING}`,
  ].join("|"),
  "g",
);
const NAMES = new RegExp(STRING, "g");

/** A call of such a name may then be anything. */
const OWN = new RegExp(
  `\\b(?:def|function|sub|as|import)\\s+(?:${OPENS}|${WRITES})\\b|\\b(?:${OPENS}|${WRITES}|Path)\\s*=(?!=)|\\b(?:def|class|as)\\s+Path\\b`,
);

/** A command without the names that its code only writes to. */
export function withoutCodeWrites(command: string): string {
  return OWN.test(command) ? command : command.replaceAll(CALL, (call) => call.replaceAll(NAMES, "''"));
}

function quoted(text: string): string {
  return `(?:${QUOTES.map((quote) => quote + text + quote).join("|")})`;
}

function joined(part: string): string {
  return `[\\w.]{0,64}\\b(?:Path|join|resolve|expanduser)\\(${part}(?:, ?${part}){0,8}\\)`;
}
