import type { Denier } from "@belay/core";
import {
  callOf,
  type Fields,
  FOREIGN,
  given,
  type Mutable,
  numberOf,
  objectOf,
  objectsOf,
  promptOf,
  rowOf,
  saidIn,
  sessionStarter,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, HookRan, LogEntry, Returned, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Claude Code: ~/.claude/projects/<folder>/<session>.jsonl, and for each subagent
 * <session>/subagents/agent-<id>.jsonl. Measured on 2.1.325.
 *
 * A hook leaves an attachment if it printed something, failed, was cut off, or ran in the background. The hooks of a stop are
 * summed up in a line of their own, the quiet ones too. A PreToolUse hook that refused stands in the result of the call alone:
 * with its command if it exited with 2, without it if it answered in JSON.
 */
export const claudeCodeLog: SessionLog = {
  folders: [{ variable: "CLAUDE_CONFIG_DIR", home: ".claude", below: "projects" }],
  isLog: (path) => path.endsWith(".jsonl"),
  gaps: [
    "Claude Code writes down a hook's run if the hook printed something, failed, or answered Stop. Other runs are not in its logs.",
  ],
  matters: ({ head, has }, skims) => {
    if (ASIDE.test(head)) return false;
    const attachment = ATTACHMENT.exec(head)?.[1];
    if (attachment !== undefined) return HOOK_ATTACHMENT.test(attachment);
    const role = ROLE.exec(head)?.[1];
    if (role === "assistant") return has('"type":"tool_use"') || (!skims && has('"end_turn"'));
    if (role === "user") return !skims || !has('"type":"tool_result"') || has('"is_error":true');
    return has('"stop_hook_summary"') || has(BLOCKED);
  },
  reader,
};

/** Lines without a place in the conversation: state, requests to the model, earlier versions of files. */
const ASIDE = /^\{"type":"(?!user"|assistant"|system"|attachment")/;
const ATTACHMENT = /"attachment":\{"type":"([a-z_]*)/;
const HOOK_ATTACHMENT = /^(?:async_)?hook_/;
/** Who speaks stands before what is said. */
const ROLE = /"role":"(user|assistant)"/;
const BLOCKED = "operation blocked by hook";

/** What the program writes in the place of a prompt: commands, their output, news of tasks, its own remarks. */
const NO_PROMPT =
  /^\s*<(?:command-|local-command|bash-|task-notification|system-reminder)|^\[Request interrupted|^Caveat: The messages below/;
const BLOCKED_PROMPT = new RegExp(`^\\S+ ${BLOCKED}:\\n([\\s\\S]*?)\\n\\nOriginal prompt: ([\\s\\S]*)`);

const PROMPT_EVENT = "UserPromptSubmit";
const STOP_EVENT = "Stop";
const SUBAGENT_STOP_EVENT = "SubagentStop";

function reader(): (line: Fields) => Entries {
  const started = sessionStarter();
  /** The message with which the last turn ended; each of its blocks is a line. */
  let lastWord: string | undefined;
  /** Hooks of the last stop that have lines of their own. */
  let stop = { moment: undefined as string | undefined, hooks: new Set<string>() };

  function assistant(said: Said, line: Fields): LogEntry[] {
    const { id, content, stop_reason: reason } = objectOf(line.message);
    const calls = objectsOf(content).filter(({ type }) => type === "tool_use");
    if (calls.length === 0 && reason === "end_turn" && id !== lastWord) {
      lastWord = textOf(id);
      return [{ ...said, kind: "stop" }];
    }
    return calls.flatMap(({ id, name, input }) => callOf(said, id, name, input));
  }

  function user(said: Said, line: Fields): LogEntry[] {
    const { content } = objectOf(line.message);
    const results = objectsOf(content).filter(({ type }) => type === "tool_result");
    if (results.length > 0) return results.flatMap((result) => resultOf(said, result, line));
    const isPrompt = !line.isMeta && !line.isCompactSummary && said.subagent === undefined;
    const text = isPrompt ? wordsOf(content) : "";
    return NO_PROMPT.test(text) ? [] : promptOf(said, text);
  }

  function attachment(said: Said, line: Fields): LogEntry[] {
    const hook = objectOf(line.attachment);
    const { type, hookEvent: event, toolUseID } = hook;
    const ran = rowOf(ATTACHED, type)?.(hook);
    if (!ran || typeof event !== "string") return [];
    const moment = textOf(toolUseID);
    if (event === STOP_EVENT || event === SUBAGENT_STOP_EVENT) {
      if (stop.moment !== moment) stop = { moment, hooks: new Set() };
      if (ran.hook !== undefined) stop.hooks.add(ran.hook);
    }
    return [{ ...said, kind: "hook", event, ...(moment !== undefined && { moment }), ...ran }];
  }

  function system(said: Said, line: Fields): LogEntry[] {
    if (line.subtype === "stop_hook_summary") {
      const moment = textOf(line.toolUseID);
      const known = stop.moment === moment ? stop.hooks : new Set();
      const event = said.subagent === undefined ? STOP_EVENT : SUBAGENT_STOP_EVENT;
      return objectsOf(line.hookInfos).flatMap(({ command: hook, durationMs }) =>
        typeof hook !== "string" || known.has(hook)
          ? []
          : [
              {
                ...said,
                kind: "hook",
                event,
                hook,
                did: "pass",
                ...given({ moment, ms: numberOf(durationMs) }),
              },
            ],
      );
    }
    const [, reason, text] = BLOCKED_PROMPT.exec(textOf(line.content) ?? "") ?? [];
    if (reason === undefined || text === undefined) return [];
    return [
      { ...said, kind: "prompt", text },
      { ...said, kind: "hook", event: PROMPT_EVENT, did: "refuse", reason },
    ];
  }

  const kinds: Readonly<Record<string, (said: Said, line: Fields) => LogEntry[]>> = {
    assistant,
    user,
    attachment,
    system,
  };

  return (line) => {
    const said = saidIn(line);
    const read = rowOf(kinds, line.type);
    if (!said || !read) return FOREIGN;
    return started(said, read(said, line), line.version);
  };
}

/** What an attachment says of one run. */
const ATTACHED: Readonly<Record<string, (hook: Fields) => Omit<HookRan, "kind" | "event" | "moment">>> = {
  hook_success: (hook) => ({ ...ranIn(hook), did: "pass" }),
  hook_non_blocking_error: ({ exitCode, stderr, ...hook }) => {
    const reason = (textOf(stderr) ?? "").replace(/^Failed with non-blocking status code: /, "");
    // What is no program has no exit code, and stands there with a 0.
    const ran = ranIn({ ...hook, stderr: reason, exitCode: exitCode === 0 ? undefined : exitCode });
    return { ...ran, did: "fail", reason };
  },
  hook_error_during_execution: (hook) => ({
    ...ranIn(hook),
    did: "fail",
    ...given({ reason: textOf(hook.content) }),
  }),
  hook_cancelled: (hook) => ({
    ...ranIn(hook),
    did: "fail",
    cut: hook.timedOut === true ? "timeout" : "abort",
    reason: hook.timedOut === true ? `no answer within ${numberOf(hook.timeoutMs)} ms` : "cancelled",
  }),
  hook_blocking_error: ({ blockingError }) => {
    const { command, blockingError: words } = objectOf(blockingError);
    const hook = textOf(command);
    return { ...given({ hook }), did: "refuse", reason: withoutCommand(textOf(words) ?? "", hook) };
  },
  hook_permission_decision: ({ decision }) => ({ did: decision === "deny" ? "refuse" : "pass" }),
  async_hook_response: (hook) => ({
    ...ranIn(hook),
    did: hook.exitCode === 0 || hook.exitCode === undefined ? "pass" : "fail",
    background: true,
  }),
};

function ranIn({ command, durationMs, exitCode, stdout, stderr }: Fields) {
  const ran: Mutable<Pick<HookRan, "hook" | "ms" | "exitCode" | "stdout" | "stderr">> = {};
  if (typeof command === "string") ran.hook = command;
  if (typeof durationMs === "number") ran.ms = durationMs;
  if (typeof exitCode === "number") ran.exitCode = exitCode;
  if (typeof stdout === "string") ran.stdout = stdout;
  if (typeof stderr === "string") ran.stderr = stderr;
  return ran;
}

function withoutCommand(words: string, hook: string | undefined): string {
  const prefix = `[${hook}]: `;
  return (words.startsWith(prefix) ? words.slice(prefix.length) : words).trimEnd();
}

function resultOf(said: Said, { tool_use_id: id, is_error, content }: Fields, line: Fields): LogEntry[] {
  if (typeof id !== "string") return [];
  const failed = is_error === true;
  const denied = failed ? deniedIn(objectOf(line.permissionDecision), wordsOf(content)) : undefined;
  return [{ ...said, kind: "result", id, output: line.toolUseResult ?? content, failed, ...denied }];
}

const HOOK_ERROR = /^(\w+):\S* hook error: (?:\[(.*?)\]: )?([\s\S]*)/;

function deniedIn(
  { decision, source, reasonType, reasonCode }: Fields,
  words: string,
): Partial<Returned> | undefined {
  const deniedBy =
    decision === undefined
      ? OLDER_DENIALS.find(([pattern]) => pattern.test(words))?.[1]
      : decision === "reject"
        ? denierOf(textOf(source) ?? "", textOf(reasonType) ?? "", textOf(reasonCode) ?? "")
        : undefined;
  if (deniedBy === undefined) return undefined;
  if (deniedBy !== "hook") return { deniedBy, reason: words };
  const [, named, hook, reason = words] = HOOK_ERROR.exec(words) ?? [];
  const event = named ?? /^hook:(\w+)/.exec(textOf(reasonCode) ?? "")?.[1];
  return { deniedBy, reason: reason.trimEnd(), ...given({ hook, event }) };
}

/** An ask of a hook, or of the program itself, that nobody was there to answer counts as a rejection by the config. */
function denierOf(source: string, reasonType: string, reasonCode: string): Denier {
  if (source === "hook") return "hook";
  if (source.startsWith("user")) return "user";
  if (reasonCode.startsWith("rule:") || reasonType === "rule") return "rule";
  return reasonCode === "unknown" || reasonCode.startsWith("hook:") ? "nobody" : "agent";
}

/** Older versions say it in words alone. */
const OLDER_DENIALS: readonly (readonly [RegExp, Denier])[] = [
  [/^\w+:\S* hook error: |operation blocked by hook/, "hook"],
  [/^The user doesn't want to (?:proceed|take)/, "user"],
  [/^Permission to use .+ denied/, "rule"],
  [/^Claude requested permissions? to /, "nobody"],
];
