import { describe, expect, it } from "vitest";
import type { Model, ModelError, ModelEvent, ModelMessage } from "../../src/models/model.ts";
import { type ModelChoice, openModel } from "../../src/models/open-model.ts";
import { fails, LANGUAGES, type Language, type Reply, serve, streams } from "./server.ts";
import { answerOf, TOOLS, user } from "./talk.ts";

/** The provider layer against servers that speak the wire formats of Anthropic and OpenAI. */

const ENV = { ANTHROPIC_API_KEY: "key-a", OPENAI_API_KEY: "key-o", BELAY_API_KEY: "key-b" };

const open = (language: Language, baseUrl: string, more: Partial<ModelChoice> = {}): Promise<Model> =>
  openModel({ model: language.spec, baseUrl, env: ENV, retries: 0, retryMs: 1, ...more });

/** Everything that came before it failed, and how it failed. */
async function failing(model: Model, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream({ system: "", messages: [user("hi")], tools: TOOLS, signal }))
      events.push(event);
  } catch (error) {
    return { events, error: error as ModelError };
  }
  throw new Error("it did not fail");
}

describe.each(LANGUAGES)("$spec", (language) => {
  const { spec, begin, text, calls, end } = language;
  const HELLO = [...begin(), ...text("Hel", "lo"), ...end("stop")];

  it("text comes as it is streamed, and the end is last", async () => {
    const { url } = await serve(streams(HELLO));
    const model = await open(language, url);
    expect(model.name).toBe(spec);
    expect((await answerOf(model, [user("hi")])).events).toEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      { type: "end" },
    ]);
  });

  it("parallel calls are handed on, and nothing is run", async () => {
    const { url, asked } = await serve(
      streams([
        ...begin(),
        ...text("Both."),
        ...calls(
          { id: "1", name: "Bash", input: ['{"comm', 'and":"ls"}'] },
          { id: "2", name: "Read", input: ['{"file_path":"a.txt"}'] },
        ),
        ...end("calls"),
      ]),
    );
    const { events } = await answerOf(await open(language, url), [user("hi")]);
    expect(events).toEqual([
      { type: "text", text: "Both." },
      { type: "tool-call", id: "1", name: "Bash", input: { command: "ls" } },
      { type: "tool-call", id: "2", name: "Read", input: { file_path: "a.txt" } },
      { type: "end" },
    ]);
    expect(asked).toHaveLength(1);
  });

  const inputs: [name: string, input: string[], handedOn: object][] = [
    ["no JSON", ['{"command": "ls'], { unparsable: '{"command": "ls' }],
    ["a list", ['["ls"]'], { unparsable: '["ls"]' }],
    ["a text", ['"ls"'], { unparsable: "ls" }],
    ["nothing", [], {}],
    ["fields that the tool does not have", ['{"cmd":"ls"}'], { cmd: "ls" }],
  ];
  it.each(inputs)("a call whose input is %s", async (_name, input, handedOn) => {
    const { url } = await serve(
      streams([...begin(), ...calls({ id: "1", name: "Bash", input }), ...end("calls")]),
    );
    const { calls: handed } = await answerOf(await open(language, url), [user("hi")]);
    expect(handed).toEqual([{ type: "tool-call", id: "1", name: "Bash", input: handedOn }]);
  });

  it("a call of a tool that is not there is handed on too: the loop says so", async () => {
    const call = { id: "1", name: "Fly", input: ["{}"] };
    const { url } = await serve(streams([...begin(), ...calls(call), ...end("calls")]));
    const model = await open(language, url);
    for (const tools of [TOOLS, []])
      expect((await answerOf(model, [user("hi")], { tools })).calls).toEqual([
        { type: "tool-call", id: "1", name: "Fly", input: {} },
      ]);
  });

  it("a question without streaming", async () => {
    const { url, asked } = await serve(fails(200, language.whole("Short.")));
    expect(await (await open(language, url)).complete({ system: "Be brief.", prompt: "Sum up." })).toBe(
      "Short.",
    );
    expect(asked).toMatchObject([{ url: language.path, body: { model: "m" } }]);
    expect(JSON.stringify(asked[0]?.body)).toMatch(/Be brief\..*Sum up\.|Sum up\..*Be brief\./);
  });

  const refusals: [name: string, reply: Reply, kind: string, says: RegExp][] = [
    ["a wrong key", fails(401, language.error("x", "invalid key")), "key", /HTTP 401: invalid key.*_API_KEY/],
    ["a forbidden key", fails(403, language.error("x", "no")), "key", /HTTP 403/],
    [
      "an unknown model",
      fails(404, language.error("not_found", "model: m")),
      "model",
      /does not know .*\/m.*--model/,
    ],
    [
      "an unknown model, as 400",
      fails(400, language.error("model_not_found", "bad")),
      "model",
      /does not know/,
    ],
    [
      "too many requests",
      fails(429, language.error("rate", "slow down")),
      "limit",
      /HTTP 429: slow down.*Wait/,
    ],
    ["a broken server", fails(500, language.error("x", "oops")), "server", /HTTP 500: oops/],
    ["an overloaded server", fails(529, language.error("x", "busy")), "server", /HTTP 529/],
    ["a page", fails(502, "<html>Bad Gateway</html>"), "server", /HTTP 502/],
    ["an unknown refusal", fails(400, language.error("x", "what?")), "server", /HTTP 400: what\?/],
    [
      "too long a conversation",
      fails(400, language.error("context_length_exceeded", "maximum context length is 8192")),
      "context",
      /too long for .*\/compact/,
    ],
    [
      "too long a prompt",
      fails(400, language.error("x", "prompt is too long: 9 > 8")),
      "context",
      /too long/,
    ],
    ["too large a request", fails(413, language.error("request_too_large", "x")), "context", /too long/],
  ];
  it.each(refusals)("%s", async (_name, reply, kind, says) => {
    const { url, asked } = await serve(reply);
    const model = await open(language, url);
    const { events, error } = await failing(model);
    expect({ events, name: error.name, kind: error.kind }).toEqual({ events: [], name: "ModelError", kind });
    expect(error.message).toMatch(says);
    if (kind !== "context") expect(error.message).toContain(url);
    await expect(model.complete({ prompt: "x" })).rejects.toMatchObject({ name: "ModelError", kind });
    expect(asked).toHaveLength(2);
  });

  const broken: [name: string, reply: Reply, kind: string, said: string][] = [
    ["the connection is cut", streams([...begin(), ...text("Half")], "cut"), "cut", "Half"],
    ["the stream ends without an end", streams([...begin(), ...text("Half")]), "cut", "Half"],
    ["nothing at all comes", streams([]), "server", ""],
    ["cut before a word", streams(begin(), "cut"), "cut", ""],
    [
      "cut in the middle of a call",
      streams(
        [...begin(), ...calls({ id: "1", name: "Bash", input: ['{"command":"rm'] }).slice(0, 2)],
        "cut",
      ),
      "cut",
      "",
    ],
    [
      "cut behind a call that was whole",
      streams([...begin(), ...calls({ id: "1", name: "Bash", input: ['{"command":"ls"}'] })], "cut"),
      "cut",
      "",
    ],
    [
      "a piece that is no JSON",
      streams([...begin(), ...text("A"), "data: {oops\n\n", ...end("stop")]),
      "server",
      "A",
    ],
    ["a piece of another shape", streams([...begin(), ...text("A"), 'data: {"type":7}\n\n']), "server", "A"],
    [
      "an error in the stream",
      streams([...begin(), ...text("A"), ...language.streamedError("x", "busy")]),
      "server",
      "A",
    ],
    ["no stream but a page", fails(200, "<html>Welcome</html>"), "server", ""],
  ];
  it.each(broken)("in the middle: %s", async (_name, reply, kind, said) => {
    const { url } = await serve(reply);
    const { events, error } = await failing(await open(language, url));
    expect([error.name, error.kind]).toEqual(["ModelError", kind]);
    expect(events).toEqual(said === "" ? [] : [{ type: "text", text: said }]);
  });

  it("nobody listens", async () => {
    const { url, stop } = await serve(streams(HELLO));
    await stop();
    const model = await open(language, url);
    const { error } = await failing(model);
    expect(error.kind).toBe("network");
    expect(error.message).toMatch(
      /^No connection to http:\/\/127\.0\.0\.1:\d+\/v1 \(.*ECONNREFUSED.*--base-url/,
    );
    await expect(model.complete({ prompt: "x" })).rejects.toMatchObject({ kind: "network" });
  });

  it("a host that does not exist", async () => {
    const { error } = await failing(await open(language, "http://nowhere.invalid/v1"));
    expect([error.kind, error.message]).toEqual(["network", expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)]);
  });

  it("what passes is tried again, with a bound; what was streamed never is", async () => {
    const again = await serve(
      fails(429, language.error("x", "slow"), { "retry-after": "0" }),
      fails(503, language.error("x", "down")),
      streams(HELLO),
    );
    expect((await answerOf(await open(language, again.url, { retries: 2 }), [user("hi")])).text).toBe(
      "Hello",
    );
    expect(again.asked).toHaveLength(3);
    const bounded = await serve(fails(500, language.error("x", "down")));
    expect((await failing(await open(language, bounded.url, { retries: 2 }))).error.kind).toBe("server");
    expect(bounded.asked).toHaveLength(3);
    const cut = await serve(streams([...begin(), ...text("Half")], "cut"), streams(HELLO));
    const { error } = await failing(await open(language, cut.url, { retries: 2 }));
    expect(error.message).toMatch(
      / in the middle of an answer \([^)]*(?:other side closed|ECONNRESET)\)\. What had come/,
    );
    expect(error.kind).toBe("cut");
    expect(cut.asked).toHaveLength(1);
  });

  const final: [name: string, reply: Reply][] = [
    ["a wrong key", fails(401, language.error("x", "no"))],
    ["too long a conversation", fails(400, language.error("x", "prompt is too long"))],
    ["no money left", fails(429, language.error("insufficient_quota", "pay"))],
    ["a server that asks for an hour", fails(429, language.error("x", "slow"), { "retry-after": "3600" })],
  ];
  it.each(final)("is not tried again: %s", async (_name, reply) => {
    const { url, asked } = await serve(reply);
    await failing(await open(language, url, { retries: 5 }));
    expect(asked).toHaveLength(1);
  });

  const moments: [name: string, reply: Reply, retries: number][] = [
    ["before the answer", () => {}, 0],
    ["in the answer", streams([...begin(), ...text("A")], "open"), 0],
    ["while it waits to try again", fails(500, language.error("x", "down"), { "retry-after": "20" }), 3],
  ];
  it.each(moments)("abort ends it: %s", async (_name, reply, retries) => {
    const { url, clientLeft } = await serve(reply);
    const ending = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => ending.abort(reason), 200);
    const started = performance.now();
    expect((await failing(await open(language, url, { retries }), ending.signal)).error).toBe(reason);
    if (retries === 0) await clientLeft;
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("abort ends a question", async () => {
    const { url, clientLeft } = await serve(() => {});
    const ending = new AbortController();
    setTimeout(() => ending.abort(new Error("enough")), 100);
    const model = await open(language, url);
    await expect(model.complete({ prompt: "x", signal: ending.signal })).rejects.toThrow("enough");
    await clientLeft;
  });

  it("who stops reading closes the connection", async () => {
    const { url, clientLeft } = await serve(streams([...begin(), ...text("A")], "open"));
    const signal = new AbortController().signal;
    const model = await open(language, url);
    for await (const _event of model.stream({ system: "", messages: [user("hi")], tools: [], signal })) break;
    await clientLeft;
  });
});

describe("what a server is asked", () => {
  const MESSAGES: readonly ModelMessage[] = [
    user("list and read"),
    {
      role: "assistant",
      content: [
        { type: "text", text: "Both." },
        { type: "tool-call", id: "1", name: "Bash", input: { command: "ls" } },
        { type: "tool-call", id: "2", name: "Read", input: { file_path: "a" } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", id: "1", name: "Bash", result: "a b", success: true },
        { type: "tool-result", id: "2", name: "Read", result: "Denied: no", success: false },
      ],
    },
    user("go on"),
    { role: "assistant", content: [{ type: "text", text: " " }] },
    user("well?"),
  ];
  const [BASH] = TOOLS;
  const schema = BASH?.inputSchema;

  async function askedOf(language: Language) {
    const { url, asked } = await serve(
      streams([...language.begin(), ...language.text("ok"), ...language.end("stop")]),
    );
    const model = await open(language, url);
    await answerOf(model, MESSAGES, { system: "You are an agent.", tools: TOOLS.slice(0, 1) });
    return asked[0];
  }

  it("by Anthropic's messages", async () => {
    const [anthropic] = LANGUAGES;
    const asked = await askedOf(anthropic as Language);
    expect(asked).toMatchObject({
      url: "/v1/messages",
      headers: { "x-api-key": "key-a" },
      body: {
        model: "m",
        stream: true,
        system: [{ type: "text", text: "You are an agent." }],
        tools: [{ name: "Bash", description: "Bash does its work.", input_schema: schema }],
      },
    });
    expect(asked?.body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "list and read" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Both." },
          { type: "tool_use", id: "1", name: "Bash", input: { command: "ls" } },
          { type: "tool_use", id: "2", name: "Read", input: { file_path: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: "a b" },
          { type: "tool_result", tool_use_id: "2", content: "Denied: no", is_error: true },
          { type: "text", text: "go on" },
          { type: "text", text: "well?" },
        ],
      },
    ]);
  });

  it.each(LANGUAGES.slice(1))("by chat completions: $spec", async (language) => {
    const asked = await askedOf(language);
    expect(asked).toMatchObject({
      url: "/v1/chat/completions",
      headers: { authorization: `Bearer ${language.spec === "openai/m" ? "key-o" : "key-b"}` },
      body: {
        model: "m",
        stream: true,
        stream_options: { include_usage: true },
        tools: [
          {
            type: "function",
            function: { name: "Bash", description: "Bash does its work.", parameters: schema },
          },
        ],
      },
    });
    const call = (id: string, name: string, input: object) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    });
    expect(asked?.body.messages).toEqual([
      { role: "system", content: "You are an agent." },
      { role: "user", content: "list and read" },
      {
        role: "assistant",
        content: "Both.",
        tool_calls: [call("1", "Bash", { command: "ls" }), call("2", "Read", { file_path: "a" })],
      },
      { role: "tool", tool_call_id: "1", content: "a b" },
      { role: "tool", tool_call_id: "2", content: "Denied: no" },
      { role: "user", content: "go on" },
      { role: "user", content: "well?" },
    ]);
  });
});
