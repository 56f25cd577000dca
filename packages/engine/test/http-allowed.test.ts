import type { Hook } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { whyNotAllowed } from "../src/runners/http.ts";
import { answer, DENY, serve } from "./http-server.ts";
import { CALL, said, scratch, settings } from "./scratch.ts";

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
