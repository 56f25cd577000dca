import { oneLine } from "@belay/core/clean";
import { messageOf } from "@belay/core/internal";
import { DIALECT_NAMES, UsageError } from "@belay/engine";
import { type Command, oneOf } from "./args/args.ts";
import { BELAY } from "./args/flags.ts";
import { command as run } from "./commands/run.ts";
import { type Io, processIo } from "./io.ts";
import { commandLines, hang, wrap } from "./render/text.ts";

/** `run` is on the path of every tool call: it is in the first file that is loaded. The others come when called. */
const COMMANDS = {
  run: ["fire one event at your hooks", async () => ({ command: run })],
  why: ["which hooks would fire, which not, and why", () => import("./commands/why.ts")],
  check: ["every problem in the config and in its scripts", () => import("./commands/check.ts")],
  try: ["run one script on sample payloads", () => import("./commands/try.ts")],
  test: ["run the test cases of your hooks", () => import("./commands/test.ts")],
  schema: ["JSON Schemas of events and of the config", () => import("./commands/schema.ts")],
  init: ["a first config and a first hook that works", () => import("./commands/init.ts")],
  trust: ["show what a project's hooks are, and trust them", () => import("./commands/trust.ts")],
  tail: ["the last events, and what was decided", () => import("./commands/tail.ts")],
  hook: ["the relay: your hooks inside another agent", () => import("./commands/hook.ts")],
  daemon: ["the resident, which answers other agents sooner", () => import("./commands/daemon.ts")],
  questions: ["calls of other agents that wait for you", () => import("./commands/questions.ts")],
  allow: ["let a call through that was denied meanwhile", () => import("./commands/allow.ts")],
  install: ["make your hooks run in other agents", () => import("./commands/install.ts")],
  uninstall: ["take that out again", () => import("./commands/uninstall.ts")],
  adopt: ["move an agent's own hooks into Belay's settings", () => import("./commands/adopt.ts")],
  doctor: ["what is installed in other agents, and what is wrong", () => import("./commands/doctor.ts")],
  verify: ["prove that real agents obey, without a network", () => import("./commands/verify.ts")],
  record: ["a hook for other agents that only looks on", () => import("./commands/record.ts")],
  replay: ["recorded events decided anew, or fired at changed hooks", () => import("./commands/replay.ts")],
  stats: ["per hook: runs, refusals, faults, times; which to make warm", () => import("./commands/stats.ts")],
  inspect: ["a page that shows what your hooks did and do", () => import("./commands/inspect.ts")],
  chat: ["a small coding agent that lives with your hooks", () => import("./commands/chat.ts")],
  demo: ["a coding session with that agent and the example hooks", () => import("./commands/demo.ts")],
} satisfies Record<string, [summary: string, load: () => Promise<{ command: Command }>]>;

type CommandName = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as CommandName[];

const ASKS_HELP = ["help", "--help", "-h"];

async function main(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    io.err(overview(io));
    return 1;
  }
  const asksHelp = ASKS_HELP.includes(first);
  const named = asksHelp ? rest.find((word) => !ASKS_HELP.includes(word)) : first;
  if (named === undefined) {
    io.out(overview(io));
    return 0;
  }
  if (first === "--version" || first === "-v") {
    io.out(`${VERSION}\n`);
    return 0;
  }
  if (first.startsWith("-") && !asksHelp)
    throw new UsageError(`${first} stands before any command`, "usage: belay <command> [options]");
  const name = oneOf(named, NAMES, "command");
  const [, load] = COMMANDS[name];
  const { command } = await load();
  if (asksHelp || rest.includes("--help") || rest.includes("-h")) {
    io.out(helpFor(command, io.columns));
    return 0;
  }
  return command.run(NOT_FROM_ENVIRONMENT.includes(name) ? rest : withDialect(command, rest, io), io);
}

/** `schema` reads no hooks. In `chat` a stray variable would switch off the guards of a session. */
const NOT_FROM_ENVIRONMENT: readonly CommandName[] = ["chat", "schema"];

/** BELAY_DIALECT in place of a --dialect that is not given. */
function withDialect({ flags }: Command, args: readonly string[], io: Io): readonly string[] {
  const { BELAY_DIALECT: given } = process.env;
  const isSaid = args.some((arg) => /^--dialect(?:=|$)/.test(arg));
  if (!given || isSaid || !Object.hasOwn(flags, "dialect")) return args;
  const dialect = oneOf(given, DIALECT_NAMES, "dialect (BELAY_DIALECT)");
  io.err(`belay: --dialect ${dialect}, from BELAY_DIALECT\n`);
  return ["--dialect", dialect, ...args];
}

declare const VERSION: string;

function overview({ columns }: Io): string {
  return `${[
    ...wrap("belay runs the hooks of AI agents and shows what they decide.", columns),
    "",
    ...wrap("Usage: belay <command> [options]", columns),
    "",
    ...NAMES.flatMap((name) => hang(`  ${name.padEnd(9)} `, COMMANDS[name][0], columns)),
    "",
    ...wrap(`belay <command> --help says more. Start with: ${BELAY} init`, columns),
  ].join("\n")}\n`;
}

function helpFor({ usage, summary, flags, events, examples }: Command, columns: number): string {
  const options = Object.entries(flags).map(([name, { value, help, short }]) => ({
    option: `  ${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
    help,
  }));
  const widest = Math.max(0, ...options.map(({ option }) => option.length)) + 2;
  const rows = options.flatMap(({ option, help }) => hang(option.padEnd(widest), help, columns));
  return `${[
    ...wrap(summary, columns),
    "",
    ...hang("Usage: ", usage, columns),
    ...(events ? ["", ...hang("Events: ", events.join(", "), columns)] : []),
    ...(rows.length > 0 ? ["", "Options:", ...rows] : []),
    "",
    "Examples:",
    ...examples.flatMap((line) => commandLines(line, columns)),
  ].join("\n")}\n`;
}

/** A mistake of the user's, whether the command line, the engine or the system found it. */
function usageErrorOf(error: unknown): UsageError | undefined {
  if (error instanceof UsageError) return error;
  const { syscall } = Object(error) as NodeJS.ErrnoException;
  if (syscall === "uv_cwd")
    return new UsageError("the folder you are in is gone", "change to one that exists");
  return undefined;
}

function complain(error: unknown, io: Io): number {
  const usage = usageErrorOf(error);
  if (usage) {
    io.err(`belay: ${oneLine(usage.message)}${usage.next ? `; ${oneLine(usage.next)}` : ""}\n`);
    return 1;
  }
  io.err(`belay: something went wrong inside belay: ${oneLine(messageOf(error))}\n`);
  if (process.env.BELAY_DEBUG) io.err(`${error instanceof Error ? error.stack : ""}\n`);
  else io.err("Set BELAY_DEBUG=1 to see where.\n");
  return 1;
}

const io = processIo();
// Output that cannot be written changes no refusal: a deny must not become another exit code.
let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (isOutputLost || error.code === "EPIPE") return; // A reader may close early: head, less.
  isOutputLost = true;
  io.err(`belay: the output cannot be written: ${oneLine(error.message)}\n`);
  process.once("exit", () => {
    process.exitCode ||= 1;
  });
});
main(process.argv.slice(2), io)
  .catch((error: unknown) => complain(error, io))
  .then((code) => {
    process.exitCode = code;
    setImmediate(leave);
  });

/** Exits at once if nothing waits to be written: to take the heap down in order takes another two milliseconds. */
function leave(): void {
  const unsaid = process.stdout.writableLength + process.stderr.writableLength;
  if (unsaid === 0) process.exit();
}
