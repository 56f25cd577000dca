import type { Hook } from "@belay/core";
import { needsTrust } from "../trust/store.ts";

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
