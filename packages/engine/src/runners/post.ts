import type { Agent, AgentOptions, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

export interface Answer {
  readonly status: number;
  /** Fails when it breaks off. Whoever stops reading before its end closes the connection. */
  readonly body: Readable;
}

/**
 * Sends one POST on a connection of its own; redirects are not followed. A server may close a kept connection while the next
 * call is on its way, nobody can tell then whether it was heard, and a call must not be sent twice. fetch keeps its
 * connections, and where it does not, takes a body that breaks off for a whole one.
 */
export async function post(
  address: string,
  { headers, body, signal }: { headers: Headers; body: string; signal: AbortSignal },
): Promise<Answer> {
  const url = new URL(address);
  const { request, agent } = await clientFor(url.protocol);
  headers.set("content-length", String(Buffer.byteLength(body)));
  headers.delete("transfer-encoding");
  const options = { method: "POST", headers: Object.fromEntries(headers), agent, signal };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end(body);
  });
  return { status: response.statusCode ?? 0, body: decoded(response) };
}

interface Client {
  readonly request: (
    url: URL,
    options: RequestOptions,
    heard: (response: IncomingMessage) => void,
  ) => ClientRequest;
  readonly agent: Agent;
}

/** One per protocol: an agent that keeps no connection still knows how a server was greeted before. */
const clients = new Map<string, Client>();

/** What the host has set for all its requests, such as a proxy, holds here too. */
async function clientFor(protocol: string): Promise<Client> {
  const known = clients.get(protocol);
  if (known) return known;
  const { request, Agent, globalAgent } =
    protocol === "https:" ? await import("node:https") : await import("node:http");
  const { options } = globalAgent as Agent & { options: AgentOptions };
  const client = { request, agent: new Agent({ ...options, keepAlive: false }) };
  clients.set(protocol, client);
  return client;
}

const DECODERS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Nobody asked for a coding, and some servers use one all the same. */
function decoded(response: IncomingMessage): Readable {
  const decoder = DECODERS.get(response.headers["content-encoding"]?.toLowerCase() ?? "")?.();
  // Whoever reads the last of the two hears of an error in either.
  return decoder ? pipeline(response, decoder, () => {}) : response;
}
