import { runProcess } from "@belay/engine";
import { OWN_AGENT_VARIABLE } from "@belay/engine/internal";
import * as z from "zod";
import { type Tool, type ToolResult, toolInput } from "./tool.ts";

const DEFAULT_MS = 120_000;
const MAX_MS = 600_000;
/** From TERM to KILL. */
const GRACE_MS = 200;
/** Bytes kept of each stream: half of them from its beginning, half from its end. */
const KEPT = 30_000;

const schema = toolInput("Bash", {
  command: z.string().min(1).describe("The command line, run by the system's shell in the working folder"),
  description: z.string().optional().describe("What it does, in a few words"),
  timeout: z
    .int()
    .min(1)
    .max(MAX_MS)
    .optional()
    .describe(`Milliseconds after which it is ended, ${DEFAULT_MS} if not given`),
});

export const bash: Tool<z.infer<typeof schema>> = {
  name: "Bash",
  description:
    "Runs a command line and gives back what it printed and its exit code. There is no terminal and nothing on stdin. " +
    "Each call starts anew in the working folder. At its timeout the command and all it started are ended; " +
    "long output is given without its middle. For files, rather use Read, Write, Edit, Glob and Grep.",
  kind: "execute",
  schema,
  subject: ({ command }) => command,
  paths: () => [],
  run: async ({ command, timeout = DEFAULT_MS }, { cwd, env, signal, warn }) => {
    signal.throwIfAborted();
    const run = await runProcess({
      command,
      cwd,
      env: { ...env, [OWN_AGENT_VARIABLE]: "1" },
      input: "",
      timeoutMs: timeout,
      graceMs: GRACE_MS,
      cap: KEPT / 2,
      tail: KEPT / 2,
      signal,
    });
    // A command that had ended by itself when the abort came is not asked for any more either.
    signal.throwIfAborted();
    if (run.truncated)
      warn(`The command printed more than ${KEPT / 1000} KB: the agent reads that without its middle.`);
    return resultOf(run);
  },
};

function resultOf({
  stdout,
  stderr,
  exitCode,
  timedOut,
  failure,
}: Awaited<ReturnType<typeof runProcess>>): ToolResult {
  const parts = [
    stdout.trimEnd(),
    stderr.trim() && `[stderr]\n${stderr.trimEnd()}`,
    failure && `[${failure.kind === "start" ? `could not start: ${failure.detail}` : failure.detail}]`,
    !failure && exitCode !== 0 && `[exit code ${exitCode}]`,
  ].filter(Boolean);
  return {
    content: parts.length > 0 ? parts.join("\n") : "[no output]",
    success: exitCode === 0 && !failure,
    response: { stdout, stderr, interrupted: timedOut, ...(exitCode !== undefined && { exitCode }) },
  };
}
