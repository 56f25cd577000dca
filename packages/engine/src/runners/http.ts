import type { Handler, Hook, Run } from "@belay/core";
import { decode } from "../process/capture.ts";
import { messageOf, type Runner, type RunRequest, runWithoutProcess } from "./runner.ts";

type HttpHandler = Extract<Handler, { type: "http" }>;

/** POSTs the payload. A 2xx object is output, a 2xx without body is silence, anything else is a fault. */
export const runHttp: Runner = async (request) => {
  const { hook, allowedHttpHookUrls } = request;
  const started = performance.now();
  if (hook.handler.type !== "http") throw new TypeError(`not an http hook: ${hook.name}`);
  const refusal = whyNotAllowed(hook, hook.handler.url, allowedHttpHookUrls);
  if (refusal !== undefined)
    return runWithoutProcess(started, { failure: { kind: "http", detail: refusal } });
  const limit = AbortSignal.timeout(Math.ceil(hook.timeoutMs));
  const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
  try {
    return runWithoutProcess(started, await post(hook.handler, request, signal));
  } catch (error) {
    return runWithoutProcess(started, failureFor(error, limit, request));
  }
};

async function post(
  handler: HttpHandler,
  { input, env, limits }: RunRequest,
  signal: AbortSignal,
): Promise<Partial<Run>> {
  const response = await fetch(handler.url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", ...fillHeaders(handler, env) },
    body: input,
    signal,
  });
  const body = await readBody(response, limits.outputCap);
  const failure = whyNoAnswer(response, body);
  return { ...body, ...(failure !== undefined && { failure: { kind: "http", detail: failure } }) };
}

function whyNoAnswer(response: Response, body: Partial<Run>): string | undefined {
  if (response.status >= 300 && response.status < 400) {
    return `status ${response.status}: redirects are not followed`;
  }
  if (!response.ok) return `status ${response.status}`;
  const text = (body.stdout ?? "").trim();
  return text === "" || body.truncated || isJsonObject(text) ? undefined : "the body is not a JSON object";
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** At most `cap` bytes; a longer body is cut and the connection closed. */
async function readBody(response: Response, cap: number): Promise<Partial<Run>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > cap) break;
  }
  const truncated = bytes > cap;
  const stdout = decode(Buffer.concat(chunks).subarray(0, cap), truncated);
  return { stdout, truncated, ...(truncated && { cut: ["stdout"], cap }) };
}

function failureFor(error: unknown, limit: AbortSignal, { hook, signal }: RunRequest): Partial<Run> {
  if (limit.aborted) {
    return {
      timedOut: true,
      failure: { kind: "timeout", detail: `no answer within ${hook.timeoutMs / 1000} s` },
    };
  }
  if (signal?.aborted) return { failure: { kind: "abort", detail: "the request was cancelled" } };
  const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : "";
  return { failure: { kind: "http", detail: messageOf(error) + cause } };
}

/** $NAME and ${NAME} in a header value; a variable that is not allowed becomes nothing. */
function fillHeaders(
  { headers, allowedEnvVars }: HttpHandler,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? "";
      return allowedEnvVars.includes(name) ? (env[name] ?? "") : "";
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

/** Where a hook may call: your own hooks anywhere, a project's only loopback or what you allow (DESIGN §7). */
export function whyNotAllowed(
  hook: Hook,
  url: string,
  allowed: readonly string[] | undefined,
): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) return `${url} is not a URL`;
  if (parsed.username !== "" || parsed.password !== "") return "a URL with a user name in it is not called";
  const { layer } = hook.source;
  if (layer === "user" || layer === "config" || layer === "plugin") return undefined;
  if (allowed === undefined ? isLoopback(parsed) : allowed.some((pattern) => urlMatches(pattern, parsed)))
    return undefined;
  return `${parsed.origin} may not be called by a hook from a project file; allow it in allowedHttpHookUrls of your user settings`;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** `*` stands for anything, but never crosses from the host into the path. */
function urlMatches(pattern: string, url: URL): boolean {
  const [, scheme = "", host = "", path = "/*"] = /^([^:]+):\/\/([^/]*)(\/.*)?$/.exec(pattern) ?? [];
  if (scheme === "") return false;
  return (
    globMatches(scheme, url.protocol.slice(0, -1)) &&
    globMatches(host, url.host) &&
    globMatches(path, url.pathname + url.search)
  );
}

function globMatches(pattern: string, text: string): boolean {
  const source = pattern.split("*").map(escapePattern).join(".*");
  return new RegExp(`^${source}$`, "s").test(text);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
