import {
  type Fields,
  FOREIGN,
  given,
  objectOf,
  parsedLine,
  promptOf,
  sessionIn,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, LogEntry, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Codex: ~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl, after a week of rest compressed
 * to .jsonl.zst. Measured on 0.166.0.
 *
 * In code mode the model's call is code. The commands that the code runs are calls too: hooks fire for them, not for the code.
 * Other commands are in the log twice, under the id of their call.
 *
 * A hook leaves no line. What is left of hooks are refusals in the results of calls, and what a Stop hook asked for, with the
 * file and the place of the hook.
 */
export const codexLog: SessionLog = {
  folders: [
    { variable: "CODEX_HOME", home: ".codex", below: "sessions" },
    { variable: "CODEX_HOME", home: ".codex", below: "archived_sessions" },
  ],
  isLog: (path) => /(?:^|[\\/])rollout-[^\\/]*\.jsonl(?:\.zst)?$/.test(path),
  gaps: [
    "Codex writes down no runs of hooks: only what PreToolUse refused, and what Stop asked for. So a hook that did not fire is not found.",
    "A file that code mode patched is not listed as a call.",
  ],
  matters: ({ head }, skims) => {
    const [, item = "", payload = ""] = KIND.exec(head) ?? [];
    if (item === "event_msg")
      return payload === "item_completed"
        ? ITEM.test(head)
        : /^(?:user_message|task_complete)$/.test(payload);
    if (item !== "response_item") return item === "session_meta" || item === "turn_context";
    if (payload.endsWith("_output")) return !(skims && SUCCESS.test(head));
    return CALLS.test(payload);
  },
  reader,
};

const KIND = /"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;
const ITEM = /"item":\{"type":(?:"UserMessage"|"HookPrompt"|"CommandExecution","id":"exec-)/;
const CALLS = /^(?:function_call|custom_tool_call|local_shell_call)$/;
const SUCCESS = /"output":"(?:[^"]{0,100}\\n(?:Process exited with code 0)|Exit code: 0)\\n/;

const PRE_EVENT = "PreToolUse";
const PERMISSION_EVENT = "PermissionRequest";
const STOP_EVENT = "Stop";

/** The ids that Codex makes are unique. Those of a model's server may be short and come again. */
const LEAST_ID = 24;

function reader(path: string): (line: Fields) => Entries {
  let session: Pick<Said, "session" | "subagent"> | undefined;
  let cwd: string | undefined;
  let lastPrompt: string | undefined;

  function meta(said: (id?: unknown) => Said, payload: Fields): LogEntry[] {
    // A fork has the first line of what it is a fork of as well.
    const isFirst = session === undefined;
    if (isFirst) {
      const id = textOf(payload.id) ?? "";
      const root = textOf(payload.session_id) ?? id;
      session = { session: root, ...given({ subagent: root === id ? undefined : id }) };
      cwd = textOf(payload.cwd);
    }
    const begun = said();
    if (!isFirst || begun.subagent !== undefined) return [];
    return [{ ...begun, kind: "start", ...given({ version: textOf(payload.cli_version) }) }];
  }

  function prompt(said: Said, text: string): LogEntry[] {
    if (said.subagent !== undefined || text === lastPrompt) return [];
    if (text !== "") lastPrompt = text;
    return promptOf(said, text);
  }

  function item(said: Said, { type, content, fragments, ...ran }: Fields): Entries {
    if (type === "UserMessage") return prompt(said, wordsOf(content));
    if (type === "CommandExecution") return ranByCode(said, ran);
    const list = Array.isArray(fragments) ? fragments.map(objectOf) : [];
    return list.flatMap(({ text, hookRunId }) => {
      const hook = textOf(hookRunId)?.replace(/^\w+:(\d+):(.*)$/, "$2:$1");
      return [
        { ...said, kind: "hook", event: STOP_EVENT, did: "refuse", ...given({ hook, reason: textOf(text) }) },
      ];
    });
  }

  return (line) => {
    const { timestamp: time, type } = line;
    if (typeof time !== "string") return FOREIGN;
    const payload = objectOf(line.payload);
    const said = (id?: unknown): Said => ({
      ...(session ?? { session: sessionIn(path) }),
      time,
      ...given({ cwd, line: typeof id === "string" && id.length >= LEAST_ID ? id : undefined }),
    });
    if (type === "session_meta") return meta(said, payload);
    if (type === "turn_context") {
      cwd = textOf(payload.cwd) ?? cwd;
      return [];
    }
    const who = said(payload.id);
    const { call_id: id, name } = payload;
    switch (payload.type) {
      case "function_call":
        lastPrompt = undefined;
        return call(who, id, name, argumentsIn(payload.arguments));
      case "custom_tool_call":
        return call(who, id, name, { command: payload.input });
      case "local_shell_call":
        return call(who, id, "shell", objectOf(payload.action));
      case "function_call_output":
      case "custom_tool_call_output":
        return resultOf(who, id, payload.output);
      case "user_message":
        return prompt(who, textOf(payload.message) ?? "");
      case "task_complete":
        lastPrompt = undefined;
        return [{ ...who, kind: "stop" }];
      default:
        return item(who, objectOf(payload.item));
    }
  };
}

function call(said: Said, id: unknown, tool: unknown, input: Fields): Entries {
  if (typeof id !== "string" || typeof tool !== "string") return FOREIGN;
  return [{ ...said, kind: "call", id, tool, input: withoutShell(input) }];
}

function argumentsIn(text: unknown): Fields {
  return (typeof text === "string" ? parsedLine(text) : undefined) ?? objectOf(text);
}

/** A command that code ran. Both its lines stand where it ended. */
function ranByCode(said: Said, { id, command, aggregated_output: output, exit_code: code }: Fields): Entries {
  const begun = call(said, id, "exec_command", { cmd: withoutShell({ command }).command });
  if (typeof id !== "string" || begun === FOREIGN) return FOREIGN;
  return [...begun, { ...said, kind: "result", id, output: textOf(output) ?? "", failed: code !== 0 }];
}

/** Older versions give the words of a command: ["bash", "-lc", "ls | wc"]. */
function withoutShell(input: Fields): Fields {
  const { command } = input;
  if (!Array.isArray(command)) return input;
  const [, flag, script] = command;
  return {
    ...input,
    command: /^-l?c$/.test(String(flag)) && command.length === 3 ? script : command.join(" "),
  };
}

const BLOCKED =
  /^(?:Script failed\n[\s\S]{0,200}?Script error:\n)?Command blocked by PreToolUse hook: ([\s\S]*?)(?:\. Command: [\s\S]*)?$/;
const REJECTED = /Rejected\(\\?"([\s\S]*?)\\?"\)/;
const FAILED = /^(?:[\s\S]{0,200}?(?:Process exited with code|Exit code:) [1-9]|unsupported |\w+ failed\b)/;

function resultOf(said: Said, id: unknown, given: unknown): Entries {
  if (typeof id !== "string") return FOREIGN;
  const output = typeof given === "string" ? given : wordsOf(given);
  const result = { ...said, kind: "result", id, output, failed: true } as const;
  const [, blocked] = BLOCKED.exec(output) ?? [];
  if (blocked !== undefined) return [{ ...result, deniedBy: "hook", event: PRE_EVENT, reason: blocked }];
  const [, rejected] = REJECTED.exec(output) ?? [];
  if (rejected === undefined) return [{ ...result, failed: FAILED.test(output) }];
  if (/^rejected by user/.test(rejected)) return [{ ...result, deniedBy: "user", reason: rejected }];
  return [{ ...result, deniedBy: "hook", event: PERMISSION_EVENT, reason: rejected }];
}
