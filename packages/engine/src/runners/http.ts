import type { Handler, Hook, Run } from "@belay/core";
import { HEADER_VARIABLE, isObject, messageOf } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { decode } from "../process/capture.ts";
import { needsTrust } from "../trust/store.ts";
import type { Answer } from "./post.ts";
import { type Runner, type RunRequest, runWithoutProcess, withinLimit } from "./runner.ts";

type HttpHandler = Extract<Handler, { type: "http" }>;

/** POSTs the payload. A 2xx object is output, a 2xx without body is silence, anything else is a fault. */
export const runHttp: Runner<"http"> = async (handler, request) => {
  const { hook, allowedHttpHookUrls } = request;
  const started = performance.now();
  const refusal = whyNotAllowed(hook, handler.url, allowedHttpHookUrls);
  if (refusal !== undefined)
    return runWithoutProcess(started, { failure: { kind: "not-allowed", detail: refusal } });
  const body = keptBody(request.limits.outputCap);
  const facts = await withinLimit(request, { aborted: "the request was cancelled", failed }, (signal) =>
    call(handler, request, signal, body),
  );
  return runWithoutProcess(started, { ...body.facts(), ...unsetIn(handler, request.env), ...facts });
};

async function call(
  handler: HttpHandler,
  { input, env }: RunRequest,
  signal: AbortSignal,
  body: KeptBody,
): Promise<Partial<Run>> {
  const { post } = await import("./post.ts");
  const answer = await post(handler.url, { headers: headersOf(handler, env), body: input, signal });
  await body.read(answer);
  const failure = whyNoAnswer(answer, body.facts());
  return failure === undefined ? {} : { failure: { kind: "http", detail: failure } };
}

function whyNoAnswer({ status }: Answer, body: Partial<Run>): string | undefined {
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  if (status < 200 || status >= 300) return `status ${status}`;
  const text = (body.stdout ?? "").trim();
  const isSilent = text === "" && !body.truncated;
  const isCutObject = body.truncated && text.startsWith("{");
  return isSilent || isCutObject || isJsonObject(text) ? undefined : "the body is not a JSON object";
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** What has come of a body, also of one that breaks off: what it restricts still counts (DESIGN §4.4). */
interface KeptBody {
  read(answer: Answer): Promise<void>;
  facts(): Partial<Run>;
}

/** At most `cap` bytes; a longer body is cut and the connection closed. */
function keptBody(cap: number): KeptBody {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let whole = false;
  return {
    read: async ({ body }) => {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > cap) return;
      }
      whole = true;
    },
    facts: () => {
      const truncated = bytes > cap;
      const { text, isAltered } = decode(Buffer.concat(chunks).subarray(0, cap), !whole);
      return {
        stdout: text,
        truncated,
        ...(truncated && { cut: ["stdout"], cap }),
        ...(isAltered && { notUtf8: ["stdout"] }),
      };
    },
  };
}

/** A name with several addresses fails at each of them, with no words for all. */
function failed(error: unknown): NonNullable<Run["failure"]> {
  const reasons = error instanceof AggregateError && error.message === "" ? error.errors : [error];
  return { kind: "http", detail: reasons.map(messageOf).join("; ") };
}

const OUR_HEADERS = { "content-type": "application/json", accept: "*/*", "user-agent": "belay" };

/** The hook's own headers, and ours where it has none of that name, in whatever case. */
function headersOf(handler: HttpHandler, env: Variables): Headers {
  const headers = new Headers(OUR_HEADERS);
  for (const [name, value] of new Headers(fillHeaders(handler, env))) headers.set(name, value);
  return headers;
}

/** Variables that headers may hold, do name, and would be filled in from nothing. */
function unsetIn({ headers, allowedEnvVars }: HttpHandler, env: Variables): Pick<Run, "unset"> {
  const named = Object.values(headers).flatMap((value) =>
    [...value.matchAll(HEADER_VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? ""),
  );
  const unset = [...new Set(named)].filter((name) => allowedEnvVars.includes(name) && !env[name]);
  return unset.length > 0 ? { unset } : {};
}

/** $NAME and ${NAME} in a header value; a variable that is not allowed becomes nothing. */
function fillHeaders({ headers, allowedEnvVars }: HttpHandler, env: Variables): Record<string, string> {
  const fill = (value: string) =>
    value.replace(HEADER_VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? "";
      return allowedEnvVars.includes(name) ? (env[name] ?? "") : "";
    });
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, checked(name, fill(value))]),
  );
}

/** Headers would refuse such a value too, and repeat it, which may be a secret. */
function checked(name: string, value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value.trim()))
    throw new TypeError(`the header ${name} has a character that no header may have`);
  return value;
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
  if (!needsTrust(hook)) return undefined;
  if (allowed === undefined ? isLoopback(parsed) : allowed.some((pattern) => urlMatches(pattern, parsed)))
    return undefined;
  return `${parsed.origin} may not be called by a hook from a project file; allow it in allowedHttpHookUrls of your user settings`;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const DEFAULT_PORTS: Record<string, string> = { http: "80", https: "443" };

/** `*` stands for anything, but never crosses from the host into the path; alone it stands for every URL. */
function urlMatches(pattern: string, url: URL): boolean {
  if (pattern === "*") return true;
  const [, scheme = "", host = "", path = "/*"] = /^([^:]+):\/\/([^/]*)(\/.*)?$/.exec(pattern) ?? [];
  if (scheme === "") return false;
  const protocol = url.protocol.slice(0, -1);
  const hosts = [url.host, ...(url.port === "" ? [`${url.host}:${DEFAULT_PORTS[protocol]}`] : [])];
  return (
    globMatches(scheme.toLowerCase(), protocol) &&
    hosts.some((name) => globMatches(host.toLowerCase(), name)) &&
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
