import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Mark, mark, start, startHost, until } from "./processes.ts";
import { fixture, ROOT, scratch, settings } from "./scratch.ts";

/** Nothing a hook started outlives the host unasked: "Ctrl-C ends every group that is running" (design §8). */

let marked: Mark;
afterEach(() => marked?.endAll());

const HOOKS = [fixture("ignore-term"), fixture("fork-and-hang")];
/** The host, and at least one process of each hook. */
const running = () => until(() => marked.alive().length >= 5, 10_000);

describe("a host that embeds the engine", () => {
  const rows: [how: string, signal: NodeJS.Signals | undefined, expected: object][] = [
    ["exit", undefined, { code: 7, signal: null }],
    ["throw", undefined, { code: 1, signal: null }],
    ["default", "SIGINT", { code: null, signal: "SIGINT" }],
    ["default", "SIGTERM", { code: null, signal: "SIGTERM" }],
    ["default", "SIGHUP", { code: null, signal: "SIGHUP" }],
    ["default", "SIGQUIT", { code: null, signal: "SIGQUIT" }],
    ["own-handler", "SIGINT", { code: 9, signal: null }],
    ["deferring", "SIGINT", { code: null, signal: "SIGINT" }],
    [
      "going-on",
      "SIGTERM",
      { code: 0, stdout: "firing\n1 listeners, AbortError: the process got SIGTERM\n" },
    ],
    ["closing", "SIGTERM", { code: 0, stdout: "firing\n1 listeners, AbortError: the engine was closed\n" }],
  ];
  it.each(rows)("%s %s", async (how, signal, expected) => {
    marked = mark();
    const { root } = scratch(); // where a core file of SIGQUIT would go too
    const host = startHost("ends.mjs", [how, ...HOOKS], { ...marked.env, TMPDIR: root }, root);
    expect(await host.printed("firing")).toBe(true);
    expect(await running()).toBe(true);
    if (signal) host.kill(signal);
    expect(await host.finished).toMatchObject(expected);
    expect(await marked.gone()).toEqual([]);
  });
});

describe("a host whose hooks are done", () => {
  const rows: [how: string, signal: NodeJS.Signals][] = [
    ["default", "SIGINT"],
    ["default", "SIGHUP"],
    ["default", "SIGQUIT"],
    ["deferring", "SIGTERM"],
  ];
  it.each(rows)("%s: %s ends it, and no listener of ours is left", async (how, signal) => {
    marked = mark();
    const { root } = scratch();
    const host = startHost("idle.mjs", [how], { ...marked.env, TMPDIR: root }, root);
    expect(await host.printed("idle")).toBe(true);
    host.kill(signal);
    expect(await host.finished).toMatchObject({ signal, stdout: "0 listeners more\nidle\n" });
  });
});

describe("belay run", () => {
  const rows: [signal: NodeJS.Signals, expected: object][] = [
    ["SIGINT", { code: 130, stdout: "" }],
    ["SIGTERM", { code: 143, stdout: "" }],
    ["SIGHUP", { signal: "SIGHUP", stdout: "" }],
    ["SIGQUIT", { signal: "SIGQUIT", stdout: "" }],
  ];
  it.each(rows)("%s", async (signal, expected) => {
    marked = mark();
    const { home, project, write } = scratch();
    const hooks = HOOKS.map((command) => ({ type: "command", command }));
    const config = write("hooks.json", settings("PreToolUse", ...hooks));
    const args = [join(ROOT, "packages/cli/bin/belay.js"), "run", "PreToolUse", "--config", config, "--json"];
    const cli = start(process.execPath, args, { env: { ...marked.env, HOME: home }, cwd: project });
    expect(await running()).toBe(true);
    cli.kill(signal);
    const { code, ...rest } = await cli.finished;
    expect({ code, ...rest }).toMatchObject(expected);
    expect(code).not.toBe(0);
    expect(await marked.gone()).toEqual([]);
  });
});
