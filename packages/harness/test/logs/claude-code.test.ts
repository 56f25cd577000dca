import { describe, expect, it } from "vitest";
import { brief, entriesIn, fixture } from "./reading.ts";

/* Logs of 2.1.325 with hooks of every kind, in which a scripted model called tools; strings that are not read are cut. */

const FOLDER = ".claude/projects/-home-you-project/";
const CALLS = "85c6a119-b6fb-460e-8956-7a256dca52f9";

const read = (name: string, skims = false) =>
  entriesIn("claude-code", fixture("claude-code-outcomes", `${FOLDER}${name}.jsonl`), skims);
const briefs = (name: string, kinds: readonly string[], skims = false) =>
  read(name, skims)
    .filter(({ kind }) => kinds.includes(kind))
    .map(brief);

describe("a session log of Claude Code", () => {
  it("is read as prompts, calls and stops", () => {
    expect(briefs(CALLS, ["start", "prompt", "call", "stop"])).toEqual([
      "start version=2.1.325",
      "prompt text=MAIN_PROMPT do it",
      'call id=toolu_000002fake tool=Bash input={"command":"echo hi > out.txt","description":"run it"}',
      'call id=toolu_000004fake tool=Bash input={"command":"rm -rf /tmp/nothing-here","description":"run it…',
      'call id=toolu_000006fake tool=Bash input={"command":"curl -sS https://example.invalid","description"…',
      'call id=toolu_000008fake tool=Bash input={"command":"sudo echo rewritten","description":"run it"}',
      'call id=toolu_000010fake tool=Bash input={"command":"git push origin main","description":"run it"}',
      'call id=toolu_000012fake tool=Bash input={"command":"exit 3","description":"run it"}',
      'call id=toolu_000014fake tool=Bash input={"command":"echo hang","description":"run it"}',
      'call id=toolu_000016fake tool=Bash input={"command":"mkfs /dev/null","description":"run it"}',
      'call id=toolu_000018fake tool=Write input={"file_path":"/home/you/project/b.txt","content":"one\\n"}',
      'call id=toolu_000019fake tool=Read input={"file_path":"/home/you/project/a.txt"}',
      'call id=toolu_000021fake tool=WebFetch input={"url":"https://example.invalid","prompt":"x"}',
      'call id=toolu_000023fake tool=Agent input={"description":"look","prompt":"SUB_PROMPT list files","sub…',
      "stop",
      "stop",
    ]);
  });

  it("tells who denied a call", () => {
    const denied = read(CALLS).flatMap((entry) =>
      entry.kind === "result" && entry.failed ? [{ ...entry, output: "" }] : [],
    );
    expect(denied.map(brief).map((line) => line.replace(" output=", ""))).toEqual([
      "result id=toolu_000004fake failed=true deniedBy=hook reason=guard: never rm -rf hook=node ~/hook.mjs guard event=PreToolUse",
      "result id=toolu_000006fake failed=true deniedBy=hook reason=no network here event=PreToolUse",
      "result id=toolu_000010fake failed=true deniedBy=nobody reason=push needs a person",
      "result id=toolu_000012fake failed=true",
      "result id=toolu_000016fake failed=true deniedBy=rule reason=Permission to use Bash with command mkfs /dev/null has been…",
      "result id=toolu_000021fake failed=true deniedBy=nobody reason=Claude requested permissions to use WebFetch, but you haven…",
    ]);
    expect(briefs(CALLS, ["result"], true)).toHaveLength(6);
  });

  it("tells which hooks ran, once each, with what the log has of them", () => {
    const runs = briefs(CALLS, ["hook"]).map((line) => line.replace(/ moment=\S+/, ""));
    expect(
      runs.filter((line) => /SessionStart|UserPrompt|PreTool|PostToolUse .*post|Stop/.test(line)),
    ).toEqual([
      "hook event=SessionStart hook=node ~/hook.mjs chatty ms=106 exitCode=0 stdout=chatty says hi stderr= did=pass",
      "hook event=UserPromptSubmit hook=node ~/hook.mjs chatty ms=57 exitCode=0 stdout=chatty says hi stderr= did=pass",
      'hook event=PreToolUse hook=node ~/hook.mjs rewrite ms=196 exitCode=0 stdout={"hookSpecificOutput":{"hookEventName":"PreToolUse","permis… stderr= did=pass',
      'hook event=PreToolUse hook=node ~/hook.mjs ask ms=134 exitCode=0 stdout={"hookSpecificOutput":{"hookEventName":"PreToolUse","permis… stderr= did=pass',
      "hook event=PreToolUse hook=node ~/hook.mjs broken ms=147 exitCode=1 stdout= stderr=broken: boom did=fail reason=broken: boom",
      "hook event=PreToolUse hook=node ~/hook.mjs hang ms=1046 did=fail cut=timeout reason=no answer within 1000 ms",
      'hook event=PostToolUse hook=node ~/hook.mjs post ms=84 exitCode=0 stdout={"hookSpecificOutput":{"hookEventName":"PostToolUse","addit… stderr= did=pass',
      "hook event=Stop hook=node ~/hook.mjs stopblock did=refuse reason=run the tests first",
      "hook event=Stop hook=node ~/hook.mjs slow did=pass ms=277",
      "hook event=Stop hook=node ~/hook.mjs stopblock did=pass ms=306",
      "hook event=Stop hook=node ~/hook.mjs slow did=pass ms=544",
    ]);
  });

  it("knows hooks that failed, ran in the background, or answered for the user", () => {
    const runs = briefs("210c814d-e877-48ca-8086-8ccc67465a2a", ["hook"]).map((line) =>
      line.replace(/ moment=\S+/, ""),
    );
    expect([...new Set(runs)].filter((line) => !line.includes("nothere.sh ms="))).toEqual([
      "hook event=PreToolUse stdout= stderr=connect ECONNREFUSED 127.0.0.1:9 did=fail reason=connect ECONNREFUSED 127.0.0.1:9",
      'hook event=PreToolUse hook=node ~/hook.mjs malformed ms=55 exitCode=0 stdout={"decision": stderr= did=pass',
      'hook event=PostToolUse exitCode=0 stdout={"systemMessage":"async done"} stderr= did=pass background=true',
      "hook event=PostToolUse hook=node ~/hook.mjs post2 did=refuse reason=post2: lint failed",
      "hook event=PostToolUseFailure hook=node ~/hook.mjs chatty ms=58 exitCode=0 stdout=chatty says hi stderr= did=pass",
      "hook event=PermissionRequest did=refuse",
      'hook event=PreToolUse hook=node ~/hook.mjs contfalse ms=116 exitCode=0 stdout={"continue":false,"stopReason":"enough"} stderr= did=pass',
    ]);
  });

  it("names the subagent that made a call, and takes no task for a prompt", () => {
    expect(briefs(`${CALLS}/subagents/agent-a3dbe8fcf96a24121`, ["prompt", "call", "stop"])).toEqual([
      'call subagent=a3dbe8fcf96a24121 id=toolu_000025fake tool=Bash input={"command":"ls","description":"run it"}',
      'call subagent=a3dbe8fcf96a24121 id=toolu_000027fake tool=Bash input={"command":"rm -rf sub","description":"run it"}',
      "stop subagent=a3dbe8fcf96a24121",
    ]);
  });

  it("has a prompt that a hook refused", () => {
    expect(read("a42a94b0-3a58-4fb6-8a51-089fcee99339").map(brief)).toEqual([
      "start version=2.1.325",
      "prompt text=MAIN_PROMPT BLOCKME",
      "hook event=UserPromptSubmit did=refuse reason=not this prompt",
    ]);
  });
});

const COMMON = { sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", isSidechain: true };
const result = (content: unknown, more: object = {}) =>
  JSON.stringify({
    ...COMMON,
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "a", is_error: true, content }] },
    ...more,
  });
const rejected = (source: string, reasonCode: string) => ({
  permissionDecision: { decision: "reject", source, reasonCode },
});

describe("a line", () => {
  it.each([
    [
      "the words of a person",
      result("The user doesn't want to proceed with this tool use."),
      "deniedBy=user",
    ],
    [
      "an older hook",
      result("PreToolUse:Bash hook error: [x.sh]: no"),
      "deniedBy=hook reason=no hook=x.sh event=PreToolUse",
    ],
    ["an older rule", result("Permission to use Bash has been denied."), "deniedBy=rule"],
    ["a person", result("no", rejected("user_reject", "unknown")), "deniedBy=user"],
    ["a mode", result("no", rejected("config", "mode:plan")), "deniedBy=agent"],
    [
      "blocks",
      result([{ type: "text", text: "no" }], rejected("hook", "hook:PreToolUse")),
      "deniedBy=hook reason=no event=PreToolUse",
    ],
    [
      "a failure that quotes a denial",
      result("Exit code 1: The user doesn't want to proceed"),
      "failed=true",
    ],
    ["half of JSON", result("no").slice(0, -9), "flaw why=torn"],
    ["no object", '["role":"user"]', "flaw why=torn"],
    ["another format", JSON.stringify({ type: "user", message: { role: "user" } }), "flaw why=foreign"],
  ])("with %s is read as it is meant", (_, line, expected) => {
    expect(entriesIn("claude-code", line).map(brief).join("\n")).toContain(expected);
  });

  it.each([
    { type: "api-request-blob", message: { content: [{ type: "tool_use" }] } },
    { parentUuid: null, attachment: { type: "skill_listing", content: '"tool_use"' }, type: "attachment" },
    {
      parentUuid: null,
      type: "user",
      message: { role: "user", content: "<command-name>/clear</command-name>" },
      ...COMMON,
    },
    { parentUuid: null, type: "user", isMeta: true, message: { role: "user", content: "Caveat" }, ...COMMON },
    {
      parentUuid: null,
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text: "hi" }] },
      ...COMMON,
    },
  ])("that says nothing is no entry: %j", (line) => {
    expect(entriesIn("claude-code", JSON.stringify(line))).toEqual([]);
  });
});
