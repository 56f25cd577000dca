import type { EventName, HookInput, HookJsonOutput } from "@belay/core";

/*
 * For the scripts of command hooks: the same script answers cold, a process for each event, and warm, a process that
 * stays ("warm" in its entry). Loads nothing.
 */

/** An object is JSON on stdout, a string is plain stdout, nothing is silence; a throw is exit 1, refuse() is exit 2. */
export type HookScript<E extends EventName = EventName> = (
  input: HookInput<E>,
) => Answer<E> | Promise<Answer<E>> | Promise<void>;

type Answer<E extends EventName> = HookJsonOutput<E> | string | undefined;

class Refusal extends Error {}

/** Exit 2 with these words on stderr. */
export function refuse(reason: string): never {
  throw new Refusal(reason);
}

/** Answers events as long as stdin gives any. What is printed with console goes to stderr: stdout is for answers. */
export function answer<E extends EventName = EventName>(script: HookScript<E>): void {
  for (const name of ["log", "info", "debug"] as const) console[name] = console.error;
  process.stdin.setEncoding("utf8");
  if (process.env.BELAY_WARM) answerLines(script as HookScript);
  else answerOnce(script as HookScript);
}

/** What a cold hook leaves behind; a warm one sends the same, whatever the script returned. */
interface Said {
  readonly output?: string | undefined;
  readonly exitCode?: number;
  readonly stderr?: string;
}

async function ask(script: HookScript, input: HookInput): Promise<Said> {
  try {
    return { output: textOf(await script(input)) };
  } catch (error) {
    if (error instanceof Refusal) return { exitCode: 2, stderr: lineOf(error.message) };
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { exitCode: 1, stderr: lineOf(words) };
  }
}

function textOf(output: unknown): string | undefined {
  if (output === undefined || output === null) return undefined;
  return typeof output === "string" ? output : JSON.stringify(output);
}

function lineOf(words: string): string {
  return words === "" ? "" : `${words}\n`;
}

function answerOnce(script: HookScript): void {
  let text = "";
  process.stdin.on("data", (piece: string) => {
    text += piece;
  });
  process.stdin.once("end", async () => {
    const { output = "", exitCode = 0, stderr = "" } = await ask(script, JSON.parse(text) as HookInput);
    process.stdout.write(output);
    process.stderr.write(stderr);
    process.exitCode = exitCode;
  });
}

function answerLines(script: HookScript): void {
  let rest = "";
  process.stdin.on("data", (piece: string) => {
    rest += piece;
    if (!piece.includes("\n")) return;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) void answerLine(script, line);
  });
}

async function answerLine(script: HookScript, line: string): Promise<void> {
  const { id, input } = JSON.parse(line) as { id: string; input: HookInput };
  // What a cold hook finds in its environment; calls at the same time share the last.
  process.env.BELAY_EVENT = input.hook_event_name;
  process.env.BELAY_SESSION_ID = input.session_id;
  process.stdout.write(`${JSON.stringify({ id, ...(await ask(script, input)) })}\n`);
}
