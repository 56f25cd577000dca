import {
  callOf,
  type Fields,
  FOREIGN,
  given,
  objectOf,
  objectsOf,
  rowOf,
  sessionIn,
  textOf,
} from "./line.ts";
import type { Entries, HookRan, LogEntry, Returned, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Copilot CLI: ~/.copilot/session-state/<session>/events.jsonl. Measured on 1.0.102.
 *
 * Each event that has hooks is a pair of lines, from before its first hook until after its last; the hooks are not named. The
 * event before a call may be about several calls at once.
 */
export const copilotLog: SessionLog = {
  folders: [{ variable: "COPILOT_HOME", home: ".copilot", below: "session-state" }],
  isLog: (path) => /(?:^|[\\/])events\.jsonl$/.test(path),
  gaps: ["Copilot CLI names no hooks in its logs: a run is all hooks of one event together."],
  matters: ({ head }, skims) => {
    const [, type = ""] = KIND.exec(head) ?? [];
    if (!TYPES.has(type)) return false;
    return !(skims && type === "assistant.message");
  },
  reader,
};

const KIND = /^\{"type":"([\w.]+)"/;
const TYPES = new Set([
  "session.start",
  "session.resume",
  "hook.start",
  "hook.end",
  "user.message",
  "assistant.message",
  "tool.execution_start",
  "tool.execution_complete",
]);

const DENIED = /^Denied by (\w+) hook(?: from "(.*?)")?(?:: | \()?([\s\S]*?)\)?$/;
const FAILED = /^Error: Hook command failed with code (\d+)(?:\s+Stderr: ([\s\S]*))?/;

function reader(path: string): (line: Fields) => Entries {
  let session: string | undefined;
  let cwd: string | undefined;
  /** Calls that are under way, by their ids: the name of the tool. */
  const calls = new Map<string, unknown>();
  const hooks = new Map<unknown, { event: string; from: number; moment?: string }>();

  /** The call that a hook is about, which only the event before it names. */
  function momentOf({ toolCalls, toolName }: Fields): string | undefined {
    const [first] = objectsOf(toolCalls);
    if (first) return textOf(first.id);
    return [...calls].findLast(([, name]) => name === toolName)?.[0];
  }

  const kinds: Readonly<Record<string, (said: Said, data: Fields) => LogEntry[]>> = {
    "session.start": (said, { copilotVersion }) => [
      { ...said, kind: "start", ...given({ version: textOf(copilotVersion) }) },
    ],
    "session.resume": () => [],
    "user.message": (said, { content, source }) =>
      said.subagent !== undefined || /^agent-/.test(String(source)) || typeof content !== "string"
        ? []
        : [{ ...said, kind: "prompt", text: content }],
    "assistant.message": (said, { toolRequests }) =>
      said.subagent !== undefined || objectsOf(toolRequests).length > 0 ? [] : [{ ...said, kind: "stop" }],
    "tool.execution_start": (said, { toolCallId: id, toolName: tool, arguments: input }) => {
      const call = callOf(said, id, tool, input);
      if (call.length > 0) calls.set(String(id), tool);
      return call;
    },
    "tool.execution_complete": (said, { toolCallId: id, ...data }) => {
      if (typeof id !== "string") return [];
      calls.delete(id);
      return [{ ...said, kind: "result", id, ...resultOf(data) }];
    },
    "hook.start": (said, { hookInvocationId, hookType, input }) => {
      const moment = momentOf(objectOf(input));
      if (typeof hookType === "string")
        hooks.set(hookInvocationId, { event: hookType, from: Date.parse(said.time), ...given({ moment }) });
      return [];
    },
    "hook.end": (said, { hookInvocationId, ...data }) => {
      const begun = hooks.get(hookInvocationId);
      hooks.delete(hookInvocationId);
      if (!begun) return [];
      const { from, ...event } = begun;
      return [{ ...said, kind: "hook", ...event, ms: Date.parse(said.time) - from, ...hookOf(data) }];
    },
  };

  return (line) => {
    const { type, timestamp: time, agentId } = line;
    const data = objectOf(line.data);
    const read = rowOf(kinds, type);
    if (type === "session.start" || type === "session.resume") {
      session ??= textOf(data.sessionId);
      cwd = textOf(objectOf(data.context).cwd) ?? cwd;
    }
    if (typeof time !== "string" || !read) return FOREIGN;
    return read(
      {
        session: session ?? sessionIn(path),
        time,
        ...given({ cwd, line: textOf(line.id), subagent: textOf(agentId) }),
      },
      data,
    );
  };
}

function resultOf({ success, error, result }: Fields): Omit<Returned, "kind" | "id"> {
  const { message, code } = objectOf(error);
  const words = textOf(message) ?? "";
  const output = success === true ? textOf(objectOf(result).content) : words;
  const failed = success !== true;
  if (code !== "denied" && code !== "rejected") return { output, failed };
  const [, event, hook, reason = words] = DENIED.exec(words) ?? [];
  if (event === undefined)
    return { output, failed, deniedBy: /\buser\b/i.test(words) ? "user" : "rule", reason: words };
  return { output, failed, deniedBy: "hook", event, reason, ...given({ hook }) };
}

function hookOf({ success, output, error }: Fields): Pick<HookRan, "did"> & Partial<HookRan> {
  if (success !== true) {
    const { message, source } = objectOf(error);
    const words = textOf(message) ?? "";
    const [, code, stderr] = FAILED.exec(words) ?? [];
    return {
      did: "fail",
      reason: stderr ?? words,
      ...given({ hook: textOf(source), exitCode: code === undefined ? undefined : Number(code), stderr }),
    };
  }
  const answer = objectOf(output);
  const words = Object.values(answer).find((value) => typeof value === "string" && DENIED.test(value));
  if (typeof words === "string") return { did: "refuse", reason: DENIED.exec(words)?.[3] ?? words };
  const isBlock = answer.decision === "block" || answer.decision === "deny";
  return { did: isBlock ? "refuse" : "pass", ...given({ reason: textOf(answer.reason) }) };
}
