import { randomBytes, timingSafeEqual } from "node:crypto";
import type { SessionRequest } from "@belay/inspector/api";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/*
 * The page can run commands and answer permission questions, so only the user who started it may speak to it. Any page in
 * the same browser can send requests to this port, and a name that an attacker owns can be made to mean 127.0.0.1:
 * hence the Host, the Origin and a secret, each for itself.
 */

export interface Guard {
  /** What stands in the fragment of the address: it is never sent by itself. */
  readonly token: string;
  /** A token that counts once; `used` is called then. */
  ticket(used: () => void): string;
  /** For every request: who is meant, and the headers of every answer. */
  readonly everything: MiddlewareHandler;
  /** For the API: who asks. */
  readonly api: MiddlewareHandler;
  /** Gives the cookie to whoever has the token. */
  exchange(context: Context): Promise<Response>;
}

const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const LOOPBACK = ["127.0.0.1", "localhost"];

/** `port` is known once the server listens. */
export function guardFor(port: () => number): Guard {
  const token = secret();
  const session = secret();
  const tickets = new Map<string, () => void>();
  const cookie = () => `belay_inspect_${port()}`;
  // Of HTTP's own port a browser says nothing.
  const hosts = () => LOOPBACK.flatMap((name) => [`${name}:${port()}`, ...(port() === 80 ? [name] : [])]);

  return {
    token,
    ticket: (used) => {
      const ticket = secret();
      tickets.set(ticket, used);
      return ticket;
    },
    everything: async (context, next) => {
      if (!hosts().includes(context.req.header("host") ?? "")) return bare(403);
      await next();
      for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    },
    api: async (context, next) => {
      if (!isOwnPage(context)) return bare(403);
      const isExchange = context.req.path === "/api/session" && context.req.method === "POST";
      if (!isExchange && !isSame(getCookie(context, cookie()), session)) return bare(401);
      await next();
      context.header("Cache-Control", "no-store");
    },
    exchange: async (context) => {
      const given = (await context.req.json().catch(() => undefined)) as Partial<SessionRequest> | undefined;
      const [ticket, used] = [...tickets].find(([one]) => isSame(given?.token, one)) ?? [];
      if (ticket === undefined && !isSame(given?.token, token)) return bare(401);
      if (ticket !== undefined) tickets.delete(ticket);
      used?.();
      setCookie(context, cookie(), session, { httpOnly: true, sameSite: "Strict", path: "/" });
      return context.body(null, 204);
    },
  };
}

/** Other ports of this machine are the same site to a browser, and get its cookies: the origin tells them apart. */
function isOwnPage({ req }: Context): boolean {
  const site = req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = req.header("origin");
  const changes = req.method !== "GET" && req.method !== "HEAD";
  if (origin === undefined) return !changes;
  return origin === `http://${req.header("host")}`;
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Nothing that tells what is here. */
function bare(status: 401 | 403): Response {
  return new Response(null, { status, headers: { ...HEADERS, "Cache-Control": "no-store" } });
}
