import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { CALL, codes, says, scratch } from "./scratch.ts";

/** What the author of a hook should know is in the Outcome of every event that it ran for. */

const COMMAND = { type: "command", command: "true" };

const ROWS: [entry: object, fields: string[]][] = [
  [says("x", { async: true }), ["async"]],
  [says("x", { async: false, once: true }), []],
  [{ ...COMMAND, shell: "powershell" }, ["shell"]],
  [{ ...COMMAND, failClosed: true }, ["failClosed"]],
  [{ ...COMMAND, statusMessage: "x" }, []],
  [{ type: "prompt", prompt: "Is it safe?", model: "haiku" }, ["model"]],
  [says("x", { cwd: "src" }), ["cwd"]],
];

describe("a field that is not read and would change how the hook runs", () => {
  it.each(ROWS)("%j", async (entry, fields) => {
    const { engineFor } = scratch();
    const engine = await engineFor("PreToolUse", [{ name: "h", ...entry }], {
      ask: async () => '{"ok":true}',
    });
    for (const _again of [1, 2]) {
      const { diagnostics, messages } = await engine.fire("PreToolUse", CALL);
      const found = diagnostics.filter(({ code }) => code === "config-ignored-field");
      expect(found.map(({ message, hook }) => [hook, message.split(" is")[0]])).toEqual(
        fields.map((field) => ["h", `\`${field}\``]),
      );
      expect(messages.filter(({ block }) => block.content.includes("not read"))).toEqual([]);
    }
  });

  it("not of a hook that did not run", async () => {
    const { write, engine } = scratch();
    const hooks = [{ ...COMMAND, cwd: "src" }];
    const file = write("hooks.json", { hooks: { PreToolUse: [{ matcher: "Edit", hooks }] } });
    const made = await engine({ configFiles: [file] });
    expect(codes(await made.fire("PreToolUse", CALL))).toEqual([]);
  });
});

describe("an if", () => {
  const guard = (rule: string) => [
    { type: "command", command: "echo no force >&2; exit 2", name: "g", if: rule },
  ];
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

  it("lets a guard refuse what it is about, and nothing else", async () => {
    const engine = await scratch().engineFor("PreToolUse", guard("Bash(git push *--force*)"));
    const kinds = ["git push --force", "ls", "cd a && git push origin --force-with-lease"].map(
      async (command) => {
        const { decision, diagnostics } = await engine.fire("PreToolUse", bash(command));
        return [decision.kind, diagnostics];
      },
    );
    expect(await Promise.all(kinds)).toEqual([
      ["deny", []],
      ["none", []],
      ["deny", []],
    ]);
    const { matches } = await engine.explain("PreToolUse", bash("ls"));
    expect(matches.map(({ because, explanation }) => [because, explanation])).toEqual([
      ["if", 'its matcher fits, and if "Bash(git push *--force*)" does not fit this call of Bash'],
    ]);
  });

  it("that cannot be tested lets its hook run, and the user is told with each refusal", async () => {
    const engine = await scratch().engineFor("PreToolUse", guard("git push --force"));
    for (const _again of [1, 2]) {
      const { decision, messages } = await engine.fire("PreToolUse", bash("ls"));
      expect(decision.kind).toBe("deny");
      expect(messages.filter(({ to, hook }) => to === "user" && hook === "g")).toMatchObject([
        {
          block: { type: "warn", content: expect.stringContaining('its `if` "git push --force" cannot be') },
        },
      ]);
    }
  });
});

it("a header that went out without its variable", async () => {
  const UNSET = "http-variable-unset";
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/denied" ? 401 : 200;
    response.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rows: [entry: object, found: string[]][] = [
    [{ headers: { Authorization: "Bearer $TOKEN" } }, ["http-variable"]],
    [{ headers: { Authorization: "Bearer $TOKEN" }, allowedEnvVars: ["TOKEN"] }, []],
    [{ headers: { A: "$GONE ${GONE}", B: "$EMPTY" }, allowedEnvVars: ["GONE", "EMPTY"] }, [UNSET, UNSET]],
    [{ allowedEnvVars: ["GONE"] }, []],
    [{ headers: { A: "$GONE" }, allowedEnvVars: ["GONE"], url: `${url}/denied` }, ["run-http-failed", UNSET]],
  ];
  for (const [entry, found] of rows) {
    const engine = await scratch().engineFor("Stop", [{ type: "http", url, ...entry }], {
      env: { TOKEN: "secret", EMPTY: "" },
    });
    const outcome = await engine.fire("Stop", {});
    expect(codes(outcome)).toEqual(found);
    const unset = outcome.diagnostics.filter(({ code }) => code === UNSET);
    expect(unset.map(({ message }) => /\$\w+/.exec(message)?.[0])).toEqual(
      ["$GONE", "$EMPTY"].slice(0, unset.length),
    );
  }
});

/** Some interpreters exit with 2, which denies, some with 1, a shell perhaps with 127: that the script is missing is said of each. */
const MISSING: [command: string, decisions: string[]][] = [
  [`"${process.execPath}" missing.js`, ["none"]],
  ["sh ./missing.sh", ["deny", "none"]],
  ["python3 missing.py", ["deny", "none"]],
  [". ./missing.sh && exit 0", ["deny", "none"]],
];

it.each(MISSING)("%s", async (command, decisions) => {
  const engine = await scratch().engineFor("PreToolUse", [{ type: "command", command }]);
  const outcome = await engine.fire("PreToolUse", CALL);
  expect(decisions).toContain(outcome.decision.kind);
  expect(["run-script-not-found", "run-not-started"]).toContain(codes(outcome)[0]);
  const told = outcome.messages.filter(({ to }) => to === "user").map(({ block }) => block.content);
  expect(told.join("\n")).toMatch(/missing\.|not found/);
});

it.each([
  ["sh", ":\nno-such-program --now", "no-such-program"],
  ["bash", ":\nno-such-program --now", "no-such-program"],
  ["bash", ": > plain\necho first >&2\n./plain", "./plain"],
  ["sh", "exec no-such-program --now", "no-such-program"],
  ["bash", "exec no-such-program --now", "no-such-program"],
  ["sh", "eval no-such-program --now", "no-such-program"],
  // As zsh says it, which few machines have.
  ["sh", "echo './notify.sh:2: command not found: no-such-program' >&2\nexit 127", "no-such-program"],
])("a program that a script of %s calls last is named: %j", async (shell, text, program) => {
  const room = scratch();
  room.write("project/notify.sh", `#!/usr/bin/env ${shell}\n${text}\n`, 0o755);
  const engine = await room.engineFor("PreToolUse", [{ type: "command", command: "./notify.sh" }]);
  const { diagnostics } = await engine.fire("PreToolUse", CALL);
  expect(diagnostics).toMatchObject([
    {
      code: "run-program-not-started",
      message: expect.stringContaining(`could not start "${program}": exit 12`),
    },
  ]);
});

it.each(["./guard.sh", "sh guard.sh"])(
  "a file that a script does not find is another matter: %s",
  async (command) => {
    const room = scratch();
    room.write(
      "project/guard.sh",
      '#!/bin/sh\nread -r allowed < allowed.txt\n[ "$allowed" = yes ] || exit 2\n',
      0o755,
    );
    const engine = await room.engineFor("PreToolUse", [{ type: "command", command }]);
    const outcome = await engine.fire("PreToolUse", CALL);
    expect([outcome.decision.kind, codes(outcome)]).toEqual(["deny", []]);
  },
);
