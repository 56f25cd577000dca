import { type AgentOptions, type Model, type ModelChoice, openModel } from "@belay/agent";

/** What the command line says about a chat. */
export interface ChatOptions extends Omit<AgentOptions, "model" | "isAttended"> {
  readonly model: Pick<ModelChoice, "model" | "baseUrl">;
}

/** What to type to go on with a session. */
export function resumeCommand(sessionId: string, { flags = "" }: Pick<ChatOptions, "flags">): string {
  return `belay chat --resume ${sessionId.slice(0, 8)}${flags}`;
}

export function modelFor({ model }: ChatOptions): Promise<Model> {
  return openModel({ ...model, env: process.env });
}
