import {
  callOf,
  type Fields,
  FOREIGN,
  given,
  numberOf,
  objectOf,
  objectsOf,
  parsedLine,
  promptOf,
  sessionIn,
  sessionStarter,
  textOf,
  wordsOf,
} from "./line.ts";
import type { Entries, HookRan, LogEntry, Returned, Said, SessionLog } from "./log.ts";

/*
 * Session logs of Factory Droid: ~/.factory/sessions/<folder>/<session>.jsonl, a subagent's beside them. Measured on 0.215.0.
 *
 * The hooks that a moment had are one line, quiet ones too: what each printed, and one time for all. Which of them refused a
 * call is known from what it printed; that it was refused, from the result of the call.
 */
export const droidLog: SessionLog = {
  folders: [{ variable: "FACTORY_HOME_OVERRIDE", home: "", below: ".factory/sessions" }],
  isLog: (path) => path.endsWith(".jsonl"),
  gaps: [
    "Factory Droid writes down one time for all hooks that ran together: it stands at each of them, and what was waited is shared out evenly.",
  ],
  matters: ({ head, has }, skims) => {
    const [, type, role] = KIND.exec(head) ?? [];
    if (type === "session_start") return true;
    if (role === "assistant") return !skims || has('"type":"tool_use"');
    if (role !== "user" || has('"visibility":"llm_only"')) return false;
    return !skims || !has('"type":"tool_result"') || has('"is_error":true');
  },
  reader,
};

const KIND = /^\{"type":"(session_start|message)"(?:.*?"message":\{"role":"(\w+)")?/;
const PRE_EVENT = "PreToolUse";
const STOP_EVENT = "Stop";
const PROMPT_EVENT = "UserPromptSubmit";

function reader(path: string): (line: Fields) => Entries {
  let session: Pick<Said, "session" | "subagent" | "cwd"> = { session: sessionIn(path) };
  const started = sessionStarter();
  /** Calls that a hook spoke against, by their ids. */
  const refused = new Map<string, Pick<HookRan, "hook" | "reason">>();
  /** What a Stop hook asked for is a line like a prompt. */
  let askedFor: string | undefined;
  /** Hooks had a prompt whose line comes next. What a subagent is given is one only then. */
  let isDue = false;

  function begin({ id, cwd, callingSessionId }: Fields): Entries {
    if (typeof id !== "string") return FOREIGN;
    const caller = textOf(callingSessionId);
    session = {
      session: caller ?? id,
      ...given({ subagent: caller === undefined ? undefined : id, cwd: textOf(cwd) }),
    };
    return [];
  }

  function hooks(said: Said, event: string, message: Fields): LogEntry[] {
    const { hookToolCallId, hookParentId, hookCommands, hookResults, hookStartTime, hookEndTime } = message;
    const results = objectsOf(hookResults);
    const commands = objectsOf(hookCommands);
    const call = textOf(hookToolCallId);
    const from = numberOf(hookStartTime);
    const to = numberOf(hookEndTime);
    const facts = given({
      moment: call ?? textOf(hookParentId),
      ms: from === undefined || to === undefined ? undefined : to - from,
      together: commands.length > 1 ? commands.length : undefined,
    });
    const ran = commands.map((command, index): LogEntry & HookRan => {
      const hook = textOf(command.command);
      return { ...said, kind: "hook", event, ...facts, ...given({ hook }), ...runOf(results[index], event) };
    });
    const refusal = ran.find(({ did }) => did === "refuse");
    if (refusal && event === PRE_EVENT && call !== undefined) refused.set(call, refusal);
    if (event === STOP_EVENT) askedFor = refusal?.reason;
    if (event === PROMPT_EVENT) isDue = true;
    return ran;
  }

  function resultOf(said: Said, { tool_use_id: id, is_error, content }: Fields): LogEntry[] {
    if (typeof id !== "string") return [];
    const output = wordsOf(content);
    const failed = is_error === true;
    const refusal = refused.get(id);
    refused.delete(id);
    const denied: Partial<Returned> | undefined =
      failed && refusal?.reason !== undefined && output.includes(refusal.reason)
        ? { deniedBy: "hook", event: PRE_EVENT, ...given({ hook: refusal.hook, reason: refusal.reason }) }
        : undefined;
    return [{ ...said, kind: "result", id, output, failed, ...denied }];
  }

  function user(said: Said, message: Fields): LogEntry[] {
    const { content, hookEventName: event } = message;
    if (typeof event === "string") return hooks(said, event, message);
    const results = objectsOf(content).filter(({ type }) => type === "tool_result");
    if (results.length > 0) return results.flatMap((result) => resultOf(said, result));
    const text = wordsOf(content);
    const isAsked = text === askedFor;
    const isPrompt = !isAsked && (isDue || said.subagent === undefined);
    askedFor = undefined;
    isDue = false;
    return isPrompt ? promptOf(said, text) : [];
  }

  function assistant(said: Said, { content }: Fields): LogEntry[] {
    const calls = objectsOf(content).filter(({ type }) => type === "tool_use");
    // What fires where a subagent ends is called Stop too, and its hooks have a line.
    if (calls.length === 0) return said.subagent === undefined ? [{ ...said, kind: "stop" }] : [];
    return calls.flatMap(({ id, name, input }) => callOf(said, id, name, input));
  }

  return (line) => {
    if (line.type === "session_start") return begin(line);
    const { timestamp: time } = line;
    const message = objectOf(line.message);
    if (typeof time !== "string") return FOREIGN;
    const said: Said = { ...session, time, ...given({ line: textOf(line.id) }) };
    return started(said, message.role === "assistant" ? assistant(said, message) : user(said, message));
  };
}

/** What a hook printed, and what that was there. */
function runOf(result: Fields | undefined, event: string) {
  const exitCode = numberOf(result?.exitCode);
  const stdout = textOf(result?.stdout);
  const stderr = textOf(result?.stderr);
  const printed = given({ exitCode, stdout, stderr });
  if (exitCode === 2) return { ...printed, did: "refuse", reason: stderr ?? "" } as const;
  if (exitCode !== 0) return { ...printed, did: "fail", ...given({ reason: stderr }) } as const;
  const answer = parsedLine((stdout ?? "").trim()) ?? {};
  const said = objectOf(answer.hookSpecificOutput);
  if (event === PRE_EVENT && said.permissionDecision === "deny")
    return {
      ...printed,
      did: "refuse",
      ...given({ reason: textOf(said.permissionDecisionReason) }),
    } as const;
  if (event !== PRE_EVENT && answer.decision === "block")
    return { ...printed, did: "refuse", ...given({ reason: textOf(answer.reason) }) } as const;
  return { ...printed, did: "pass" } as const;
}
