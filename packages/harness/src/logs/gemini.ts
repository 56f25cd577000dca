import {
  type Fields,
  FOREIGN,
  given,
  objectOf,
  objectsOf,
  promptOf,
  sessionIn,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, LogEntry, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Gemini CLI: ~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl. Measured on 0.61.0.
 *
 * A message is written again whenever it has changed; a call stands in it once it is done, with its result and the input that
 * hooks made of it. A hook leaves no line, but its refusal is the result of the call.
 */
export const geminiLog: SessionLog = {
  folders: [{ variable: "GEMINI_CLI_HOME", home: "", below: ".gemini/tmp" }],
  isLog: (path) => /(?:^|[\\/])chats[\\/](?:.*[\\/])?[^\\/]+\.jsonl$/.test(path),
  gaps: [
    "Gemini CLI writes down no runs of hooks: only what BeforeTool refused. What an AfterAgent hook asked for looks like a prompt.",
  ],
  matters: ({ head, has }) => {
    if (head.startsWith('{"$set"')) return has("<session_context>");
    return has('"toolCalls"') || /^\{"sessionId"|"type":"user"/.test(head);
  },
  reader,
};

const PRE_EVENT = "PreToolUse";

/** What the program puts before a prompt: the context of the session, and of hooks. */
const ADDED = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;
const NO_PROMPT = /^\s*<session_context>/;
const WORKSPACE = /Workspace Directories:\*\*\s+- (\S.*)/;
const BLOCKED = /^Tool execution blocked: ([\s\S]*)/;
const FAILED = /^Exit Code: [1-9]/m;

function reader(path: string): (line: Fields) => Entries {
  let session = sessionIn(path);
  let cwd: string | undefined;
  const known = new Set<string>();

  function calls(message: Fields, begun: Said): LogEntry[] {
    return objectsOf(message.toolCalls).flatMap(({ id, name, args, status, result, timestamp }) => {
      if (typeof id !== "string" || typeof name !== "string" || known.has(id)) return [];
      known.add(id);
      const output = objectOf(objectOf(objectsOf(result)[0]?.functionResponse).response);
      const words = textOf(output.error) ?? textOf(output.output) ?? "";
      const failed = status !== "success" || FAILED.test(words);
      const [, reason] = BLOCKED.exec(words) ?? [];
      const time = textOf(timestamp) ?? begun.time;
      const denied =
        reason !== undefined
          ? ({ deniedBy: "hook", event: PRE_EVENT, reason } as const)
          : status === "cancelled" && ({ deniedBy: "user", reason: words } as const);
      return [
        { ...begun, kind: "call", id, tool: name, input: objectOf(args) },
        { ...begun, time, kind: "result", id, output: words, failed, ...denied },
      ];
    });
  }

  return (line) => {
    const changed = objectsOf(objectOf(line.$set).messages);
    if (changed.length > 0) {
      cwd ??= changed.flatMap(({ content }) => WORKSPACE.exec(wordsOf(content))?.[1] ?? [])[0];
      return [];
    }
    if (typeof line.sessionId === "string") {
      session = line.sessionId;
      const time = textOf(line.startTime);
      return time === undefined ? FOREIGN : [{ session, time, kind: "start" }];
    }
    const { id, timestamp: time, content } = line;
    if (typeof time !== "string") return FOREIGN;
    const said: Said = { session, time, ...given({ cwd }) };
    if (line.type !== "user") return calls(line, said);
    const words = wordsOf(content);
    cwd ??= WORKSPACE.exec(words)?.[1];
    const prompt = words.replace(ADDED, "");
    const isKnown = typeof id === "string" && known.has(id);
    if (typeof id === "string") known.add(id);
    return isKnown || NO_PROMPT.test(prompt) ? [] : promptOf(said, prompt);
  };
}
