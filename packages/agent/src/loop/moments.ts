import type { EventName, Outcome } from "@belay/core";
import type { InputSchema } from "@belay/engine";
import type { Message } from "../conversation/message.ts";

/** A tool call as hooks are told of it. */
export interface HookedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Checks what a hook puts in place of the input. */
  readonly schema: InputSchema;
}

export type Fire = (
  event: EventName,
  fields: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal; readonly toolSchema?: InputSchema },
) => Promise<Outcome>;

/** The moments of an agent's life, each with its true payload. The one place where they meet the names of events. */
export function momentsOf(fire: Fire) {
  const onTool = (event: EventName) => (call: HookedCall, signal: AbortSignal) =>
    fire(event, fieldsOf(call), { signal, toolSchema: call.schema });
  return {
    sessionStart: (source: "startup" | "resume" | "clear" | "compact", signal: AbortSignal | undefined) =>
      fire("SessionStart", { source }, { ...(signal && { signal }) }),
    sessionEnd: (reason: string, signal: AbortSignal) => fire("SessionEnd", { reason }, { signal }),
    prompt: (prompt: string, signal: AbortSignal) => fire("UserPromptSubmit", { prompt }, { signal }),
    beforeTool: onTool("PreToolUse"),
    permission: onTool("PermissionRequest"),
    afterTool: (call: HookedCall, response: unknown, signal: AbortSignal) =>
      fire("PostToolUse", { ...fieldsOf(call), tool_response: response }, { signal }),
    /** `said`: the conversation of a session that may have been resumed. */
    stop: (lastWords: string, signal: AbortSignal, said: readonly Message[] = []) =>
      fire("Stop", { last_assistant_message: lastWords, stop_hook_active: wasRefused(said) }, { signal }),
    subagentStop: (
      agent: { readonly id: string; readonly type: string },
      lastWords: string,
      signal: AbortSignal,
    ) =>
      fire(
        "SubagentStop",
        { agent_id: agent.id, agent_type: agent.type, last_assistant_message: lastWords },
        { signal },
      ),
    beforeCompact: (trigger: "manual" | "auto", instructions: string | undefined, signal: AbortSignal) =>
      fire("PreCompact", { trigger, custom_instructions: instructions ?? "" }, { signal }),
    notification: (kind: "permission_prompt" | "idle_prompt", message: string, signal: AbortSignal) =>
      fire("Notification", { notification_type: kind, title: "Belay", message }, { signal }),
  };
}

export type Moments = ReturnType<typeof momentsOf>;

function fieldsOf({ id, name, input }: HookedCall) {
  return { tool_name: name, tool_input: input, tool_use_id: id };
}

/**
 * Whether the agent goes on because its stop was refused: it had come to an end since the last prompt. The engine knows
 * that by itself, but not in a session that was resumed. An answer that a hook spoke into begins with a message that is empty.
 */
function wasRefused(said: readonly Message[]): boolean {
  const prompt = said.findLastIndex(({ source }) => source === "prompt");
  const answers = said
    .slice(prompt + 1)
    .filter(({ source, blocks }) => source === "model" && blocks.length > 0);
  return answers.slice(0, -1).some(({ blocks }) => blocks.every(({ type }) => type !== "tool"));
}
