import { type AgentOptions, type Model, openModel } from "@belay/agent";

/** What the command line says about a chat. */
export interface ChatOptions extends Omit<AgentOptions, "model" | "isAttended"> {
  readonly model: { readonly name?: string; readonly baseUrl?: string };
}

export function modelFor({ model }: ChatOptions): Promise<Model> {
  return openModel({ ...model, env: process.env });
}
