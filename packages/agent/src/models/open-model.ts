import { nearest } from "@belay/core/internal";
import type { Variables } from "@belay/engine";
import type { LanguageModel } from "ai";
import { aiModel } from "./ai-sdk.ts";
import { type Model, ModelError } from "./model.ts";
import { offlineModel } from "./offline/model.ts";

export interface ModelChoice {
  /** One of PROVIDERS; without it `model` begins with one: `anthropic/claude-sonnet-4-5`. */
  readonly provider?: string;
  /** The offline model if nothing is said. */
  readonly model?: string;
  /** Another server that speaks the provider's language; with a model of no known provider, one that speaks OpenAI's. */
  readonly baseUrl?: string;
  readonly env: Variables;
  /** How often a request that failed before anything came is sent again. */
  readonly retries?: number;
  /** Milliseconds before the first of them; each further one waits twice as long. */
  readonly retryMs?: number;
}

/** Where a model is, and how to get in. */
interface Access {
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
}

interface Provider {
  readonly keyName: string;
  readonly needsKey: boolean;
  readonly urlName?: string;
  readonly url?: string;
  /** Loaded when it is wanted: nobody else pays for it. */
  load(access: Access): Promise<Exclude<LanguageModel, string>>;
}

/** A provider is a row here. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    keyName: "ANTHROPIC_API_KEY",
    needsKey: true,
    urlName: "ANTHROPIC_BASE_URL",
    url: "https://api.anthropic.com/v1",
    load: async ({ model, baseUrl, key = "" }) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey: key, baseURL: baseUrl })(model);
    },
  },
  openai: {
    keyName: "OPENAI_API_KEY",
    needsKey: true,
    urlName: "OPENAI_BASE_URL",
    url: "https://api.openai.com/v1",
    load: async ({ model, baseUrl, key = "" }) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey: key, baseURL: baseUrl }).chat(model);
    },
  },
  /** Ollama, vLLM, LM Studio and others. Its key has a name of its own: a key for OpenAI is not shown to other servers. */
  compatible: {
    keyName: "BELAY_API_KEY",
    needsKey: false,
    load: async ({ model, baseUrl, key }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const settings = { name: "compatible", baseURL: baseUrl, includeUsage: true };
      return createOpenAICompatible({ ...settings, ...(key !== undefined && { apiKey: key }) })(model);
    },
  },
};

const NAMES = Object.keys(PROVIDERS);

/** The model that was asked for. Rejects with a ModelError when it is clear now that it cannot answer. */
export async function openModel(choice: ModelChoice): Promise<Model> {
  const named = whichOf(choice);
  if (named === undefined) return offlineModel();
  const { name, model } = named;
  const provider = PROVIDERS[name];
  if (provider === undefined) throw new ModelError("model", unknownProvider(named));
  const key = choice.env[provider.keyName] || undefined;
  if (provider.needsKey && key === undefined) throw new ModelError("key", missingKey(name, provider, choice));
  const baseUrl = choice.baseUrl ?? (choice.env[provider.urlName ?? ""] || provider.url);
  if (baseUrl === undefined)
    throw new ModelError("model", `Where is ${model}? Say it with --base-url <url>.`);
  if (model === "") throw new ModelError("model", `Which model of ${baseUrl}? Say it with --model <name>.`);
  const access = { model, baseUrl: withPath(baseUrl), key };
  return aiModel(await provider.load(access), {
    name: `${name}/${model}`,
    url: access.baseUrl,
    keyName: provider.keyName,
    retries: choice.retries ?? 2,
    retryMs: choice.retryMs ?? 500,
  });
}

/** undefined stands for the offline model. */
function whichOf({
  provider,
  model = "",
  baseUrl,
}: ModelChoice): { name: string; model: string } | undefined {
  if (provider === "offline" || (provider === undefined && model === "offline")) return undefined;
  if (provider !== undefined) return { name: provider, model };
  if (model === "" && baseUrl === undefined) return undefined;
  const [name = "", ...rest] = model.split("/");
  if (NAMES.includes(name)) return { name, model: rest.join("/") };
  return baseUrl === undefined ? { name, model: rest.join("/") } : { name: "compatible", model };
}

/** Whose models have such names. What others serve under them, as gpt-oss, has no provider of its own here. */
const FAMILIES: readonly (readonly [provider: string, names: RegExp])[] = [
  ["anthropic", /^claude-/i],
  ["openai", /^(?:(?:chat)?gpt-(?!oss)|o\d+(?:-|$))/i],
];

const USABLE = Object.entries(PROVIDERS).map(([name, { url }]) =>
  url === undefined ? `or ${name}/<model> with --base-url <url>` : `${name}/<model>`,
);

function unknownProvider({ name, model }: { name: string; model: string }): string {
  const family = FAMILIES.find(([, names]) => model === "" && names.test(name));
  if (family)
    return `${JSON.stringify(name)} is a model without its provider. Use --model ${family[0]}/${name}.`;
  const meant = nearest(name, ["offline", ...NAMES]);
  const whole = meant === "offline" ? meant : `${meant}/${model || "<model>"}`;
  const guess = meant === undefined ? "" : ` (did you mean ${whole}?)`;
  return `There is no provider ${JSON.stringify(name)}${guess}. Use --model offline, ${USABLE.join(", ")}.`;
}

function missingKey(name: string, { keyName }: Provider, { baseUrl, model }: ModelChoice): string {
  const said = `${name} needs a key, and ${keyName} is not set. Set it in the environment: export ${keyName}=…`;
  return baseUrl === undefined
    ? `${said}, or use --model offline.`
    : `${said}. A server of your own without a key: --model compatible/${model ?? "<model>"}.`;
}

/** `http://localhost:11434` is meant to be the server, not its root page: the interface is under /v1. */
function withPath(baseUrl: string): string {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new ModelError("network", `${baseUrl} is no URL. Use http://host:port/v1.`);
  const url = new URL(baseUrl);
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/$/, "");
}
