import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createEngine, type EngineOptions, type HookStep, type InputSchema, UsageError } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, codes, command, scratch } from "./scratch.ts";

const options: [name: string, options: (root: string) => object, message: RegExp][] = [
  ["an unknown dialect", () => ({ dialect: "claud-code" }), /no dialect claud-code.*claude-code/],
  ["no dialect at all", () => ({ dialect: "" }), /no dialect/],
  [
    "a misspelt option",
    () => ({ confgFiles: ["x.json"] }),
    /^there is no option confgFiles \(did you mean configFiles\?\)$/,
  ],
  ["an option like no other", () => ({ zzzz: undefined }), /^there is no option zzzz; there are cwd, /],
  [
    "a misspelt limit",
    () => ({ limits: { stopcap: 1 } }),
    /^there is no limit stopcap \(did you mean stopCap\?\)$/,
  ],
  ["a word for a flag", () => ({ reload: "no" }), /^reload must be true or false, not "no"$/],
  ["a number for a folder", () => ({ cwd: 5 }), /^cwd must be a string, not 5$/],
  ["a number for a name", () => ({ sessionId: 7 }), /^sessionId must be a string, not 7$/],
  [
    "one file for a list",
    () => ({ configFiles: "a" }),
    /^configFiles must be an array with nothing but strings in it, not "a"$/,
  ],
  [
    "a list of other things",
    () => ({ pluginDirs: [7] }),
    /^pluginDirs must be an array with nothing but strings in it, not an array$/,
  ],
  [
    "no journal by another word",
    () => ({ journal: null }),
    /^journal must be true, false or a folder, not null$/,
  ],
  ["a journal in no folder", () => ({ journal: "" }), /^journal must be true, false or a folder, not ""$/],
  ["limits that are none", () => ({ limits: 5 }), /^limits must be an object, not 5$/],
  ["an observer that is none", () => ({ onHook: {} }), /^onHook must be a function, not an object$/],
  ["a launcher like no other", () => ({ launcher: "maybe" }), /^launcher must be one of .*, not maybe$/],
  ["a dialect that is no name", () => ({ dialect: 7 }), /^dialect must be a string, not 7$/],
  ["a folder that is not there", (root) => ({ cwd: join(root, "gone") }), /gone is no folder/],
  ["a file as a folder", (root) => ({ cwd: join(root, "file") }), /file is no folder/],
];
it.each([null, 5, "here", []])("an engine for %j", async (wrong) => {
  const opening = createEngine(wrong as never);
  await expect(opening).rejects.toThrow(/^options must be an object, not /);
  await expect(opening).rejects.toBeInstanceOf(UsageError);
});

it.each(options)("an engine for %s", async (_name, wrong, message) => {
  const { root, engine, write } = scratch();
  write("file", "");
  const opening = engine(wrong(root));
  await expect(opening).rejects.toThrow(message);
  await expect(opening).rejects.toBeInstanceOf(UsageError);
});

/** onHook: who watches the hooks changes nothing about them. */

const GUARD = { type: "command", command: "exit 2", name: "guard" };

const observed = (onHook: NonNullable<EngineOptions["onHook"]>) =>
  scratch().engineFor("PreToolUse", [GUARD], { onHook });

it("is told of each hook's start and end", async () => {
  const steps: HookStep[] = [];
  const hooks = await observed((step) => steps.push(step));
  await hooks.fire("PreToolUse", CALL);
  const step = { hook: "guard", event: "PreToolUse" };
  expect(steps).toEqual([
    { phase: "start", ...step },
    { phase: "end", ...step },
  ]);
});

describe("one that fails is told once, and the guard refuses", () => {
  const fail = () => {
    throw new Error("no screen");
  };
  const rows: [name: string, onHook: (step: HookStep) => void][] = [
    ["always", fail],
    ["at the start", ({ phase }) => phase === "start" && fail()],
    ["at the end", ({ phase }) => phase === "end" && fail()],
    ["later", async () => fail()],
  ];
  it.each(rows)("%s", async (_name, onHook) => {
    const hooks = await observed(onHook);
    const fire = () => hooks.fire("PreToolUse", CALL);
    const first = await fire();
    expect([first.decision.kind, codes(first)]).toEqual(["deny", ["observer-failed"]]);
    expect(first.diagnostics[0]?.message).toContain("no screen");
    const second = await fire();
    expect([second.decision.kind, codes(second)]).toEqual(["deny", []]);
  });
});

describe("simulate", () => {
  const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
  const loud = [{ type: "command", command: `echo loading; echo '${DENY}'` }];
  it.each([
    [true, "none", ["output-void"]],
    [false, "deny", ["output-mixed"]],
  ])("%s: a deny behind a line of log is %s", async (simulate, kind, found) => {
    const engine = await scratch().engineFor("PreToolUse", loud, { dialect: "claude-code", simulate });
    const outcome = await engine.fire("PreToolUse", CALL);
    expect([outcome.decision.kind, codes(outcome)]).toEqual([kind, found]);
  });
});

/** What a host gives that is not quite what was meant: a guard is asked all the same, or the host is told before it runs. */

const refuses = (command: string) => [{ type: "command", command, onFailure: "block" }];

describe("a session's id too long for the environment", () => {
  it.each(["a".repeat(140_000), "€".repeat(60_000)])("switches no hook off", async (session_id) => {
    const command = 'test -z "$BELAY_SESSION_ID" && exit 2';
    const engine = await scratch().engineFor("PreToolUse", refuses(command));
    const outcome = await engine.fire("PreToolUse", { ...CALL, session_id });
    expect([outcome.decision, codes(outcome)]).toMatchObject([{ kind: "deny" }, []]);
    expect(outcome.runs[0]).toMatchObject({ exitCode: 2 });
  });
});

it("a relative cwd is meant from the engine's own", async () => {
  const room = scratch();
  mkdirSync(join(room.project, "sub"));
  const engine = await room.engineFor("PreToolUse", refuses("pwd >&2; exit 2"));
  const outcome = await engine.fire("PreToolUse", { ...CALL, cwd: "sub" });
  expect(outcome.decision).toMatchObject({ kind: "deny", reason: join(room.project, "sub") });
});

describe("a cwd that nothing can be started in is named", () => {
  const rows: [cwd: string, why: string][] = [
    ["gone", "does not exist"],
    ["hooks.json", "is no folder"],
    ["hooks.json/sub", "does not exist"],
  ];
  it.each(rows)("%s %s", async (name, why) => {
    const { engineFor, root } = scratch();
    const cwd = join(root, name);
    const outcome = await (await engineFor("Stop", [command("true")])).fire("Stop", { cwd });
    expect(outcome.runs[0]?.fault).toBe(`the hook could not start: the working folder ${cwd} ${why}`);
  });
});

describe("a tool schema that is none", () => {
  it.each([{ type: "object", properties: {} }, null, "x", { "~standard": {} }])("%j", async (schema) => {
    const engine = await scratch().engineFor("PreToolUse", refuses("exit 0"));
    const toolSchema = schema as unknown as InputSchema;
    const fired = engine.fire("PreToolUse", CALL, { toolSchema });
    await expect(fired).rejects.toThrow(UsageError);
    await expect(fired).rejects.toThrow("toolSchema is no Standard Schema");
  });
});
