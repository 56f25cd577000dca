import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Hook, Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { whyNotAllowed } from "../src/runners/http.ts";
import { answer, DENY, endServers, type Reply, serve } from "./http-server.ts";
import { abortedRuns } from "./journals.ts";
import { block, sleep } from "./processes.ts";
import { CALL, said, scratch, settings } from "./scratch.ts";

/** http hooks: a 2xx object is output, 2xx empty is silence, anything else a fault (design §7). */

async function ask(url: string, entry: object = {}, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const { engineFor } = scratch();
  const hooks = await engineFor("PreToolUse", [{ type: "http", url, name: "remote", ...entry }], { env });
  return hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } });
}

describe("what the server answers", () => {
  const fault = (detail: RegExp) => ({ failure: { kind: "http", detail: expect.stringMatching(detail) } });
  const rows: [name: string, reply: Reply, kind: string, run: object][] = [
    ["200 and an object", answer(200, DENY), "deny", { stdout: DENY, truncated: false }],
    ["201 and an object", answer(201, ` ${DENY}\n`), "deny", {}],
    [
      "bytes that are no UTF-8",
      answer(200, Buffer.from(DENY.replace('"no"', '"\u00e9"'), "latin1")),
      "deny",
      { stdout: DENY.replace('"no"', '"\uFFFD"'), notUtf8: ["stdout"] },
    ],
    [
      "200, compressed",
      answer(200, gzipSync(DENY), { "content-encoding": "gzip" }),
      "deny",
      { stdout: DENY },
    ],
    [
      "200, compressed and cut short",
      answer(200, gzipSync(DENY).subarray(0, -8), { "content-encoding": "gzip" }),
      "deny",
      { stdout: DENY, ...fault(/unexpected end of file/) },
    ],
    ["200 and nothing", answer(200, ""), "none", { stdout: "" }],
    ["200 and spaces", answer(200, " \n"), "none", {}],
    ["204", answer(204, ""), "none", { stdout: "" }],
    ["200 and text", answer(200, "fine by me"), "none", fault(/not a JSON object/)],
    ["200 and a list", answer(200, "[]"), "none", fault(/not a JSON object/)],
    ["200 and broken JSON", answer(200, '{"a":'), "none", fault(/not a JSON object/)],
    ["400", answer(400, "{}"), "none", fault(/status 400/)],
    ["404", answer(404, ""), "none", fault(/status 404/)],
    ["500", answer(500, "oops"), "none", fault(/status 500/)],
    ["an allow with 500", answer(500, DENY.replace('"deny"', '"allow"')), "none", fault(/status 500/)],
    [
      "a redirect",
      answer(302, "", { location: "/elsewhere" }),
      "none",
      fault(/status 302: redirects are not followed/),
    ],
    ["a connection that breaks", (request) => void request.socket.destroy(), "none", fault(/./)],
  ];
  it.each(rows)("%s", async (_name, reply, kind, run) => {
    const outcome = await ask(await serve(reply));
    expect(outcome.decision.kind).toBe(kind);
    expect(outcome.runs[0]).toMatchObject({ timedOut: false, stderr: "", ...run });
    expect(outcome.runs[0]).not.toHaveProperty("exitCode");
    if ("failure" in run) expect(said(outcome).join()).toContain("remote");
  });

  it("a server that hears no second request on a connection answers every event", async () => {
    const heard = new Map<Socket, number>();
    const url = await serve(({ socket }, response) => {
      heard.set(socket, (heard.get(socket) ?? 0) + 1);
      if (heard.get(socket) === 1) response.writeHead(200, { connection: "keep-alive" }).end(DENY);
      else socket.destroy();
    });
    const hooks = await scratch().engineFor("PreToolUse", [{ type: "http", url }]);
    const kinds: string[] = [];
    for (let time = 0; time < 5; time += 1) kinds.push((await hooks.fire("PreToolUse", CALL)).decision.kind);
    expect([kinds, [...heard.values()]]).toEqual([Array(5).fill("deny"), Array(5).fill(1)]);
  });

  it("a redirect is not followed", async () => {
    let followed = false;
    const target = await serve((_request, response) => {
      followed = true;
      response.end(DENY);
    });
    const outcome = await ask(await serve(answer(307, "", { location: target })));
    expect([outcome.decision.kind, followed]).toEqual(["none", false]);
  });

  it("nobody listens", async () => {
    const url = await serve(answer(200, ""));
    endServers();
    await sleep(50);
    expect((await ask(url)).runs[0]?.failure).toEqual({
      kind: "http",
      detail: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it("a body over the cap is cut, between characters, and its restriction counts", async () => {
    const long = DENY.replace('"no"', `"no${"€".repeat(500_000)}"`);
    const { decision, runs } = await ask(await serve(answer(200, long)));
    expect(decision.kind).toBe("deny");
    expect(runs[0]).toMatchObject({ truncated: true, cut: ["stdout"], cap: 102_400 });
    expect(runs[0]?.stdout).not.toContain("\uFFFD");
  });

  const words = (outcome: Outcome) => ({
    agent: outcome.messages.filter(({ to }) => to === "agent").map(({ block }) => block.content),
    author: outcome.diagnostics.map(({ code, message, fix }) => `${code}: ${message}. ${fix}`),
  });
  const wordRows: [name: string, status: number, body: string, agent: string[], author: string[]][] = [
    [
      "a deny with 403 is told its status",
      403,
      DENY,
      [
        "blocked by hook remote; its words went to the user only, because its output was not one sound answer",
      ],
      [
        "output-mixed: JSON was found in a body that is no answer (status 403); it can restrict and speak to the user, nothing more. Answer with a 2xx status and one JSON object, nothing else.",
        "run-http-failed: the http hook gave no answer: status 403. Try the URL with curl; a 2xx with a JSON object or an empty body is an answer.",
      ],
    ],
    [
      "a cut deny is told of the cap, and of no exit code",
      200,
      DENY.replace('"no"', `"no${"x".repeat(200_000)}"`),
      ["blocked by hook remote: no reason given"],
      [
        "output-mixed: JSON was found in output that was cut; it can restrict and speak to the user, nothing more. Print less: what is within the cap counts in full.",
        "output-malformed: its output begins like JSON but is not JSON: the cap cut it; only what restricts was read. Print one JSON object and nothing else; in shell, build it with jq -n.",
        "output-truncated: its output went over the cap of 102400 bytes and was cut. Say less, or write the rest to a file and name it.",
      ],
    ],
  ];
  it.each(wordRows)("%s", async (_name, status, body, agent, author) => {
    expect(words(await ask(await serve(answer(status, body))))).toEqual({ agent, author });
  });

  it("a body without an end is cut too", async () => {
    const { runs } = await ask(
      await serve((_request, response) => {
        const more = () => void response.write("x".repeat(60_000), more);
        more();
      }),
    );
    expect(runs[0]).toMatchObject({ truncated: true });
  });
});

describe("time", () => {
  const rows: [name: string, reply: Reply][] = [
    ["no answer at all", () => {}],
    ["a body that never ends", (_request, response) => void response.write('{"a":')],
  ];
  it.each(rows)("%s", async (_name, reply) => {
    const { runs } = await ask(await serve(reply), { timeout: 0.3 });
    expect(runs[0]).toMatchObject({
      timedOut: true,
      failure: { kind: "timeout", detail: "no answer within 0.3 s" },
    });
    expect(runs[0]?.executionTime).toBeLessThan(10_000);
  });

  describe("what was sent before counts as far as it restricts", () => {
    const half = DENY.slice(0, -2);
    const allow = DENY.replace('"deny"', '"allow"');
    const writes = (text: string, then: (response: ServerResponse) => void): Reply => {
      return (_request, response) => void response.write(text, () => then(response));
    };
    const stalls = () => {};
    const breaksOff = (response: ServerResponse) => void setTimeout(() => response.destroy(), 50);
    const rows: [name: string, reply: Reply, kind: string, run: object][] = [
      ["a deny, then silence", writes(DENY, stalls), "deny", { stdout: DENY, failure: { kind: "timeout" } }],
      ["most of a deny", writes(half, stalls), "deny", { stdout: half, failure: { kind: "timeout" } }],
      ["an allow", writes(allow, stalls), "none", { stdout: allow, failure: { kind: "timeout" } }],
      ["a deny, then the end", writes(DENY, breaksOff), "deny", { stdout: DENY, failure: { kind: "http" } }],
      [
        "an allow, then the end",
        writes(allow, breaksOff),
        "none",
        { stdout: allow, failure: { kind: "http" } },
      ],
      ["a deny, twice", writes(DENY + DENY, stalls), "deny", { failure: { kind: "timeout" } }],
    ];
    it.each(rows)("%s", async (_name, reply, kind, run) => {
      const { decision, runs } = await ask(await serve(reply), { timeout: 0.5 });
      expect(runs[0]).toMatchObject(run);
      expect(decision.kind).toBe(kind);
    });
  });

  it("an abort", async () => {
    const url = await serve(() => {});
    const hooks = await scratch().engineFor("PreToolUse", [{ type: "http", url }]);
    const firing = hooks.fire("PreToolUse", CALL, { signal: AbortSignal.timeout(200) });
    expect((await abortedRuns(hooks, firing))[0]).toMatchObject({
      timedOut: false,
      failure: { kind: "abort" },
    });
  });
});

describe("what the server is sent", () => {
  it("the payload, and headers with the variables that are allowed", async () => {
    const seen: object[] = [];
    const url = await serve(({ method, headers }, response, body) => {
      const { authorization, "x-both": both, "x-none": none, "content-type": type } = headers;
      seen.push({ method, authorization, both, none, type, payload: JSON.parse(body) });
      response.end();
    });
    const headers = { Authorization: "Bearer $TOKEN", "X-Both": "${TOKEN}-$OTHER-$$", "X-None": "$MISSING" };
    await ask(
      `${url}/hook?x=1`,
      { headers, allowedEnvVars: ["TOKEN", "MISSING"] },
      { TOKEN: "t0ken", OTHER: "secret" },
    );
    expect(seen).toEqual([
      {
        method: "POST",
        authorization: "Bearer t0ken",
        both: "t0ken--$$",
        none: "",
        type: "application/json",
        payload: expect.objectContaining({ hook_event_name: "PreToolUse", tool_input: { command: "ls" } }),
      },
    ]);
  });

  it.each(["Content-Type", "content-type", "CONTENT-TYPE"])(
    "the hook's own %s instead of ours",
    async (name) => {
      let type: string | undefined;
      const url = await serve(({ headers }, response) => {
        type = headers["content-type"];
        response.end();
      });
      await ask(url, { headers: { [name]: "application/cloudevents+json" } });
      expect(type).toBe("application/cloudevents+json");
    },
  );

  it("a variable that is no header value is a fault that does not repeat it", async () => {
    const entry = { headers: { Authorization: "Bearer $TOKEN" }, allowedEnvVars: ["TOKEN"] };
    const outcome = await ask(await serve(answer(200, DENY)), entry, { TOKEN: "line\nsecret-value" });
    expect(outcome.runs[0]?.failure).toEqual({
      kind: "http",
      detail: expect.stringMatching(/Authorization/),
    });
    expect(JSON.stringify(outcome)).not.toContain("secret-value");
  });
});

it("an answer that came while the host was busy is no timeout", async () => {
  const worker = await import("node:worker_threads").then(({ Worker }) => {
    const program = `const { createServer } = require("node:http");
      const { parentPort } = require("node:worker_threads");
      const server = createServer((q, s) => setTimeout(() => s.end(${JSON.stringify(DENY)}), 100));
      server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
    return new Worker(program, { eval: true });
  });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const hooks = await scratch().engineFor("PreToolUse", [
    { type: "http", url: `http://127.0.0.1:${port}`, timeout: 0.6, name: "remote" },
  ]);
  await hooks.fire("PreToolUse", CALL);
  const firing = hooks.fire("PreToolUse", CALL);
  await sleep(30);
  await block(1000);
  expect((await firing).decision.kind).toBe("deny");
  await worker.terminate();
});

describe("where a hook may call", () => {
  const hookOf = (layer: string) => ({ source: { layer } }) as unknown as Hook;
  const allows = (url: string, allowed?: string[], layer = "project") =>
    whyNotAllowed(hookOf(layer), url, allowed) === undefined;

  const loopback: [url: string, allowed: boolean][] = [
    ["http://127.0.0.1:8080/hook", true],
    ["http://127.1.2.3/", true],
    ["http://localhost:1/", true],
    ["http://LOCALHOST/", true],
    ["https://[::1]:8443/", true],
    ["http://2130706433/", true], // 127.0.0.1 in decimal: the parser reads it so, and so does the request
    ["http://0x7f.1/", true],
    ["http://0.0.0.0/", false],
    ["http://3232235777/", false], // 192.168.1.1
    ["http://[::]/", false],
    ["http://[::ffff:10.0.0.1]/", false],
    ["http://example.com/", false],
    ["http://127.0.0.1.example.com/", false],
    ["http://localhost.example.com/", false],
    ["http://example.com/127.0.0.1", false],
    ["http://example.com/?http://127.0.0.1/", false],
    ["http://example.com#@127.0.0.1/", false],
    ["http://127.0.0.1@example.com/", false],
    ["http://user:pw@127.0.0.1/", false],
    ["http://example.com\\@127.0.0.1/", false],
    ["http://169.254.169.254/latest/meta-data", false],
    ["not a url", false],
  ];
  it.each(loopback)("without a list: %s %s", (url, allowed) => {
    expect(allows(url)).toBe(allowed);
  });

  const listed: [pattern: string, url: string, allowed: boolean][] = [
    ["https://hooks.example.com/*", "https://hooks.example.com/a/b?c=d", true],
    ["https://hooks.example.com", "https://hooks.example.com/a", true],
    ["https://Hooks.Example.COM/*", "https://hooks.example.com/a", true],
    ["https://hooks.example.com:443/*", "https://hooks.example.com/a", true],
    ["https://hooks.example.com/*", "HTTPS://HOOKS.EXAMPLE.COM/a", true],
    ["https://hooks.example.com/*", "http://hooks.example.com/a", false],
    ["https://hooks.example.com/*", "https://hooks.example.com:8443/a", false],
    ["https://hooks.example.com:*/*", "https://hooks.example.com:8443/a", true],
    ["https://hooks.example.com/*", "https://hooks.example.com.evil.test/a", false],
    ["https://hooks.example.com/*", "https://evil.test/https://hooks.example.com/", false],
    ["https://hooks.example.com/*", "https://evil.test/?https://hooks.example.com/", false],
    ["https://hooks.example.com/*", "https://hooks.example.com@evil.test/", false],
    ["https://hooks.example.com/*", "https://hooksXexample.com/", false],
    ["https://*.example.com/*", "https://a.b.example.com/x", true],
    ["https://*.example.com/*", "https://example.com/x", false],
    ["https://*.example.com/*", "https://evil.test/.example.com/", false],
    ["https://*.example.com/*", "https://evil.test?.example.com/", false],
    ["https://*.example.com/*", "https://evilexample.com/", false],
    ["https://example.com/hooks/*", "https://example.com/hooks/../admin", false],
    ["https://example.com/hooks/*", "https://example.com/hooks/%2e%2e/admin", false],
    ["https://example.com/hooks", "https://example.com/hooks/x", false],
    ["http://[2001:db8::1]/*", "http://[2001:0db8:0::1]/x", true],
    ["*://example.com/*", "http://example.com/x", true],
    ["*", "https://anything.test/at/all", true],
    ["https://*", "https://anything.test/at/all", true],
    ["https://*", "http://anything.test/", false],
    ["example.com", "https://example.com/", false],
    ["", "https://example.com/", false],
    ["https://example.com/*", "http://127.0.0.1/", false],
  ];
  it.each(listed)("with the list %s: %s %s", (pattern, url, allowed) => {
    expect(allows(url, [pattern])).toBe(allowed);
  });

  it("a list without patterns allows nothing, and nobody's own file needs one", () => {
    expect(allows("http://127.0.0.1/", [])).toBe(false);
    for (const layer of ["local", "session"])
      expect(allows("https://example.com", undefined, layer)).toBe(false);
    for (const layer of ["user", "config", "plugin"])
      expect(allows("https://example.com", [], layer)).toBe(true);
  });

  it("a project's own list counts for nothing, the user's does", async () => {
    const { write, engine, trustAll } = scratch();
    const url = (await serve(answer(200, DENY))).replace("127.0.0.1", "0.0.0.0");
    const entry = { type: "http", url };
    write("project/.belay/settings.json", { ...settings("PreToolUse", entry), allowedHttpHookUrls: ["*"] });
    await trustAll();
    const refused = await (await engine()).fire("PreToolUse", CALL);
    expect(refused.decision.kind).toBe("none");
    expect(refused.diagnostics).toMatchObject([{ code: "http-not-allowed" }]);
    expect(said(refused).join()).toMatch(/0\.0\.0\.0.*allowedHttpHookUrls/);
    write("home/.belay/settings.json", { allowedHttpHookUrls: ["http://0.0.0.0:*/*"] });
    expect((await (await engine()).fire("PreToolUse", CALL)).decision.kind).toBe("deny");
  });
});
