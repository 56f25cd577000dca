/*
 * A hook's own log is none of its scripts: what a command names only to write to it, by a redirection, tee, or a call in
 * the code that it holds (python3 -c, node -e). Not seen: code that runs what it has opened to write (`f.name`), and code
 * that gives such a call another meaning.
 */

/** A shell that is made to read the quotes the other way round finds no command in such a name. */
const CHARACTER = "(?:[\\w./~@%+-]|\\$\\w+|\\$\\{\\w+[\\w:=?%/.~+-]*\\})";
/** Of a shell and of code, and those of code as a shell is given them. */
const QUOTES = ["'", '"', "\\\\'", '\\\\"', "'\\\\''", "'\"'\"'"];
const STRING = quoted(`(?:${CHARACTER}(?: ?${CHARACTER}){0,256})?`);
const WORD = `(?:${STRING}|${CHARACTER}){1,256}`;

/** `=>` and `->` are code, `<>` reads as well. */
const REDIRECTED = `(?<![<\\\\=>-])>[>|]?[ \\t]*${WORD}`;
const TEED = `(?<=^|[;&|(\\n])[ \\t]*tee(?:[ \\t]+-[\\w-]+)*[ \\t]+${WORD}`;
/** A tee that may be another program than the system's. */
const OWN_TEE = /\btee\s*\(|\b(?:function|alias|PATH)\b/;

/** 'x', HOME, process.env.HOME, os.environ['HOME'], process.cwd() */
const PART = `(?:${STRING}|[\\w.]{1,64}(?:\\[${STRING}\\]|\\(\\))?)`;
const FILE = `(?:${joined(`(?:${joined(PART)}|${PART})`)}|${PART}(?: ?[+/] ?${STRING})?)`;
/** Without a `+`: what can be read can be run. */
const MODE = `(?:mode ?= ?)?${quoted("[awx][bt]{0,2}")}`;
const OTHER_OPTION = `\\w{1,32}=${quoted("[\\w-]{0,32}")}`;
const WRITE =
  "(?:(?:append|write(?:Text)?)File(?:Sync)?|createWriteStream|(?:File|Bun)\\.write|file_put_contents)";

const WRITES = [
  REDIRECTED,
  `\\b(?:f?open|openSync)\\(${FILE}, ?(?:${OTHER_OPTION}, ?)?${MODE}`,
  `\\b${WRITE}\\(${FILE}[,)]`,
  `\\bPath\\(${FILE}\\)\\.(?:write_text\\(|write_bytes\\(|open\\(${MODE})`,
  `\\bopen\\((?:my )?\\$?\\w{1,32}, ?${quoted(">>?")}, ?${STRING}`,
];
const WRITTEN = new RegExp(WRITES.join("|"), "g");
const WRITTEN_OR_TEED = new RegExp([TEED, ...WRITES].join("|"), "g");

/** A command without what it only writes to. */
export function withoutWritten(command: string): string {
  return command.replaceAll(OWN_TEE.test(command) ? WRITTEN : WRITTEN_OR_TEED, " ");
}

function quoted(text: string): string {
  return `(?:${QUOTES.map((quote) => quote + text + quote).join("|")})`;
}

function joined(part: string): string {
  return `[\\w.]{0,64}\\b(?:Path|join|resolve|expanduser)\\(${part}(?:, ?${part}){0,8}\\)`;
}
