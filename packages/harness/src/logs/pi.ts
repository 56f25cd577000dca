import {
  callOf,
  type Fields,
  FOREIGN,
  given,
  objectOf,
  objectsOf,
  promptOf,
  rowOf,
  sessionIn,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, LogEntry, Said, SessionLog } from "./log.ts";

/*
 * Session logs of pi: ~/.pi/agent/sessions/<folder>/<time>_<session>.jsonl. Measured on 0.87.1.
 *
 * Hooks are functions of an extension, and leave no line. A call that one refused returned the reason as an error, in the form
 * of a call that failed. A call has the input that the model gave, not the one that an extension made of it.
 */
export const piLog: SessionLog = {
  folders: [{ variable: "PI_CODING_AGENT_DIR", home: ".pi/agent", below: "sessions" }],
  isLog: (path) => path.endsWith(".jsonl"),
  gaps: [
    "pi writes down no runs of extensions. A call that an extension blocked counts as failed: its log makes no difference.",
  ],
  matters: ({ head, has }, skims) => {
    if (/^\{"type":"session"/.test(head)) return true;
    const [, role] = ROLE.exec(head) ?? [];
    if (role === "assistant") return !skims || has('"type":"toolCall"');
    if (role === "toolResult") return !skims || has('"isError":true');
    return role === "user";
  },
  reader,
};

const ROLE = /"message":\{"role":"(\w+)"/;

function reader(path: string): (line: Fields) => Entries {
  let session: Pick<Said, "session" | "cwd"> = { session: sessionIn(path) };

  const roles: Readonly<Record<string, (said: Said, message: Fields) => LogEntry[]>> = {
    user: (said, { content }) => promptOf(said, wordsOf(content)),
    assistant: (said, { content, stopReason }) => {
      const calls = objectsOf(content).filter(({ type }) => type === "toolCall");
      if (calls.length === 0) return stopReason === "stop" ? [{ ...said, kind: "stop" }] : [];
      return calls.flatMap(({ id, name, arguments: input }) => callOf(said, id, name, input));
    },
    toolResult: (said, { toolCallId: id, content, isError }) =>
      typeof id === "string"
        ? [{ ...said, kind: "result", id, output: wordsOf(content), failed: isError === true }]
        : [],
  };

  return (line) => {
    const { type, id, timestamp: time } = line;
    if (typeof time !== "string" || typeof id !== "string") return FOREIGN;
    if (type === "session") {
      session = { session: id, ...given({ cwd: textOf(line.cwd) }) };
      return [{ ...session, time, kind: "start" }];
    }
    const message = objectOf(line.message);
    const read = rowOf(roles, message.role);
    if (!read) return FOREIGN;
    // Ids are short, and come again in other sessions.
    return read({ ...session, time, line: `${id}-${time}` }, message);
  };
}
