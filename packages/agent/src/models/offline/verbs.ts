/** A tool call that a sentence asks for. */
export interface Wish {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Verb {
  readonly tool: string;
  /** As it stands in the list of what can be said. */
  readonly example: string;
  /** How a sentence begins. */
  readonly verbs: string;
  /** What follows. Each group becomes the field of the input that has its name; the first says what is done something to. */
  readonly rest: string;
  /** For "I …": what was done. */
  readonly done: string;
  /** For "I could not …". */
  readonly undone: string;
}

/** "Run them", "read it": what they point to is not known here. In quotes it is a name like any other. */
const POINTER = String.raw`(?!(?:it|them|this|that|these|those|all|both|everything)[,.:;!?]*(?:\s|$))`;
/** "Run the tests", "run a build", "run prettier, eslint": no command begins like this. */
const PROSE = String.raw`(?!(?:the|your|its|their|some|any|tests)\b(?:[.!]*$|\s)|an?\s+[a-z]|\S+[,?!](?:\s|$))`;
const QUOTED = String.raw`"[^"]+"|\`[^\`]+\`|'[^']+'`;
const PLACE = String.raw`${POINTER}(?:${QUOTED}|\S+)`;
/** A path in front of a colon; a drive letter's own colon does not end it. */
const TITLE = String.raw`${POINTER}(?:${QUOTED}|(?:[A-Za-z]:[\\/])?[^\s:]+)`;

/** Everything the offline model understands: a row per tool. */
export const VERBS: readonly Verb[] = [
  {
    tool: "Bash",
    example: "run ls -la",
    verbs: "run|execute",
    rest: String.raw`${POINTER}${PROSE}(?<command>\S[\s\S]*)`,
    done: "ran",
    undone: "run",
  },
  {
    tool: "Read",
    example: "read README.md",
    verbs: "read|open|show",
    rest: String.raw`(?:(?:me|the|file)\s+)*(?<file_path>${PLACE})`,
    done: "read",
    undone: "read",
  },
  {
    tool: "Write",
    example: "write notes.txt: hello",
    verbs: "write|create",
    rest: String.raw`(?<file_path>${TITLE})\s*:\s*(?<content>[\s\S]*)`,
    done: "wrote",
    undone: "write",
  },
  {
    tool: "Edit",
    example: "edit notes.txt: hello -> goodbye",
    verbs: "edit|change",
    rest: String.raw`(?<file_path>${TITLE})\s*:\s*(?<old_string>[\s\S]+?)\s*(?:->|→)\s*(?<new_string>[\s\S]*)`,
    done: "edited",
    undone: "edit",
  },
  {
    tool: "Glob",
    example: "find **/*.ts",
    verbs: "find|list",
    rest: String.raw`(?:files\s+)?(?<pattern>${PLACE})`,
    done: "looked for files like",
    undone: "look for files like",
  },
  {
    tool: "Grep",
    example: "search for foo in src",
    verbs: "search|grep",
    rest: String.raw`(?:for\s+)?(?<pattern>.+?)(?:\s+in\s+(?<path>${PLACE}))?`,
    done: "searched for",
    undone: "search for",
  },
  {
    tool: "Task",
    example: "ask a subagent to read README.md",
    verbs: "ask|tell",
    rest: String.raw`(?:a|the)\s+subagent\s+to\s+(?<prompt>[\s\S]+)`,
    done: "asked a subagent to",
    undone: "ask a subagent to",
  },
];

/** The field of the input that says what it was done to. */
export function aboutOf({ rest }: Verb): string {
  return /\(\?<(\w+)>/.exec(rest)?.[1] ?? "";
}

const PATTERNS = VERBS.map(({ tool, verbs, rest }) => ({
  tool,
  pattern: new RegExp(String.raw`^(?:${verbs})\s+${rest}$`, "i"),
}));

/** What one sentence asks for, if it begins with a verb of the table. */
function wishOf(text: string): Wish | undefined {
  const sentence = plain(text);
  for (const { tool, pattern } of PATTERNS) {
    const groups = pattern.exec(sentence)?.groups;
    if (!groups) continue;
    const given = Object.entries(groups).filter(([, value]) => value !== undefined);
    const input = Object.fromEntries(given.map(([field, value]) => [field, bare(value)]));
    const { prompt } = input;
    return { name: tool, input: prompt ? { description: shortened(prompt, 40), prompt } : input };
  }
  return undefined;
}

const COURTESY = String.raw`(?:please|first|now|next|then|also|could you|can you|would you)[,:]?\s+`;
const POLITE = new RegExp(`^(?:${COURTESY})+`, "i");
const BEGINNING = new RegExp(
  String.raw`^\s*(?:${COURTESY})*(?:${VERBS.map(({ verbs }) => verbs).join("|")})\s`,
  "i",
);

function beginsWithVerb(text: string): boolean {
  return BEGINNING.test(text);
}

/** Without courtesies, and without the full stop of a sentence; `ls .` and `ls ..` keep theirs. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/(?<=^(?:could|can|would) you\b[\s\S]*)\?$/i, "")
    .replace(POLITE, "")
    .replace(/[,\s]+please[.!]?$/i, "")
    .replace(/\s+at once[.!]?$/i, "")
    .replace(/(?<=[\w"'`)])\.$/, "");
}

const IN_QUOTES = /^(["'`])(?<inner>(?:(?!\1)[\s\S])*)\1$/;

/** Quotes around all of it only keep it together. */
function bare(text: string): string {
  const trimmed = text.trim();
  return IN_QUOTES.exec(trimmed)?.groups?.inner ?? trimmed;
}

export function shortened(text: string, length: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** Wishes of one step are called for at once; steps come one after another. */
export interface Plan {
  readonly steps: readonly (readonly Wish[])[];
  /** Parts of the text that were not understood. */
  readonly unclear: readonly string[];
}

const AFTER = /[;,.]?\s(?:and\s)?then\s|[;.]\s/gi;
const AT_ONCE = /,\s(?:and\s)?|\sand\s/gi;

/**
 * What a prompt asks for. A separator counts only outside of quotes and where a verb follows: "write list.txt: bread and
 * butter" is one wish. A new line is a step of its own, except in what is written to a file.
 */
export function planOf(prompt: string): Plan {
  const isNewLine = (next: string, before: string) => beginsWithVerb(next) || !IS_WRITTEN.test(before);
  const parts = split(prompt, /\n/g, isNewLine)
    .flatMap((line) => split(line, AFTER))
    .map((step) => split(step, AT_ONCE));
  const steps = parts.map((step) => step.map(wishOf).filter((wish) => wish !== undefined));
  return {
    steps: steps.filter((step) => step.length > 0),
    unclear: parts.flat().filter((part) => wishOf(part) === undefined && !isFrame(part.trim())),
  };
}

const IS_WRITTEN = /^\s*(?:please\s+)?(?:write|create)\s[^\n]*:/i;

/** Asks for nothing: "Please do this:", or a line that is quoted. */
function isFrame(part: string): boolean {
  return part === "" || part.endsWith(":") || part.startsWith(">");
}

/** Bounds what is read of a hook's words. */
const READ_OF_HOOK = 4000;

/**
 * What a hook's words ask for. Every sentence stands alone, and an instruction is at its beginning, behind a colon or
 * behind "then": in the middle of one, "and run" may mean anything.
 */
export function planOfHook(words: string): Plan["steps"] {
  return words
    .slice(0, READ_OF_HOOK)
    .split(/(?<=[.!?])\s|\n/)
    .flatMap((sentence) => split(sentence, /:\s/g))
    .flatMap((sentence) => split(withoutTail(sentence), AFTER))
    .filter(beginsWithVerb)
    .flatMap((sentence) => planOf(sentence).steps);
}

/** "Run npm test before you stop": the rest of such a sentence is no part of the command. */
function withoutTail(sentence: string): string {
  return sentence.replace(/\s(?:before you|first|again)\b[^"`]*$/i, "");
}

/** Splits at the separators that count, by what stands behind and before them. */
function split(
  text: string,
  separator: RegExp,
  counts: (next: string, before: string) => boolean = beginsWithVerb,
): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of withoutQuoted(text).matchAll(separator)) {
    const next = index + found.length;
    if (index < start || !counts(text.slice(next), text.slice(start, index))) continue;
    parts.push(text.slice(start, index));
    start = next;
  }
  return [...parts, text.slice(start)];
}

/** Of the same length, without the separators in quotes and in lines that are quoted. */
function withoutQuoted(text: string): string {
  const quoted = /^>.*|"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/gm;
  return text.replaceAll(quoted, (found) => "_".repeat(found.length));
}
