import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

/** A server on loopback that answers as its script says, and keeps what it was asked. */

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await stop(server);
});

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Each request gets the next reply; the last one is repeated. */
export async function serve(...replies: readonly Reply[]) {
  const asked: Asked[] = [];
  /** Resolves when a client has gone away before its answer was whole. */
  let left: () => void = () => {};
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    response.on("close", () => {
      if (!response.writableFinished) left();
    });
    request.on("end", () => {
      const next = { url: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
      asked.push(next);
      void (replies[asked.length - 1] ?? replies.at(-1))?.(response, next);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, clientLeft, stop: () => stop(server) };
}

export const fails =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

/** Writes the pieces as they are, then ends as told. */
export const streams =
  (pieces: readonly string[], end: "whole" | "cut" | "open" = "whole"): Reply =>
  async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    if (end === "whole") response.end();
    // What was written has to reach the client before the connection breaks.
    if (end === "cut") setTimeout(() => response.destroy(), 50);
  };

/** A call as a server streams it: the pieces of its input are not JSON one by one. */
interface StreamedCall {
  readonly id: string;
  readonly name: string;
  readonly input: readonly string[];
}

/** What a server needs to be able to say, in either language. */
export interface Language {
  readonly spec: string;
  readonly path: string;
  text(...pieces: readonly string[]): string[];
  calls(...calls: readonly StreamedCall[]): string[];
  begin(): string[];
  end(reason: "stop" | "calls"): string[];
  /** The whole answer to a question that does not stream. */
  whole(text: string): object;
  error(type: string, message: string): object;
  /** An error in the middle of a stream. */
  streamedError(type: string, message: string): string[];
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const chunk = (delta: object, finish_reason: string | null = null) =>
  data({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });

const CHAT: Omit<Language, "spec"> = {
  path: "/v1/chat/completions",
  begin: () => [chunk({ role: "assistant", content: "" })],
  text: (...pieces) => pieces.map((content) => chunk({ content })),
  calls: (...calls) =>
    calls.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...input.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  end: (reason) => [
    chunk({}, reason === "stop" ? "stop" : "tool_calls"),
    data({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    }),
    "data: [DONE]\n\n",
  ],
  whole: (content) => ({
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  }),
  error: (code, message) => ({ error: { message, type: "invalid_request_error", param: null, code } }),
  streamedError: (code, message) => [data({ error: { message, type: "server_error", param: null, code } })],
};

const event = (value: { readonly type: string }) => `event: ${value.type}\n${data(value)}`;

const block = (index: number, content_block: object, deltas: readonly object[]) => [
  event({ type: "content_block_start", index, content_block } as { type: string }),
  ...deltas.map((delta) => event({ type: "content_block_delta", index, delta } as { type: string })),
  event({ type: "content_block_stop", index } as { type: string }),
];

const MESSAGES: Omit<Language, "spec"> = {
  path: "/v1/messages",
  begin: () => [
    event({
      type: "message_start",
      message: {
        id: "m1",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 7, output_tokens: 1 },
      },
    } as { type: string }),
  ],
  text: (...pieces) =>
    block(
      0,
      { type: "text", text: "" },
      pieces.map((text) => ({ type: "text_delta", text })),
    ),
  calls: (...calls) =>
    calls.flatMap(({ id, name, input }, index) =>
      block(
        index + 1,
        { type: "tool_use", id, name, input: {} },
        input.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ),
    ),
  end: (reason) => [
    event({
      type: "message_delta",
      delta: { stop_reason: reason === "stop" ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: 3 },
    } as { type: string }),
    event({ type: "message_stop" }),
  ],
  whole: (text) => ({
    id: "m1",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    model: "m",
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 3 },
  }),
  error: (type, message) => ({ type: "error", error: { type, message } }),
  streamedError: (type, message) => [event({ type: "error", error: { type, message } } as { type: string })],
};

/** Every provider, with the language of its server. */
export const LANGUAGES: readonly Language[] = [
  { spec: "anthropic/m", ...MESSAGES },
  { spec: "openai/m", ...CHAT },
  { spec: "compatible/m", ...CHAT },
];
