import { type AgentOptions, type Model, type ModelChoice, openModel } from "@belay/agent";

/** What the command line says about a chat. */
export interface ChatOptions extends Omit<AgentOptions, "model" | "isAttended"> {
  readonly model: Pick<ModelChoice, "model" | "baseUrl">;
}

export function modelFor({ model }: ChatOptions): Promise<Model> {
  return openModel({ ...model, env: process.env });
}
