// A folder of session logs as Claude Code leaves them, of any size: line types, fields and lengths are those of real logs.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const TEXT =
  'The quick brown fox jumps over the lazy dog, "quotes" and\n\tindents included; export const x = 1;\n';
/** @param {number} length */
const textOf = (length) => TEXT.repeat(Math.ceil(length / TEXT.length)).slice(0, length);

/** Lengths of what calls return: mostly short, sometimes a whole file. */
const RESULTS = [200, 900, 4_000, 12_000, 300, 2_500, 30_000, 700];
const TOOLS = ["Bash", "Read", "Edit", "Bash", "Grep", "Write", "Bash", "Read"];

/** @param {number} session @param {number} calls */
function* linesOf(session, calls) {
  const sessionId = `00000000-0000-4000-8000-${String(session).padStart(12, "0")}`;
  let number = 0;
  const start = Date.UTC(2026, 0, 1) + session * 3_600_000;
  const common = () => {
    number += 1;
    return {
      uuid: `00000000-0000-4000-8000-${String(session * 1_000_000 + number).padStart(12, "0")}`,
      timestamp: new Date(start + number * 100).toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: `/home/someone/project-${session % 7}`,
      sessionId,
      version: "2.1.325",
      gitBranch: "main",
    };
  };
  const line = (/** @type {object} */ fields) => ({
    parentUuid: null,
    isSidechain: false,
    ...fields,
    ...common(),
  });
  const user = (/** @type {unknown} */ content, more = {}) =>
    line({ type: "user", message: { role: "user", content }, ...more });
  const attachment = (/** @type {object} */ attachment) => line({ attachment, type: "attachment" });
  const assistant = (/** @type {object} */ block, /** @type {string} */ reason) =>
    line({
      message: {
        id: `msg_${session}_${number}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [block],
        stop_reason: reason,
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 51_201,
          output_tokens: 215,
          service_tier: "standard",
          cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
        },
      },
      requestId: "req_0123456789",
      type: "assistant",
    });

  yield {
    type: "queue-operation",
    operation: "enqueue",
    timestamp: new Date(start).toISOString(),
    sessionId,
    content: "do it",
  };
  yield user(textOf(400));
  yield attachment({ type: "skill_listing", content: textOf(13_000) });
  yield { type: "api-request-shape", sessionId, shape: textOf(36_000) };
  for (let call = 0; call < calls; call += 1) {
    const id = `toolu_${session}_${call}`;
    const tool = TOOLS[call % TOOLS.length] ?? "";
    const result = textOf(RESULTS[(call * 5) % RESULTS.length] ?? 0);
    const isFailed = call % 25 === 7;
    const isDenied = call % 200 === 11;
    if (call % 60 === 0) yield attachment({ type: "prompt_snapshot", tools: textOf(53_000) });
    if (call % 3 === 0) yield assistant({ type: "text", text: textOf(350) }, "tool_use");
    if (call % 4 === 0)
      yield assistant({ type: "thinking", thinking: textOf(1_200), signature: "x".repeat(700) }, "tool_use");
    const input =
      tool === "Write" || tool === "Edit"
        ? { file_path: "/home/someone/project/src/a.ts", content: textOf(3_000) }
        : { command: textOf(120), description: "run it" };
    yield assistant({ type: "tool_use", id, name: tool, input }, "tool_use");
    if (call % 2 === 0)
      yield { type: "progress", data: { type: "bash_progress", output: textOf(200) }, sessionId };
    const content = isDenied ? "PreToolUse:Bash hook error: [node guard.mjs]: no" : result;
    yield user([{ tool_use_id: id, type: "tool_result", content, is_error: isFailed || isDenied }], {
      toolUseResult: { stdout: result, stderr: "", interrupted: false, isImage: false },
      ...(isDenied && {
        toolDenialKind: "permission-rule",
        permissionDecision: { decision: "reject", source: "hook", reasonCode: "hook:PreToolUse" },
      }),
    });
    const hook = {
      hookName: `PostToolUse:${tool}`,
      toolUseID: id,
      hookEvent: "PostToolUse",
      content: "",
      stderr: "",
      exitCode: 0,
    };
    yield attachment({
      type: "hook_success",
      ...hook,
      stdout: textOf(150),
      command: "node .claude/hooks/format.mjs",
      durationMs: 40 + (call % 90),
    });
    if (call % 3 === 0)
      yield attachment({
        type: "hook_success",
        ...hook,
        stdout: "ok",
        command: "npx prettier --check",
        durationMs: 200 + (call % 300),
      });
    yield {
      type: "api-request-blob",
      sessionId,
      hash: "0".repeat(64),
      message: { role: "user", content: result },
    };
    yield { type: "api-request", sessionId, id, params: textOf(1_100) };
    if (call % 20 === 19) {
      yield assistant({ type: "text", text: textOf(900) }, "end_turn");
      yield line({
        type: "system",
        subtype: "stop_hook_summary",
        hookCount: 1,
        hookInfos: [{ command: "npm test", durationMs: 900 }],
        hookErrors: [],
        preventedContinuation: false,
        toolUseID: `stop_${session}_${call}`,
      });
      yield user(textOf(200));
    }
  }
}

const CALLS = 300;

/**
 * Writes at least so many bytes below `home`; returns how many, the calls in them, and the files.
 * @param {string} home
 * @param {number} least
 */
export function writeSessionLogs(home, least) {
  const folder = join(home, ".claude", "projects", "-home-someone-project");
  mkdirSync(folder, { recursive: true });
  /** @type {string[]} */
  const files = [];
  let bytes = 0;
  for (let session = 0; bytes < least; session += 1) {
    const path = join(folder, `${String(session).padStart(8, "0")}.jsonl`);
    const file = openSync(path, "w");
    bytes += writeSync(
      file,
      Array.from(linesOf(session, CALLS), (line) => `${JSON.stringify(line)}\n`).join(""),
    );
    closeSync(file);
    files.push(path);
  }
  return { bytes, calls: files.length * CALLS, files };
}
