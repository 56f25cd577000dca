/** A tool call that a sentence asks for. */
export interface Wish {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Sentence {
  readonly tool: string;
  /** As it stands in the list of what can be said. */
  readonly example: string;
  readonly pattern: RegExp;
  input(groups: Readonly<Record<string, string>>): Wish["input"];
  /** What was done, for "I …": past tense, and what it was done to. */
  readonly done: string;
  /** The same after "I could not". */
  readonly undone: string;
  /** Which field of the input says what it was done to. */
  readonly about: string;
}

/** "Run them", "read it": what they point to is not known here. In quotes it is a name like any other. */
const POINTER = String.raw`(?!(?:it|them|this|that|these|those|all|both|everything)[,.:;!?]*(?:\s|$))`;
/** "Run the tests", "run a build", "run prettier, eslint": no command begins like this. */
const PROSE = String.raw`(?!(?:the|your|its|their|some|any|tests)\b(?:[.!]*$|\s)|an?\s+[a-z]|\S+[,?!](?:\s|$))`;
const PLACE = String.raw`${POINTER}(?:"[^"]+"|\`[^\`]+\`|'[^']+'|\S+)`;
/** A path in front of a colon; a drive letter's own colon does not end it. */
const TITLE = String.raw`${POINTER}(?:"[^"]+"|\`[^\`]+\`|'[^']+'|(?:[A-Za-z]:[\\/])?[^\s:]+)`;

/** Everything the offline model understands: a row per tool. */
export const SENTENCES: readonly Sentence[] = [
  {
    tool: "Bash",
    example: "run ls -la",
    pattern: new RegExp(String.raw`^(?:run|execute)\s+${POINTER}${PROSE}(?<command>\S.*)$`, "is"),
    input: ({ command = "" }) => ({ command: bare(command) }),
    done: "ran",
    undone: "run",
    about: "command",
  },
  {
    tool: "Read",
    example: "read README.md",
    pattern: new RegExp(String.raw`^(?:read|open|show)\s+(?:(?:me|the|file)\s+)*(?<path>${PLACE})$`, "i"),
    input: ({ path = "" }) => ({ file_path: bare(path) }),
    done: "read",
    undone: "read",
    about: "file_path",
  },
  {
    tool: "Write",
    example: "write notes.txt: hello",
    pattern: new RegExp(String.raw`^(?:write|create)\s+(?<path>${TITLE})\s*:\s*(?<content>.*)$`, "is"),
    input: ({ path = "", content = "" }) => ({ file_path: bare(path), content: bare(content) }),
    done: "wrote",
    undone: "write",
    about: "file_path",
  },
  {
    tool: "Edit",
    example: "edit notes.txt: hello -> goodbye",
    pattern: new RegExp(
      String.raw`^(?:edit|change)\s+(?<path>${TITLE})\s*:\s*(?<from>.+?)\s*(?:->|→)\s*(?<to>.*)$`,
      "is",
    ),
    input: ({ path = "", from = "", to = "" }) => ({
      file_path: bare(path),
      old_string: bare(from),
      new_string: bare(to),
    }),
    done: "edited",
    undone: "edit",
    about: "file_path",
  },
  {
    tool: "Glob",
    example: "find **/*.ts",
    pattern: new RegExp(String.raw`^(?:find|list)\s+(?:files\s+)?(?<pattern>${PLACE})$`, "i"),
    input: ({ pattern = "" }) => ({ pattern: bare(pattern) }),
    done: "looked for files like",
    undone: "look for files like",
    about: "pattern",
  },
  {
    tool: "Grep",
    example: "search for foo in src",
    pattern: new RegExp(
      String.raw`^(?:search|grep)\s+(?:for\s+)?(?<pattern>.+?)(?:\s+in\s+(?<path>${PLACE}))?$`,
      "i",
    ),
    input: ({ pattern = "", path }) => ({
      pattern: bare(pattern),
      ...(path !== undefined && { path: bare(path) }),
    }),
    done: "searched for",
    undone: "search for",
    about: "pattern",
  },
  {
    tool: "Task",
    example: "ask a subagent to read README.md",
    pattern: /^(?:ask|tell)\s+(?:a|the)\s+subagent\s+to\s+(?<prompt>.+)$/is,
    input: ({ prompt = "" }) => ({ description: shortened(bare(prompt), 40), prompt: bare(prompt) }),
    done: "asked a subagent to",
    undone: "ask a subagent to",
    about: "prompt",
  },
];

/** What one sentence asks for, if it is one of those above. */
export function wishOf(text: string): Wish | undefined {
  const sentence = plain(text);
  for (const { tool, pattern, input } of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found) return { name: tool, input: input(found.groups ?? {}) };
  }
  return undefined;
}

const COURTESY = "(?:please|first|now|next|then|also|could you|can you|would you)[,:]?\\s+";
const POLITE = new RegExp(`^${COURTESY}`, "i");

/** How every sentence begins: tested first, because it is quick. */
export const VERB = new RegExp(
  String.raw`^\s*(?:${COURTESY})*(?:run|execute|read|open|show|write|create|edit|change|find|list|search|grep|ask|tell)\s`,
  "i",
);

/** Without courtesies, and without the full stop of a sentence; `ls .` and `ls ..` keep theirs. */
function plain(text: string): string {
  let rest = text.trim();
  const isQuestion = /^(?:could|can|would) you\b/i.test(rest) && rest.endsWith("?");
  if (isQuestion) rest = rest.slice(0, -1);
  while (POLITE.test(rest)) rest = rest.replace(POLITE, "");
  rest = rest.replace(/[,\s]+please[.!]?$/i, "").replace(/\s+at once[.!]?$/i, "");
  return rest.replace(/(?<=[\w"'`)])\.$/, "");
}

const QUOTED = /^(["'`])(?<inner>(?:(?!\1).)*)\1$/s;

/** Quotes around all of it only keep it together. */
function bare(text: string): string {
  const trimmed = text.trim();
  return QUOTED.exec(trimmed)?.groups?.inner ?? trimmed;
}

export function shortened(text: string, length: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
