// The wire formats of models, as a scripted server speaks them: what asks the model, and how one turn of a script is said.

/** @typedef {{ tool: string, input: Record<string, unknown> }} Call */
/** One answer of the scripted model: text, tool calls, or both. @typedef {{ text?: string, calls?: Call[] }} Turn */
/** @typedef {Record<string, any>} Body */
/**
 * @typedef {object} Wire
 * @property {RegExp} asks the path of a request that wants a turn
 * @property {(body: Body) => boolean} withTools whether the request offers tools; a request for a title does not
 * @property {(body: Body) => unknown} said what the agent tells the model: its messages, without tools and settings
 * @property {(turn: Turn, number: number, body: Body) => { type: string, body: string }} say
 */

const usage = 10;
/** @param {number} number @param {number} at */
const callId = (number, at) => `call_${String(number).padStart(4, "0")}${at}fake`;
/** @param {unknown[]} values */
const lines = (values) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
/** @param {Body[]} values */
const named = (values) =>
  values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join("");
const stream = "text/event-stream";
const json = "application/json";

/** @type {Wire} */
const anthropic = {
  asks: /\/v1\/messages(?:\?|$)/,
  withTools: (body) => (body.tools ?? []).length > 0,
  said: (body) => body.messages,
  say(turn, number, body) {
    const blocks = [
      ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
      ...(turn.calls ?? []).map(({ tool, input }, at) => ({
        type: "tool_use",
        id: callId(number, at).replace("call_", "toolu_"),
        name: tool,
        input,
      })),
    ];
    const stop_reason = turn.calls ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${number}fake`,
      type: "message",
      role: "assistant",
      model: body.model,
      stop_sequence: null,
      usage: { input_tokens: usage, output_tokens: usage },
    };
    if (!body.stream)
      return { type: json, body: JSON.stringify({ ...message, content: blocks, stop_reason }) };
    /** @type {Body[]} */
    const events = [
      {
        type: "message_start",
        message: { ...message, content: [], stop_reason: null },
      },
    ];
    blocks.forEach((block, index) => {
      const [start, delta] =
        "text" in block
          ? [
              { type: "text", text: "" },
              { type: "text_delta", text: block.text },
            ]
          : [
              { ...block, input: {} },
              { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
            ];
      events.push(
        { type: "content_block_start", index, content_block: start },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      );
    });
    events.push(
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage },
      },
      { type: "message_stop" },
    );
    return { type: stream, body: named(events) };
  },
};

/** @type {Wire} */
const chat = {
  asks: /\/chat\/completions(?:\?|$)/,
  withTools: (body) => (body.tools ?? []).length > 0,
  said: (body) => body.messages,
  say(turn, number, body) {
    const tool_calls = (turn.calls ?? []).map(({ tool, input }, index) => ({
      index,
      id: callId(number, index),
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }));
    const finish_reason = turn.calls ? "tool_calls" : "stop";
    const message = {
      role: "assistant",
      content: turn.text ?? null,
      ...(turn.calls ? { tool_calls } : {}),
    };
    const shared = { id: `chatcmpl-${number}fake`, created: 1, model: body.model };
    const counts = { prompt_tokens: usage, completion_tokens: usage, total_tokens: 2 * usage };
    if (!body.stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return {
        type: json,
        body: JSON.stringify({ ...shared, object: "chat.completion", choices, usage: counts }),
      };
    }
    /** @param {object} delta @param {string | null} reason */
    const chunk = (delta, reason) => ({
      ...shared,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const counted = { ...shared, object: "chat.completion.chunk", choices: [], usage: counts };
    const chunks = [chunk(message, null), chunk({}, finish_reason), counted];
    return { type: stream, body: `${lines(chunks)}data: [DONE]\n\n` };
  },
};

/** @type {Wire} */
const responses = {
  asks: /\/responses(?:\?|$)/,
  withTools: (body) => (body.tools ?? []).length > 0,
  said: (body) => body.input,
  say(turn, number) {
    const items = [
      ...(turn.text === undefined
        ? []
        : [
            {
              type: "message",
              id: `msg_${number}fake`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: turn.text, annotations: [] }],
            },
          ]),
      ...(turn.calls ?? []).map(({ tool, input }, at) => {
        const shared = {
          id: `fc_${number}${at}fake`,
          call_id: callId(number, at),
          name: tool,
          status: "completed",
        };
        // A tool of free text, such as Codex's apply_patch, takes its text as it is.
        return "freeform" in input
          ? { ...shared, type: "custom_tool_call", input: input.freeform }
          : { ...shared, type: "function_call", arguments: JSON.stringify(input) };
      }),
    ];
    const response = { id: `resp_${number}fake`, object: "response", model: "scripted" };
    const counts = {
      input_tokens: usage,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2 * usage,
    };
    return {
      type: stream,
      body: named([
        {
          type: "response.created",
          response: { ...response, status: "in_progress" },
        },
        ...items.flatMap((item, output_index) => [
          { type: "response.output_item.added", output_index, item },
          { type: "response.output_item.done", output_index, item },
        ]),
        {
          type: "response.completed",
          response: { ...response, status: "completed", output: items, usage: counts },
        },
      ]),
    };
  },
};

/** @type {Wire} */
const gemini = {
  asks: /:(?:streamGenerateContent|generateContent)(?:\?|$)/,
  withTools: (body) => (body.tools ?? []).length > 0,
  said: (body) => body.contents,
  say(turn) {
    const parts = [
      ...(turn.text === undefined ? [] : [{ text: turn.text }]),
      ...(turn.calls ?? []).map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
    ];
    const usageMetadata = {
      promptTokenCount: usage,
      candidatesTokenCount: usage,
      totalTokenCount: 2 * usage,
    };
    const candidates = [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }];
    return { type: stream, body: lines([{ candidates, usageMetadata, modelVersion: "scripted" }]) };
  },
};

/** Augment's own: one JSON value a line, a node for each part. @type {Wire} */
const augment = {
  asks: /\/chat-stream(?:\?|$)/,
  withTools: (body) => (body.tool_definitions ?? []).length > 0,
  said: (body) => [body.message, body.nodes, body.chat_history],
  say(turn, number) {
    const text = turn.text ?? "";
    const nodes = [
      ...(text === "" ? [] : [{ id: 1, type: 0, content: text }]),
      ...(turn.calls ?? []).map(({ tool, input }, at) => ({
        id: at + 2,
        type: 5,
        content: "",
        tool_use: {
          tool_use_id: callId(number, at),
          tool_name: tool,
          input_json: JSON.stringify(input),
        },
      })),
    ];
    const answer = { text, nodes, stop_reason: turn.calls ? 3 : 1 };
    return { type: json, body: `${JSON.stringify(answer)}\n` };
  },
};

/** @type {Record<string, Wire>} */
export const WIRES = { anthropic, chat, responses, gemini, augment };
