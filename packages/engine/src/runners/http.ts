import type { Handler, Hook, Run } from "@belay/core";
import { HEADER_VARIABLE, isObject, messageOf } from "@belay/core/internal";
import type { Variables } from "../environment.ts";
import { parsed } from "../payload.ts";
import { type Capture, capture, type Kept, outputFacts, runSince } from "../process/capture.ts";
import { needsTrust } from "../trust/store.ts";
import type { Answer } from "./post.ts";
import { type Runner, withinLimit } from "./runner.ts";

type HttpHandler = Extract<Handler, { type: "http" }>;

/** POSTs the payload. A 2xx object is output, a 2xx without body is silence, anything else is a fault. */
export const runHttp: Runner<"http"> = async (handler, request) => {
  const { hook, input, env, limits, allowedHttpHookUrls } = request;
  const started = performance.now();
  const refusal = whyNotAllowed(hook, handler.url, allowedHttpHookUrls);
  if (refusal !== undefined) return runSince(started, { failure: { kind: "not-allowed", detail: refusal } });
  const body = capture(limits.outputCap);
  let isWhole = false;
  const facts = await withinLimit(
    request,
    { aborted: "the request was cancelled", failed },
    async (signal) => {
      const { post } = await import("./post.ts");
      const answer = await post(handler.url, { headers: headersOf(handler, env), body: input, signal });
      isWhole = await readBody(answer, body, limits.outputCap);
      const detail = whyNoAnswer(answer, body.kept(isWhole));
      return detail === undefined ? {} : { failure: { kind: "http", detail } };
    },
  );
  // Also what has come of a body that breaks off: what it restricts still counts (design §4.4).
  const output = outputFacts({ stdout: body.kept(isWhole) }, limits.outputCap);
  return runSince(started, { ...output, ...unsetIn(handler, env), ...facts });
};

/** Reads one byte more than the cap at most. Returns false if the connection was closed before the end of the body. */
async function readBody({ body }: Answer, kept: Capture, cap: number): Promise<boolean> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    kept.add(chunk);
    if (kept.bytes > cap) return false;
  }
  return true;
}

function whyNoAnswer({ status }: Answer, body: Kept): string | undefined {
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  if (status < 200 || status >= 300) return `status ${status}`;
  const text = body.text.trim();
  const isSilent = text === "" && !body.isCut;
  const isCutObject = body.isCut && text.startsWith("{");
  return isSilent || isCutObject || isObject(parsed(text)) ? undefined : "the body is not a JSON object";
}

/** A host name with several addresses fails at each of them, and the error of all has no message. */
function failed(error: unknown): NonNullable<Run["failure"]> {
  const reasons = error instanceof AggregateError && error.message === "" ? error.errors : [error];
  return { kind: "http", detail: reasons.map(messageOf).join("; ") };
}

const OUR_HEADERS = { "content-type": "application/json", accept: "*/*", "user-agent": "belay" };

/** The hook's own headers, and ours where the hook has none of that name. */
function headersOf(handler: HttpHandler, env: Variables): Headers {
  const headers = new Headers(OUR_HEADERS);
  for (const [name, value] of new Headers(fillHeaders(handler, env))) headers.set(name, value);
  return headers;
}

/** Variables that headers name and may hold, but that have no value. */
function unsetIn({ headers, allowedEnvVars }: HttpHandler, env: Variables): Pick<Run, "unset"> {
  const named = Object.values(headers).flatMap((value) => [...value.matchAll(HEADER_VARIABLE)].map(nameIn));
  const unset = [...new Set(named)].filter((name) => allowedEnvVars.includes(name) && !env[name]);
  return unset.length > 0 ? { unset } : {};
}

/** $NAME and ${NAME} in a header value; a variable that is not allowed becomes nothing. */
function fillHeaders({ headers, allowedEnvVars }: HttpHandler, env: Variables): Record<string, string> {
  const fill = (value: string) =>
    value.replace(HEADER_VARIABLE, (...match: string[]) => {
      const name = nameIn(match);
      return allowedEnvVars.includes(name) ? (env[name] ?? "") : "";
    });
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, checked(name, fill(value))]),
  );
}

/** The name in a match of HEADER_VARIABLE. */
function nameIn([, braced, bare]: readonly (string | undefined)[]): string {
  return braced ?? bare ?? "";
}

/** Headers would refuse such a value too, but its message repeats the value, which may be a secret. */
function checked(name: string, value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value.trim()))
    throw new TypeError(`the header ${name} has a character that no header may have`);
  return value;
}

/** Why a hook may not call a URL. The user's own hooks may call any; a project's only loopback or what the user allows (design §7). */
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
