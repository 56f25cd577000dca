import { text as textOf } from "node:stream/consumers";
import { PERMISSION_MODES } from "@belay/core";
import { UsageError } from "@belay/engine";
import { type Command, oneOf, readFlags, wholeNumber } from "../args/args.ts";
import { CONFIG_FLAGS, configOptions, flagsOf } from "../args/flags.ts";
import { hooksNotRead } from "../hooks/no-hooks.ts";
import type { Io } from "../io.ts";

const USAGE = "belay chat [-p TEXT|-] [--output text|json|stream-json] [--model NAME] [--resume [ID]]";

const OUTPUTS = ["text", "json", "stream-json"] as const;

const FLAGS = {
  print: {
    type: "string",
    short: "p",
    value: "TEXT",
    help: "answer this prompt and exit; - reads it from stdin",
  },
  output: { type: "string", value: "HOW", help: `with -p: ${OUTPUTS.join(", ")}` },
  model: {
    type: "string",
    value: "NAME",
    help: "offline, anthropic/MODEL, openai/MODEL; offline if absent",
  },
  "base-url": { type: "string", value: "URL", help: "an OpenAI-compatible server: Ollama, vLLM, LM Studio" },
  mode: { type: "string", value: "MODE", help: `permission mode: ${PERMISSION_MODES.join(", ")}` },
  resume: { type: "boolean", help: "go on with the newest session, or with the one whose ID follows" },
  "max-turns": { type: "string", value: "N", help: "answers of the model to one prompt; 50 if absent" },
  "stop-cap": {
    type: "string",
    value: "N",
    help: "stops in a row that hooks may block before one goes through; 8 if absent",
  },
  ...CONFIG_FLAGS,
} as const;

/** Whoever goes on with a session wants the same hooks, mode and model. */
const RESUMED_WITH = ["config", "plugin", "dialect", "cwd", "mode", "model", "base-url"];

export const command: Command = {
  usage: USAGE,
  summary:
    "A small coding agent whose every step passes through your hooks.\nWithout --model it needs no key and no network: an offline model follows simple instructions.",
  flags: FLAGS,
  examples: [
    "belay chat",
    'belay chat -p "run ls"',
    'belay chat -p "read README.md" --output json',
    "belay chat --model anthropic/claude-sonnet-4-5",
    "belay chat --model qwen3 --base-url http://127.0.0.1:11434/v1",
    "belay chat --resume",
  ],
  run: chat,
};

async function chat(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [id, ...more] = positionals;
  const extra = values.resume ? more[0] : id;
  if (extra !== undefined)
    throw new UsageError(
      `${JSON.stringify(extra)} is one argument too many`,
      `a prompt is written -p ${JSON.stringify(extra)}`,
    );
  const output = oneOf(values.output ?? "text", OUTPUTS, "output");
  const options = {
    ...configOptions(values),
    flags: flagsOf(values, RESUMED_WITH),
    model: {
      ...(values.model !== undefined && { model: values.model }),
      ...(values["base-url"] !== undefined && { baseUrl: values["base-url"] }),
    },
    ...(values.mode !== undefined && { mode: oneOf(values.mode, PERMISSION_MODES, "mode") }),
    ...(values.resume && { resume: id ?? (true as const) }),
    ...(values["max-turns"] !== undefined && {
      maxTurns: wholeNumber(
        "--max-turns",
        values["max-turns"],
        "number of turns",
        "write a whole number above 0",
        [1, MOST],
      ),
    }),
    ...(values["stop-cap"] !== undefined && {
      limits: {
        stopCap: wholeNumber(
          "--stop-cap",
          values["stop-cap"],
          "number of stops",
          "write a whole number, 0 or above",
          [0, MOST],
        ),
      },
    }),
  };
  const prompt = await promptOf(values.print, io);
  if (prompt === undefined && values.output !== undefined)
    throw new UsageError("--output needs a prompt", 'write: belay chat -p "…"');
  // A guard in the files of another dialect is not in force, and nobody would know.
  io.err(await hooksNotRead(values));
  const { chatInTerminal, printChat } = await loadChat();
  try {
    return await (prompt === undefined
      ? chatInTerminal(options, io)
      : printChat({ ...options, prompt, output }, io));
  } catch (error) {
    throw usageErrorOf(error);
  }
}

/** An error of a bundle that is loaded apart. The bundle has classes of its own, so a user's mistake is known by its name. */
export function usageErrorOf(error: unknown): unknown {
  const isUsage = error instanceof Error && (error.name === "UsageError" || error.name === "ModelError");
  return isUsage ? new UsageError(error.message, (error as UsageError).next) : error;
}

const MOST = Number.MAX_SAFE_INTEGER;
const IN_CI = ["CI", "CONTINUOUS_INTEGRATION"];

/** Agent, models and screen are a file of their own, loaded here: no other command pays for them. */
export async function loadChat(): Promise<typeof import("../chat/index.ts")> {
  // Ink looks at the environment when it is loaded. It knows no NO_COLOR, and in CI it would draw nothing, terminal or not;
  // any value of CI, also "false", takes the colours away.
  const before = [...IN_CI, "FORCE_COLOR"].map((name) => [name, process.env[name]] as const);
  for (const name of IN_CI) delete process.env[name];
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = "0";
  try {
    return await import(new URL("./chat.js", import.meta.url).href);
  } finally {
    // Tools and hooks get it as it was.
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

/** The prompt to answer without a screen; undefined when there is a terminal to type in. */
async function promptOf(given: string | undefined, io: Io): Promise<string | undefined> {
  const isTyped = given === undefined && process.stdin.isTTY === true;
  if (isTyped && io.isTerminal) return undefined;
  // With the output sent elsewhere, nobody sees what to type: only `-p -` reads a prompt from the keyboard.
  const prompt = isTyped ? "" : given === undefined || given === "-" ? await textOf(process.stdin) : given;
  if (prompt.trim() !== "") return prompt.trim();
  throw new UsageError("there is no prompt and no terminal", 'write: belay chat -p "…"');
}
