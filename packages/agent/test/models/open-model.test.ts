import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ModelChoice, openModel } from "../../src/models/open-model.ts";
import { LANGUAGES, serve, streams } from "./server.ts";
import { answerOf, user } from "./talk.ts";

const KEYS = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
const BASE = "http://127.0.0.1:9";

describe("which model is meant", () => {
  const rows: [choice: Partial<ModelChoice>, name: string][] = [
    [{}, "offline"],
    [{ model: "offline" }, "offline"],
    [{ provider: "offline", model: "x" }, "offline"],
    [{ model: "" }, "offline"],
    [{ model: "anthropic/claude-sonnet-4-5", env: KEYS }, "anthropic/claude-sonnet-4-5"],
    [{ provider: "anthropic", model: "claude-sonnet-4-5", env: KEYS }, "anthropic/claude-sonnet-4-5"],
    [{ model: "openai/gpt-5", env: KEYS }, "openai/gpt-5"],
    [{ model: "llama3.2", baseUrl: BASE }, "compatible/llama3.2"],
    [{ model: "meta-llama/Llama-3", baseUrl: BASE }, "compatible/meta-llama/Llama-3"],
    [{ model: "compatible/openai/gpt-oss-20b", baseUrl: BASE }, "compatible/openai/gpt-oss-20b"],
    [{ provider: "compatible", model: "openai/gpt-oss-20b", baseUrl: BASE }, "compatible/openai/gpt-oss-20b"],
  ];
  it.each(rows)("%j", async (choice, name) => {
    expect((await openModel({ env: {}, ...choice })).name).toBe(name);
  });
});

describe("what cannot be opened says what to do", () => {
  const rows: [choice: Partial<ModelChoice>, kind: string, says: RegExp][] = [
    [
      { model: "anthropic/x" },
      "key",
      /ANTHROPIC_API_KEY is not set.*export ANTHROPIC_API_KEY=….*--model offline/,
    ],
    [{ model: "anthropic/x", env: { ANTHROPIC_API_KEY: "" } }, "key", /ANTHROPIC_API_KEY/],
    [{ model: "openai/x" }, "key", /OPENAI_API_KEY/],
    [{ model: "openai/x", baseUrl: BASE }, "key", /--model compatible\/openai\/x/],
    [
      { model: "antropic/x" },
      "model",
      /^There is no provider "antropic" \(did you mean anthropic\/x\?\)\. Use --model offline, anthropic\/<model>, openai\/<model>, or compatible\/<model> with --base-url <url>\.$/,
    ],
    [{ provider: "opnai", model: "gpt-5" }, "model", /"opnai" \(did you mean openai\/gpt-5\?\)/],
    [{ model: "antropic" }, "model", /\(did you mean anthropic\/<model>\?\)/],
    [{ model: "offlin" }, "model", /^There is no provider "offlin" \(did you mean offline\?\)/],
    [{ model: "offlin/x" }, "model", /\(did you mean offline\?\)/],
    [{ model: "acme/x" }, "model", /^There is no provider "acme"\. Use --model offline/],
    [
      { model: "llama3.2" },
      "model",
      /^There is no provider "llama3\.2"\. .*compatible\/<model> with --base-url/,
    ],
    [{ model: "gpt-oss-20b" }, "model", /^There is no provider "gpt-oss-20b"\. /],
    ...["gpt-5", "o1", "o3-mini", "chatgpt-4o-latest"].map((model): [object, string, RegExp] => [
      { model },
      "model",
      new RegExp(`^"${model}" is a model without its provider\\. Use --model openai/${model}\\.$`),
    ]),
    [{ model: "claude-sonnet-4-5" }, "model", /Use --model anthropic\/claude-sonnet-4-5\.$/],
    [{ model: "compatible/x" }, "model", /--base-url/],
    [{ baseUrl: BASE }, "model", /--model <name>/],
    [{ model: "anthropic/", env: KEYS }, "model", /--model <name>/],
    [{ model: "x", baseUrl: "localhost" }, "network", /localhost is no URL/],
    [{ model: "x", baseUrl: "localhost:11434" }, "network", /is no URL/],
  ];
  it.each(rows)("%j", async (choice, kind, says) => {
    await expect(openModel({ env: {}, ...choice })).rejects.toMatchObject({
      name: "ModelError",
      kind,
      message: expect.stringMatching(says),
    });
  });
});

describe("where a server is", () => {
  const [anthropic, openai] = LANGUAGES;
  const rows = [
    ["ANTHROPIC_BASE_URL", "anthropic/m", anthropic],
    ["OPENAI_BASE_URL", "openai/m", openai],
  ] as const;
  it.each(rows)("%s", async (name, model, language) => {
    if (!language) throw new Error("no language");
    const hello = [...language.begin(), ...language.text("hello"), ...language.end("stop")];
    const { url, asked } = await serve(streams(hello));
    for (const base of [url, `${url}/`, `${url}/v1`, `${url}/v1/`]) {
      const opened = await openModel({ model, env: { ...KEYS, [name]: base }, retries: 0 });
      expect((await answerOf(opened, [user("hi")])).text).toBe("hello");
    }
    expect(asked.map((each) => each.url)).toEqual(Array(4).fill(language.path));
  });

  it("without a key a server of one's own is sent none, whatever else is set", async () => {
    if (!openai) throw new Error("no language");
    const { url, asked } = await serve(
      streams([...openai.begin(), ...openai.text("x"), ...openai.end("stop")]),
    );
    await answerOf(await openModel({ model: "m", baseUrl: url, env: KEYS, retries: 0 }), [user("hi")]);
    expect(asked[0]?.headers).not.toHaveProperty("authorization");
  });
});

it("the package is imported without the AI SDK: that is loaded when a model is opened", () => {
  const built = readFileSync(new URL("../../dist/index.js", import.meta.url), "utf8");
  const imported = [...built.matchAll(/^import .*?"([^"]+)";$/gm)].map(([, name]) => name);
  expect(imported).toContain("node:crypto");
  expect(imported.filter((name) => /^(?:ai|@ai-sdk\/.+)$/.test(name ?? ""))).toEqual([]);
  expect([...built.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible", "ai"]),
  );
});
