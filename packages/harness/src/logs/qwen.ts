import {
  callOf,
  type Fields,
  FOREIGN,
  objectOf,
  objectsOf,
  promptOf,
  saidIn,
  sessionStarter,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, LogEntry, Returned, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Qwen Code: ~/.qwen/projects/<folder>/chats/<session>.jsonl, and for each subagent
 * <folder>/subagents/<session>/agent-<id>.jsonl. Measured on 0.24.4.
 *
 * A hook leaves no line. A call that was refused has not been started; only the words tell whether by a hook or by a rule.
 */
export const qwenLog: SessionLog = {
  folders: [{ variable: "QWEN_HOME", home: ".qwen", below: "projects" }],
  isLog: (path) => /[\\/](?:chats|subagents)[\\/].*\.jsonl$/.test(path),
  gaps: ["Qwen Code writes down no runs of hooks: only what PreToolUse refused."],
  matters: ({ head, has }, skims) => {
    const [, type] = KIND.exec(head) ?? [];
    if (type === "assistant") return !skims || has('"functionCall"');
    if (type === "tool_result") return !(skims && has('"status":"success"'));
    return type === "user" && !has('"subtype":"notification"');
  },
  reader,
};

const KIND = /"type":"(user|assistant|tool_result|system)"/;
const PRE_EVENT = "PreToolUse";
const BY_RULE = /permission to use .* declined|denied by .*rule|permission rule/i;

function reader(): (line: Fields) => Entries {
  const started = sessionStarter();
  return (line) => {
    const said = saidIn(line);
    if (!said) return FOREIGN;
    const parts = objectsOf(objectOf(line.message).parts);
    return started(said, entriesOf(said, line, parts), line.version);
  };
}

function entriesOf(said: Said, line: Fields, parts: readonly Fields[]): LogEntry[] {
  if (line.type === "user") {
    return said.subagent === undefined ? promptOf(said, wordsOf(parts)) : [];
  }
  if (line.type === "tool_result") return parts.flatMap((part) => resultOf(said, line, part));
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [objectOf(functionCall)] : []));
  // A subagent's words and its calls are lines of their own.
  if (calls.length === 0) return said.subagent === undefined ? [{ ...said, kind: "stop" }] : [];
  return calls.flatMap(({ id, name, args }) => callOf(said, id, name, args));
}

function resultOf(said: Said, line: Fields, { functionResponse }: Fields): LogEntry[] {
  const { id, response } = objectOf(functionResponse);
  const { error, output } = objectOf(response);
  if (typeof id !== "string") return [];
  const { status, errorType } = objectOf(line.toolCallResult);
  const failed = error !== undefined || (status !== undefined && status !== "success");
  return [
    {
      ...said,
      kind: "result",
      id,
      output: error ?? output,
      failed,
      ...denial(status, errorType, textOf(error)),
    },
  ];
}

function denial(status: unknown, errorType: unknown, words = ""): Partial<Returned> {
  if (status === "cancelled") return { deniedBy: "user", reason: words };
  if (errorType !== "execution_denied") return {};
  if (BY_RULE.test(words)) return { deniedBy: "rule", reason: words };
  return { deniedBy: "hook", event: PRE_EVENT, reason: words };
}
