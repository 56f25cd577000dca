import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Mark, mark, run, startHost, until } from "./processes.ts";
import { CALL, codes, command, fixture, said, scratch } from "./scratch.ts";

/** What goes into a hook's process and what comes out of it. */

let marked: Mark | undefined;
afterEach(() => marked?.endAll());

const TEN_MB = 10 * 1024 * 1024;
const CAP = 102_400;

describe("stdin", () => {
  const input = JSON.stringify({ text: "ä".repeat(TEN_MB / 2) });
  const rows: [name: string, expected: object][] = [
    ["never-reads-stdin", { exitCode: 0, stdout: "did not look\n", truncated: false }],
    ["closes-stdin", { exitCode: 0, stdout: "closed it\n", truncated: false }],
    ["count-stdin", { exitCode: 0, stdout: `${Buffer.byteLength(input)}\n`, truncated: false }],
    ["echo-stdin", { exitCode: 0, truncated: true, cut: ["stdout"], cap: CAP }],
  ];
  it.each(rows)("10 MB into %s", async (name, expected) => {
    expect(await run(fixture(name), { input })).toMatchObject(expected);
  });

  it("10 MB into a hook that hangs without reading", async () => {
    marked = mark();
    const result = await run(fixture("hang"), { input, timeoutMs: 300, env: marked.env });
    expect(result).toMatchObject({ timedOut: true });
    expect(await marked.gone()).toEqual([]);
  });
});

it("the shell is the system's, whatever PATH says", async () => {
  const { root } = scratch();
  writeFileSync(join(root, "sh"), "#!/bin/sh\necho another shell\n", { mode: 0o755 });
  for (const PATH of [root, join(root, "none")])
    expect(await run("echo $PATH", { env: { PATH } })).toMatchObject({ exitCode: 0, stdout: `${PATH}\n` });
});

describe("the cap", () => {
  const rows: [bytes: number, kept: number, truncated: boolean][] = [
    [CAP - 1, CAP - 1, false],
    [CAP, CAP, false],
    [CAP + 1, CAP, true],
    [3 * CAP, CAP, true],
  ];
  it.each(rows)("of %i bytes, %i are kept", async (bytes, kept, truncated) => {
    const [out, err] = await Promise.all([
      run(fixture("flood", String(bytes))),
      run(fixture("flood-stderr", String(bytes))),
    ]);
    expect([out.stdout.length, out.truncated, out.cut]).toEqual([
      kept,
      truncated,
      truncated ? ["stdout"] : undefined,
    ]);
    expect([err.stderr.length, err.truncated, err.cut]).toEqual([
      kept,
      truncated,
      truncated ? ["stderr"] : undefined,
    ]);
    expect([out.exitCode, err.exitCode]).toEqual([0, 2]);
  });

  it("is configurable", async () => {
    expect(await run("printf 12345", { cap: 3 })).toMatchObject({ stdout: "123", truncated: true, cap: 3 });
  });

  it("never cuts a character", async () => {
    const { stdout, truncated } = await run(fixture("wide-flood"));
    expect(truncated).toBe(true);
    expect(stdout).toBe("€".repeat(Math.floor(CAP / 3)));
  });
});

it("characters written in halves arrive whole", async () => {
  expect((await run(fixture("split-utf8"))).stdout).toBe("café € 😀");
});

describe("bytes that are no UTF-8 become U+FFFD, and it is known where", () => {
  const rows: [
    command: string,
    stdout: string,
    stderr: string,
    cap: number,
    notUtf8: string[] | undefined,
  ][] = [
    ["printf 'a\\377\\300b\\342'", "a\uFFFD\uFFFDb\uFFFD", "", CAP, ["stdout"]],
    ["printf 'caf\\351' >&2", "", "caf\uFFFD", CAP, ["stderr"]],
    ["printf '\\377'; printf '\\377' >&2", "\uFFFD", "\uFFFD", CAP, ["stdout", "stderr"]],
    ["printf '\\377\\303\\251'", "\uFFFD", "", 2, ["stdout"]],
    ["printf 'caf\\303\\251'", "café", "", CAP, undefined],
    ["printf '\\357\\277\\275'", "\uFFFD", "", CAP, undefined],
    ["printf '\\357\\277\\275\\303\\251'", "\uFFFD", "", 4, undefined],
  ];
  it.each(rows)("%s", async (command, stdout, stderr, cap, notUtf8) => {
    const result = await run(command, { cap });
    expect([result.stdout, result.stderr, result.notUtf8]).toEqual([stdout, stderr, notUtf8]);
  });

  it("the user is told, and the answer counts", async () => {
    const json = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","x":"';
    const command = `printf '${json}\\351"}}'`;
    const engine = await scratch().engineFor("PreToolUse", [{ type: "command", command }]);
    const outcome = await engine.fire("PreToolUse", CALL);
    expect(outcome.decision.kind).toBe("deny");
    expect(outcome.diagnostics.find(({ code }) => code === "output-not-utf8")).toMatchObject({
      severity: "warning",
      message: "its output held bytes that are not UTF-8 (perhaps UTF-16), and they are lost",
    });
    expect(said(outcome)).toContainEqual(expect.stringContaining("bytes that are not UTF-8"));
  });
});

/** Waits until the child has come to its redirection: on a busy machine the shell may end before it. */
const IS_ELSEWHERE = "until [ /proc/$!/fd/1 -ef /dev/null ]; do sleep 0.01; done";

/** Waits until the child has become `sleep`, behind its answer: how soon a child writes is up to the machine. */
const HAS_ANSWERED = 'until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done';

const STOP = '{"continue":false,"stopReason":"enough"}';

describe("a child left in the background", () => {
  it("does not hold the answer back, lives on, and may go on writing", async () => {
    const { root } = scratch();
    const file = join(root, "alive");
    const result = await run(fixture("orphan", file));
    expect(result).toMatchObject({ exitCode: 0, stdout: '{"systemMessage":"answered"}\n', timedOut: false });
    expect(existsSync(file)).toBe(false);
    expect(await until(() => existsSync(file))).toBe(true);
    expect(await until(() => readFileSync(file, "utf8") === "alive\n")).toBe(true);
  });

  it.each([
    [
      "a filter that is too slow",
      "exec 3>&1; { sleep 1; echo late >&3; } & exit 0",
      true,
      ["output-left-open"],
    ],
    ["one that was sent elsewhere", `sleep 1 >/dev/null & ${IS_ELSEWHERE}; exit 0`, undefined, []],
    ["beside a silence", "sleep 1 & echo '{}'", true, ["output-left-open"]],
    ["beside an answer", `sleep 1 & echo '${STOP}'`, true, []],
    ["one that has answered", `{ echo '${STOP}'; exec sleep 1; } & ${HAS_ANSWERED}; exit 0`, true, []],
  ])("what it would have said is missing, and that is said: %s", async (_, text, leftOpen, expected) => {
    marked = mark();
    const { engineFor } = scratch();
    const engine = await engineFor("PreToolUse", [command(text)], { env: marked.env });
    const outcome = await engine.fire("PreToolUse", CALL);
    expect(outcome.runs[0]?.leftOpen).toBe(leftOpen);
    expect(codes(outcome)).toEqual(expected);
    for (const { message } of outcome.diagnostics)
      expect(message).toMatch(/what the child prints after 100 ms does not count$/);
    expect(await marked.gone(3000)).toEqual([]);
  });

  it("outlives an engine that is closed, and may go on writing", async () => {
    const { root, engineFor } = scratch();
    const text = `(sleep 1; echo out; echo err >&2; touch ${root}/done) & exit 0`;
    const engine = await engineFor("PreToolUse", [command(text)]);
    await engine.fire("PreToolUse", CALL);
    await engine.close();
    expect(existsSync(join(root, "done"))).toBe(false);
    expect(await until(() => existsSync(join(root, "done")))).toBe(true);
  });

  it("that floods does not hold the answer back either", async () => {
    marked = mark();
    const result = await run(`${fixture("flood-forever")} & echo $! >&2`, { env: marked.env });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    expect(marked.alive().length).toBeGreaterThan(0);
  });

  it("does not keep a host alive that is done", async () => {
    marked = mark();
    const host = startHost("one-run.mjs", ["sleep 60 & echo answered"], marked.env); // longer than a test may take
    const { stdout, code } = await host.finished;
    expect([stdout, code]).toEqual(["answered\n", 0]);
    expect(await until(() => marked?.alive().length === 1)).toBe(true); // a companion goes after the host
    const [left = 0] = marked.alive();
    expect(readFileSync(`/proc/${left}/cmdline`, "utf8")).toBe("sleep\0" + "60\0");
  });
});

describe("measured in a host of its own", () => {
  it("a flood of 200 MB leaves memory flat", async () => {
    const { stdout, stderr, code } = await startHost("flood.mjs", [fixture("flood"), fixture("flood-stderr")])
      .finished;
    expect([stderr, code]).toEqual(["", 0]);
    const { kept, grownMiB } = JSON.parse(stdout) as { kept: number[]; grownMiB: number };
    expect(kept).toEqual([CAP, CAP]);
    // Chunks left to the collector would be about 40.
    expect(grownMiB).toBeLessThan(24);
  });

  it("300 runs in a row leave no descriptor, listener or process behind, and no warning", async () => {
    marked = mark();
    const { stdout, stderr, code } = await startHost("many-runs.mjs", ["300"], marked.env).finished;
    expect([stderr, code]).toEqual(["", 0]);
    expect(JSON.parse(stdout)).toMatchObject({
      newDescriptors: 0,
      newHandles: 0,
      newListeners: 0,
      answers: 300,
    });
    expect(marked.alive()).toEqual([]);
  });
});

describe("with a tail", () => {
  const rows: [name: string, command: string, expected: object][] = [
    ["all of it fits", "printf 123456", { stdout: "123456", truncated: false }],
    [
      "one byte more",
      "printf 1234567",
      { stdout: "123\n[… 1 byte left out …]\n567", truncated: true, cut: ["stdout"], cap: 3 },
    ],
    [
      "many small writes",
      "for i in 1 2 3 4 5 6 7 8 9; do printf $i >&2; sleep 0.01; done",
      { stdout: "", stderr: "123\n[… 3 bytes left out …]\n789", cut: ["stderr"] },
    ],
    ["characters parted by neither cut", "printf 'ab€€€€cd'", { stdout: "ab\n[… 12 bytes left out …]\ncd" }],
    ["nothing", "true", { stdout: "", stderr: "", truncated: false }],
  ];
  it.each(rows)("%s", async (_, command, expected) => {
    expect(await run(command, { cap: 3, tail: 3 })).toMatchObject(expected);
  });

  it("of 10 MB, the last lines", async () => {
    const { stdout } = await run("seq 1 1400000", { cap: 4, tail: 16 });
    expect(stdout).toBe("1\n2\n\n[… 10088876 bytes left out …]\n1399999\n1400000\n");
  });
});
