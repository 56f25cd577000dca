import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../src/models/model.ts";
import { open } from "./open-language.ts";
import { LANGUAGES, type Language, serve, streams } from "./server.ts";
import { answerOf, TOOLS, user } from "./talk.ts";

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
