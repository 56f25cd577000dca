import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { jsonSchema, simulateReadableStream, stepCountIs, streamText } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../../../../docs/examples/scripted-model.mjs";
import { hookedTurn, type TurnOptions } from "../../src/ai-sdk/index.ts";
import { ASK, before, command, failed, json, sent, stage, WRITE } from "./stage.ts";

/** A wrapped tool, called as the SDK calls it. */
async function call(wrapped: object, input: unknown, id = "c", abortSignal?: AbortSignal): Promise<unknown> {
  const { execute } = wrapped as { execute: (input: unknown, options: object) => Promise<unknown> };
  return execute(input, { toolCallId: id, messages: [], abortSignal });
}

describe("wrapTools", () => {
  const schemas = [
    ["zod", z.object({ path: z.string() }), "b.txt", 7],
    [
      "a JSON Schema with a validator",
      jsonSchema<{ path: string }>({ type: "object" }, { validate }),
      "b.txt",
      7,
    ],
    ["one made when it is needed", () => jsonSchema({ type: "object" }, { validate }), "b.txt", 7],
    ["a JSON Schema alone, which takes anything", jsonSchema({ type: "object" }), "b.txt", undefined],
  ] as const;
  function validate(value: unknown) {
    const { path } = value as { path: unknown };
    if (typeof path === "string") return { success: true as const, value: { path } };
    return { success: false as const, error: new Error("path: not a string") };
  }

  it.each(schemas)("a rewrite is held against %s", async (_name, inputSchema, fit, misfit) => {
    const results = await Promise.all(
      [fit, misfit].map(async (path) => {
        const { engine } = await stage({ PreToolUse: before({ updatedInput: { path } }) });
        const { Show } = hookedTurn(engine).wrapTools({
          Show: { inputSchema, execute: async ({ path }: { path: string }) => `path is ${path}` },
        });
        return call(Show, { path: "a.txt" }).catch(({ message }: Error) => message);
      }),
    );
    expect(results).toEqual([
      "path is b.txt",
      misfit === undefined
        ? "path is undefined"
        : expect.stringMatching(/does not fit the tool: path: .*; the call was denied/),
    ]);
  });

  it("what the model sees has the words of hooks behind it, the result has not", async () => {
    const { engine } = await stage({
      PostToolUse: json({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Look." } }),
    });
    const WORDS = '<hook event="PostToolUse">\nLook.\n</hook>';
    const execute = async () => ({ n: 1 });
    const image = { type: "media", data: "", mediaType: "image/png" };
    const tools: Record<string, { execute: object; toModelOutput?(given: object): object }> = {
      plain: { execute },
      own: { execute, toModelOutput: () => ({ type: "text", value: "one" }) },
      parts: { execute, toModelOutput: () => ({ type: "content", value: [image] }) },
    };
    const wrapped = hookedTurn(engine).wrapTools(tools);
    const seen = await Promise.all(
      Object.entries(wrapped).map(async ([id, hooked]) => {
        const output = await call(hooked, {}, id);
        return { output, model: await hooked.toModelOutput?.({ toolCallId: id, input: {}, output }) };
      }),
    );
    const output = { n: 1 };
    expect(seen).toEqual([
      { output, model: { type: "text", value: `{"n":1}\n${WORDS}` } },
      { output, model: { type: "text", value: `one\n${WORDS}` } },
      { output, model: { type: "content", value: [image, { type: "text", text: WORDS }] } },
    ]);
  });

  it("a result that a hook replaced is the result", async () => {
    const replaced = { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { n: 2 } } };
    const { engine } = await stage({ PostToolUse: json(replaced) }, "claude-code");
    const { Count } = hookedTurn(engine).wrapTools({ Count: { execute: async () => ({ n: 1 }) } });
    expect(await call(Count, {})).toEqual({ n: 2 });
  });

  it("a tool that streams its result: the last part is the result", async () => {
    const { engine } = await stage({});
    const { Count } = hookedTurn(engine).wrapTools({
      Count: {
        async *execute() {
          yield 1;
          yield 2;
        },
      },
    });
    expect(await call(Count, {})).toBe(2);
  });

  it("a tool that runs elsewhere is left alone", async () => {
    const { engine } = await stage({});
    const tools = { Search: { inputSchema: z.object({}) } };
    expect(hookedTurn(engine).wrapTools(tools).Search).toBe(tools.Search);
  });

  it("what a tool throws stays what it is", async () => {
    const { engine } = await stage({ PostToolUse: command("exit 2") });
    const error = new TypeError("broken");
    const { Break } = hookedTurn(engine).wrapTools({ Break: { execute: () => Promise.reject(error) } });
    await expect(call(Break, {})).rejects.toBe(error);
  });

  it("questions of calls at once come one by one, and none after a no", async () => {
    const { engine } = await stage({ PreToolUse: ASK });
    const asked: string[] = [];
    let open = 0;
    const turn = hookedTurn(engine, {
      ask: async ({ id }) => {
        asked.push(`${id} ${open}`);
        open += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        open -= 1;
        return asked.length < 2;
      },
    });
    const { Do } = turn.wrapTools({ Do: { execute: async () => "done" } });
    const results = await Promise.allSettled(["1", "2", "3"].map((id) => call(Do, {}, id)));
    expect({
      asked: asked.map((line) => line.split(" ")[1]),
      results: results
        .map((result) => (result.status === "fulfilled" ? result.value : result.reason.message))
        .sort(),
      isOver: turn.isOver(),
    }).toEqual({
      asked: ["0", "0"],
      results: ["Not run: the turn is over.", "The user did not allow this.", "done"],
      isOver: true,
    });
  });

  const ends = [
    ["a hook ends it", { continue: false, stopReason: "Enough." }],
    ["the user says no", ASK.json],
  ] as const;
  it.each(ends)("no tool runs in a turn that is over: %s", async (_how, answer) => {
    const slowForOthers = `grep -q '"tool_name":"Ending"' && echo '${JSON.stringify(answer)}' || sleep 0.5`;
    const { engine } = await stage({ PreToolUse: command(slowForOthers) });
    const execute = vi.fn();
    const { Ending, Other } = hookedTurn(engine).wrapTools({ Ending: { execute }, Other: { execute } });
    const refused = (tool: object) => expect(call(tool, {})).rejects.toThrow(/^Not run: the turn is over\.$/);
    const beside = refused(Other);
    await expect(call(Ending, {})).rejects.toThrow(/^Not run: a hook ended|^The user did not allow/);
    await Promise.all([beside, refused(Other)]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("an abort waits for no tool, and ends one that streams", async () => {
    const { engine } = await stage({});
    const ending = new AbortController();
    const parts: number[] = [];
    const tools = hookedTurn(engine, { signal: ending.signal }).wrapTools({
      Never: { execute: () => new Promise(() => {}) },
      Count: {
        async *execute() {
          for (let part = 0; part < 20; part += 1) {
            parts.push(part);
            yield await sleep(50);
          }
        },
      },
    });
    const reason = new Error("enough");
    const called = Object.values(tools).map((tool) => call(tool, {}));
    await vi.waitFor(() => expect(parts).toContain(1));
    ending.abort(reason);
    await Promise.all(called.map((one) => expect(one).rejects.toBe(reason)));
    const begun = parts.length;
    await sleep(200);
    expect(parts).toHaveLength(begun);
  });

  const moments: [when: string, hook: object, ask: TurnOptions["ask"]][] = [
    ["a hook looks at the call", command("sleep 60"), undefined],
    ["the user is asked", ASK, () => new Promise(() => {})],
    ["the user says yes", ASK, () => sleep(300, true)],
  ];
  const rows = moments.flatMap(([when, hook, ask]) =>
    (["turn", "call"] as const).map((whose) => ({ whose, when, hook, ask })),
  );
  it.each(rows)("no tool runs after an abort of the $whose while $when", async ({ whose, hook, ask }) => {
    const { engine } = await stage({ PreToolUse: hook });
    const ending = new AbortController();
    const { signal } = whose === "turn" ? ending : new AbortController();
    const execute = vi.fn();
    const { Do } = hookedTurn(engine, { ...(ask && { ask }), signal }).wrapTools({ Do: { execute } });
    const other = whose === "call" ? ending.signal : new AbortController().signal;
    const reason = new Error("enough");
    const called = call(Do, {}, "c", other);
    setTimeout(() => ending.abort(reason), 200);
    await expect(called).rejects.toBe(reason);
    await sleep(200);
    expect(execute).not.toHaveBeenCalled();
    expect(getEventListeners(ending.signal, "abort")).toEqual([]);
  });
});

it("streamText takes the same tools and the same condition", async () => {
  const { engine, tools, files } = await stage({
    PreToolUse: json({ continue: false, stopReason: "Enough." }),
  });
  const turn = hookedTurn(engine);
  const [first] = await scriptedModel([WRITE])
    .doGenerate({} as never)
    .then(({ content }) => content);
  const usage = { inputTokens: {} as never, outputTokens: {} as never };
  const chunks = [
    ...(first?.type === "tool-call" ? [first] : []),
    { type: "finish" as const, finishReason: { unified: "tool-calls" as const, raw: undefined }, usage },
  ];
  const model = new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: [...chunks] }) }),
  });
  const result = streamText({
    model,
    prompt: "go",
    tools: turn.wrapTools(tools),
    stopWhen: [stepCountIs(5), turn.isOver],
  });
  const { messages } = await result.response;
  expect({ sent: sent(messages), files: files(), calls: model.doStreamCalls.length }).toEqual({
    sent: [failed("Not run: a hook ended the turn.")],
    files: {},
    calls: 1,
  });
});
