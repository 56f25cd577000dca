// Who runs a hook: our engine, a bare spawn, and Gemini CLI's runner.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@belay/engine";
import { importPeer } from "./peers.mjs";

const EVENT = "PreToolUse";
const CALL = { tool_name: "Bash", tool_input: { command: "npm test" } };

/** A config that was just written is read again for every event: an edit may follow within the same tick of the clock. */
export const SETTLED_MS = 3500;

/**
 * The least a program can do to run a hook: three pipes, the payload on stdin, both outputs read, the exit awaited.
 *
 * @param {string} command
 */
export function bareSpawn(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(CALL));
    child.on("error", reject);
    child.on("exit", resolve);
  });
}

/**
 * An engine in a scratch home, journal and all, with these hooks of one event; a command is given by itself.
 *
 * @param {readonly (string | object)[]} entries
 * @param {Pick<import("@belay/engine").EngineOptions, "limits" | "launcher">} options
 */
export async function engineWith(entries, options = {}) {
  const home = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const config = join(home, "hooks.json");
  // A name each: equal handlers would run once.
  const hooks = entries.map((entry, index) => ({
    name: `hook ${index}`,
    ...(typeof entry === "string" ? { type: "command", command: entry } : entry),
  }));
  writeFileSync(config, JSON.stringify({ hooks: { [EVENT]: [{ hooks }] } }));
  const engine = await createEngine({ cwd: home, home, configFiles: [config], ...options });
  return {
    fire: async () => {
      const outcome = await engine.fire(EVENT, CALL);
      const ended = outcome.runs.filter(({ failure }) => failure === undefined).length;
      if (ended !== entries.length) throw new Error(`${ended} of ${entries.length} hooks ran to their end`);
      return outcome;
    },
    close: async () => {
      await engine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Gemini CLI's HookRunner, given no more than what it asks of its config. */
export async function geminiRunner() {
  const { HookRunner } = await importPeer("@google/gemini-cli-core", "dist/src/hooks/hookRunner.js");
  // It says what it runs on the console, which the program it is made for keeps off the screen.
  console.debug = () => {};
  const cwd = tmpdir();
  const runner = new HookRunner({
    isTrustedFolder: () => true,
    sanitizationConfig: { enableEnvironmentVariableRedaction: false },
    storage: { getPlansDir: () => cwd },
  });
  const event = "BeforeTool";
  /** @param {string} command */
  return async (command) => {
    const hook = { type: "command", source: "user", command };
    const timestamp = new Date().toISOString();
    const input = {
      session_id: "bench",
      transcript_path: "",
      cwd,
      hook_event_name: event,
      timestamp,
      ...CALL,
    };
    const { success, error } = await runner.executeHook(hook, event, input);
    if (!success) throw new Error(`Gemini CLI's runner did not run the hook: ${error}`);
  };
}
