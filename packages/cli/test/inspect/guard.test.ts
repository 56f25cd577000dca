import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { guardFor } from "../../src/inspect/guard.ts";
import { scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { type Served, serve } from "./server.ts";

/* Who may speak to the page's server, and what every answer says about itself. */

const JSON_TYPE = { "Content-Type": "application/json" };

function start(): Promise<Served> {
  const room = scratch();
  journal(room, [lineOf({ id: "a" })]);
  return serve(room);
}

describe("requests", () => {
  const FIRE = JSON.stringify({ event: "Stop", payload: { stop_hook_active: false } });
  const LONG_FIRE = JSON.stringify({ event: "Stop", payload: { x: "x".repeat(5_000_000) } });

  type Given = Served & { readonly cookie: { readonly Cookie: string } };
  type Row = [
    name: string,
    path: string,
    status: number,
    headers?: (given: Given) => Record<string, string>,
    body?: string | ((given: Given) => string),
  ];
  const signedIn = ({ cookie }: Given) => cookie;
  const page = ({ port }: Given) => ({ Origin: `http://127.0.0.1:${port}` });
  const signedInPage = (given: Given) => ({ ...given.cookie, ...page(given) });
  /** The cookie, and these headers. */
  const and = (more: (port: number) => Record<string, string>) => (given: Given) => ({
    ...given.cookie,
    ...more(given.port),
  });
  const cookieOf = ({ port }: Given, value: string) => ({ Cookie: `belay_inspect_${port}=${value}` });
  const EVIL = { Origin: "http://evil.example" };
  const evil = (port: number) => ({ Host: `evil.example:${port}` });
  const ROWS: Row[] = [
    ["the page itself, which holds nothing", "/", 200],
    ["events with the cookie", "/api/events", 200, signedIn],
    ["events without it", "/api/events", 401],
    ["events with a wrong one", "/api/events", 401, (given) => cookieOf(given, "x")],
    ["the token in its place", "/api/events", 401, (given) => cookieOf(given, given.token)],
    ["a path that is none, without the cookie", "/api/secrets", 401],
    ["the stream without the cookie", "/api/live", 401],
    ["an attacker's name for 127.0.0.1", "/api/events", 403, and(evil)],
    ["the page by such a name", "/", 403, ({ port }) => evil(port)],
    ["another port in Host", "/api/events", 403, and(() => ({ Host: "127.0.0.1:1" }))],
    ["localhost", "/api/events", 200, and((port) => ({ Host: `localhost:${port}` }))],
    ["another origin that reads", "/api/events", 403, and(() => EVIL)],
    ["another port of this site", "/api/events", 403, and(() => ({ "Sec-Fetch-Site": "same-site" }))],
    ["a fire without an origin", "/api/fire", 403, signedIn, FIRE],
    ["a fire from another origin", "/api/fire", 403, and(() => ({ Origin: "http://127.0.0.1:1" })), FIRE],
    ["a fire from an origin that is none", "/api/fire", 403, and(() => ({ Origin: "null" })), FIRE],
    ["a fire from the page", "/api/fire", 200, signedInPage, FIRE],
    ["a fire without the cookie", "/api/fire", 401, page, FIRE],
    ["a payload too long", "/api/fire", 413, signedInPage, LONG_FIRE],
    ["an answer without the cookie", "/api/answer", 401, page, "{}"],
    ["an answer that is none", "/api/answer", 400, signedInPage, "null"],
    ["a session with a wrong token", "/api/session", 401, page, '{"token":"x"}'],
    [
      "a session from another origin",
      "/api/session",
      403,
      () => EVIL,
      ({ token }) => JSON.stringify({ token }),
    ],
    ["a session with a body too long", "/api/session", 413, page, `{"token":"${"x".repeat(2000)}"}`],
    ["a file outside of the page's", "/../../package.json", 404],
    ["the same, encoded", "/%2e%2e/%2e%2e/package.json", 404],
    ["a place outside of the journal", "/api/events/..%2F..%2Ftrust.json%400", 404, signedIn],
    ["a place that is none", "/api/events?before=nonsense", 400, signedIn],
  ];

  it("are answered or not", async () => {
    const served = await start();
    const given = { ...served, cookie: await served.signIn() };
    const found: [string, number][] = [];
    for (const [name, path, , headersOf, bodyOf] of ROWS) {
      const body = typeof bodyOf === "function" ? bodyOf(given) : bodyOf;
      const { status, text, headers } = await served.ask(path, {
        headers: { ...headersOf?.(given), ...(body && JSON_TYPE) },
        ...(body && { method: "POST", body }),
      });
      found.push([name, status]);
      if (status === 401 || status === 403) expect({ name, text }).toEqual({ name, text: "" });
      expect({ name, sniff: headers["x-content-type-options"] }).toEqual({ name, sniff: "nosniff" });
    }
    expect(found).toEqual(ROWS.map(([name, , status]) => [name, status]));
  });
});

describe("the port of HTTP itself", () => {
  const NAMED: [port: number, host: string, status: number][] = [
    [80, "127.0.0.1", 200],
    [80, "localhost", 200],
    [80, "127.0.0.1:80", 200],
    [80, "evil.example", 403],
    [81, "127.0.0.1", 403],
  ];
  it.each(NAMED)("%i: a browser that asks for %s gets %i", async (port, host, status) => {
    const app = new Hono().use(guardFor(() => port).everything).get("/", (context) => context.text(""));
    expect((await app.request("/", { headers: { host } })).status).toBe(status);
  });
});

it("answers allow no inline script, no frame, no other origin, no cache, and the cookie is no script's", async () => {
  const served = await start();
  const { headers, text } = await served.ask("/");
  const policy = String(headers["content-security-policy"]);
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(text).not.toMatch(/https?:\/\//);
  const cookie = await served.signIn();
  for (const path of ["/api/events", "/api/hooks", "/api/samples"]) {
    const answer = await served.ask(path, { headers: cookie });
    expect({ path, cache: answer.headers["cache-control"] }).toEqual({ path, cache: "no-store" });
  }
  const [given = ""] = (await exchange(served, served.token)).headers["set-cookie"] as string[];
  expect(given).toMatch(/; HttpOnly/i);
  expect(given).toMatch(/; SameSite=Strict/i);
  expect(given).not.toContain(served.token);
});

function exchange(served: Served, token: string | undefined) {
  return served.ask("/api/session", {
    method: "POST",
    headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${served.port}` },
    body: JSON.stringify({ token }),
  });
}

it("--open starts the browser with a file of the user alone, which opens the page once and goes", async () => {
  const room = scratch();
  const opened = join(room.home, "opened");
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const script = `#!/bin/sh\necho "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`;
  room.file(`../home/${opener}`, script, 0o755);
  const served = await serve(room, ["--open"], { PATH: `${room.home}:${process.env.PATH}` });
  await expect.poll(() => existsSync(opened)).toBe(true);
  const file = fileURLToPath(readFileSync(opened, "utf8").trim());
  expect([dirname(file), file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  const address = new RegExp(`http://127\\.0\\.0\\.1:${served.port}/#token=([\\w-]+)`);
  const ticket = address.exec(readFileSync(file, "utf8"))?.[1];
  expect(ticket).not.toBe(served.token);
  for (const status of [204, 401]) expect((await exchange(served, ticket)).status).toBe(status);
  expect(existsSync(file)).toBe(false);
});
