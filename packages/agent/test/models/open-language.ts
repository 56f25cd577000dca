import type { Model } from "../../src/models/model.ts";
import { type ModelChoice, openModel } from "../../src/models/open-model.ts";
import type { Language } from "./server.ts";

const ENV = { ANTHROPIC_API_KEY: "key-a", OPENAI_API_KEY: "key-o", BELAY_API_KEY: "key-b" };

export const open = (language: Language, baseUrl: string, more: Partial<ModelChoice> = {}): Promise<Model> =>
  openModel({ model: language.spec, baseUrl, env: ENV, retries: 0, retryMs: 1, ...more });
