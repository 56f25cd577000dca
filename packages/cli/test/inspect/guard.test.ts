import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { guardFor } from "../../src/inspect/guard.ts";
import { scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { type Served, serve } from "./server.ts";

/* Who may speak to the page's server, and what every answer says about itself. */

const JSON_TYPE = { "Content-Type": "application/json" };

async function start() {
  const room = scratch();
  journal(room, [lineOf({ id: "a" })]);
  const served = await serve(room);
  return { served, cookie: await served.signIn() };
}

describe("requests", () => {
  type Row = [
    name: string,
    request: (given: Served & { cookie: { Cookie: string } }) => {
      path: string;
      method?: string;
      headers?: Record<string, string>;
      body?: string;
    },
    status: number,
  ];
  const fire = { event: "Stop", payload: { stop_hook_active: false } };
  const ROWS: Row[] = [
    ["the page itself, which holds nothing", () => ({ path: "/" }), 200],
    ["events with the cookie", ({ cookie }) => ({ path: "/api/events", headers: cookie }), 200],
    ["events without it", () => ({ path: "/api/events" }), 401],
    [
      "events with a wrong one",
      ({ port }) => ({ path: "/api/events", headers: { Cookie: `belay_inspect_${port}=x` } }),
      401,
    ],
    [
      "the token in its place",
      ({ port, token }) => ({ path: "/api/events", headers: { Cookie: `belay_inspect_${port}=${token}` } }),
      401,
    ],
    ["a path that is none, without the cookie", () => ({ path: "/api/secrets" }), 401],
    ["the stream without the cookie", () => ({ path: "/api/live" }), 401],
    [
      "a name that an attacker made to mean 127.0.0.1",
      ({ cookie, port }) => ({ path: "/api/events", headers: { ...cookie, Host: `evil.example:${port}` } }),
      403,
    ],
    [
      "the page by such a name",
      ({ port }) => ({ path: "/", headers: { Host: `evil.example:${port}` } }),
      403,
    ],
    [
      "another port in Host",
      ({ cookie }) => ({ path: "/api/events", headers: { ...cookie, Host: "127.0.0.1:1" } }),
      403,
    ],
    [
      "localhost",
      ({ cookie, port }) => ({ path: "/api/events", headers: { ...cookie, Host: `localhost:${port}` } }),
      200,
    ],
    [
      "another origin that reads",
      ({ cookie }) => ({ path: "/api/events", headers: { ...cookie, Origin: "http://evil.example" } }),
      403,
    ],
    [
      "another port of this machine, which is the same site",
      ({ cookie }) => ({ path: "/api/events", headers: { ...cookie, "Sec-Fetch-Site": "same-site" } }),
      403,
    ],
    [
      "a fire without an origin",
      ({ cookie }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE },
        body: JSON.stringify(fire),
      }),
      403,
    ],
    [
      "a fire from another origin",
      ({ cookie }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE, Origin: "http://127.0.0.1:1" },
        body: JSON.stringify(fire),
      }),
      403,
    ],
    [
      "a fire from an origin that is none",
      ({ cookie }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE, Origin: "null" },
        body: JSON.stringify(fire),
      }),
      403,
    ],
    [
      "a fire from the page",
      ({ cookie, port }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: JSON.stringify(fire),
      }),
      200,
    ],
    [
      "a fire without the cookie",
      ({ port }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: JSON.stringify(fire),
      }),
      401,
    ],
    [
      "an answer without the cookie",
      ({ port }) => ({
        path: "/api/answer",
        method: "POST",
        headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: "{}",
      }),
      401,
    ],
    [
      "a session with a wrong token",
      ({ port }) => ({
        path: "/api/session",
        method: "POST",
        headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: '{"token":"x"}',
      }),
      401,
    ],
    [
      "a session from another origin",
      ({ token }) => ({
        path: "/api/session",
        method: "POST",
        headers: { ...JSON_TYPE, Origin: "http://evil.example" },
        body: JSON.stringify({ token }),
      }),
      403,
    ],
    [
      "a session with a body too long",
      ({ port }) => ({
        path: "/api/session",
        method: "POST",
        headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: `{"token":"${"x".repeat(2000)}"}`,
      }),
      413,
    ],
    [
      "a payload too long",
      ({ cookie, port }) => ({
        path: "/api/fire",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: JSON.stringify({ event: "Stop", payload: { x: "x".repeat(5_000_000) } }),
      }),
      413,
    ],
    ["a file outside of the page's", () => ({ path: "/../../package.json" }), 404],
    ["the same, encoded", () => ({ path: "/%2e%2e/%2e%2e/package.json" }), 404],
    [
      "a place outside of the journal",
      ({ cookie }) => ({ path: `/api/events/${encodeURIComponent("../../trust.json@0")}`, headers: cookie }),
      404,
    ],
    [
      "an answer that is none",
      ({ cookie, port }) => ({
        path: "/api/answer",
        method: "POST",
        headers: { ...cookie, ...JSON_TYPE, Origin: `http://127.0.0.1:${port}` },
        body: "null",
      }),
      400,
    ],
    ["a place that is none", ({ cookie }) => ({ path: "/api/events?before=nonsense", headers: cookie }), 400],
  ];

  it("are answered or not", async () => {
    const { served, cookie } = await start();
    const found: [string, number][] = [];
    for (const [name, request] of ROWS) {
      const { path, ...options } = request({ ...served, cookie });
      const { status, text, headers } = await served.ask(path, options);
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

describe("answers", () => {
  it("of the page allow no inline script, no frame and no other origin", async () => {
    const { served } = await start();
    const { headers, text } = await served.ask("/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(text).not.toMatch(/https?:\/\//);
  });

  it("of the API are kept by nobody", async () => {
    const { served, cookie } = await start();
    for (const path of ["/api/events", "/api/hooks", "/api/samples"]) {
      const { headers } = await served.ask(path, { headers: cookie });
      expect({ path, cache: headers["cache-control"] }).toEqual({ path, cache: "no-store" });
    }
  });

  it("give a cookie that no script reads and no other site sends", async () => {
    const { served } = await start();
    const { headers } = await served.ask("/api/session", {
      method: "POST",
      headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${served.port}` },
      body: JSON.stringify({ token: served.token }),
    });
    const [cookie = ""] = headers["set-cookie"] as string[];
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Strict/i);
    expect(cookie).not.toContain(served.token);
  });
});

it("--open starts the browser with a file of the user alone, which opens the page once and goes", async () => {
  const room = scratch();
  const opened = join(room.home, "opened");
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  writeFileSync(
    join(room.home, opener),
    `#!/bin/sh\necho "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`,
    {
      mode: 0o755,
    },
  );
  const served = await serve(room, ["--open"], { PATH: `${room.home}:${process.env.PATH}` });
  await vi.waitUntil(() => existsSync(opened), { timeout: 10_000 });
  const file = fileURLToPath(readFileSync(opened, "utf8").trim());
  expect([dirname(file), file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  const ticket = new RegExp(`http://127\\.0\\.0\\.1:${served.port}/#token=([\\w-]+)`).exec(
    readFileSync(file, "utf8"),
  )?.[1];
  expect(ticket).not.toBe(served.token);
  const exchange = async () =>
    (
      await served.ask("/api/session", {
        method: "POST",
        headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${served.port}` },
        body: JSON.stringify({ token: ticket }),
      })
    ).status;
  expect([await exchange(), await exchange()]).toEqual([204, 401]);
  expect(existsSync(file)).toBe(false);
});
