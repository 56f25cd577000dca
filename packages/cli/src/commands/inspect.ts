import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { type Command, noArguments, readFlags, wholeNumber } from "../args/args.ts";
import { BELAY, CONFIG_FLAGS, EVENT_FLAGS, flagsOf, refuseNoUuid, simulatingOptions } from "../args/flags.ts";
import type { Inspect, InspectOptions } from "../inspect/index.ts";
import { type Io, untilInterrupted } from "../io.ts";
import { FROM_FLAGS, refuseMixed } from "../logs/from.ts";
import { openLogJournal } from "../logs/journal.ts";
import { RECORD_FLAGS } from "../records/journal.ts";
import { usageErrorOf } from "./chat.ts";

const USAGE = "belay inspect [--port N] [--open] [options]";

const FLAGS = {
  port: { type: "string", value: "N", help: "the port on 127.0.0.1; any that is free if absent" },
  open: { type: "boolean", help: "open the page in your browser" },
  ...FROM_FLAGS,
  since: { ...RECORD_FLAGS.since, help: `with --from: ${RECORD_FLAGS.since.help}` },
  ...CONFIG_FLAGS,
  session: EVENT_FLAGS.session,
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Serves a page on this machine that shows what hooks did and do: every event of the journal, as it happens. With --from it shows what other agents wrote into their session logs.\nIts address holds a secret: whoever has it can run your hooks. Ends with Ctrl-C.",
  flags: FLAGS,
  examples: [
    "belay inspect",
    "belay inspect --open",
    "belay inspect --port 4711 --config hooks.json",
    "belay inspect --from claude-code --since 30d",
  ],
  run: inspect,
};

async function inspect(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  refuseNoUuid(values.session);
  refuseMixed(values, [], {});
  if (values.from === undefined && values.since !== undefined)
    throw new UsageError(
      "--since narrows session logs down",
      `for example: ${BELAY} inspect --from claude-code --since 30d`,
    );
  const options = {
    looking: {
      ...simulatingOptions(values),
      ...(values.session !== undefined && { sessionId: values.session }),
    },
    flags: flagsOf(values, ["config", "plugin", "dialect"]),
    port:
      values.port === undefined
        ? 0
        : wholeNumber("--port", values.port, "port", "write a number from 1 to 65535", [1, 65_535]),
  };
  const { signal } = untilInterrupted();
  if (values.from === undefined) return showPage(options, signal, values.open ?? false, io);
  const logs = await openLogJournal(values, io, signal);
  if (!logs) return 0;
  try {
    return await showPage({ ...options, logs }, signal, values.open ?? false, io);
  } finally {
    logs.close();
  }
}

async function showPage(
  options: InspectOptions,
  signal: AbortSignal,
  opens: boolean,
  io: Io,
): Promise<number> {
  const { startInspect } = await loadInspect();
  const page = await startInspect(options).catch((error: unknown) => {
    throw usageErrorOf(error);
  });
  io.out(`${page.url}\n`);
  io.err("belay: open this address in a browser; Ctrl-C ends it\n");
  if (opens) openBrowser(page, io);
  if (!signal.aborted) await once(signal, "abort");
  await page.close();
  return 0;
}

/** The server and its libraries are a file of their own, loaded here: no other command pays for them. */
function loadInspect(): Promise<typeof import("../inspect/index.ts")> {
  return import(new URL("./inspect.js", import.meta.url).href);
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

function openBrowser(page: Inspect, io: Io): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const fail = (why: string) => io.err(`belay: ${why}; open the address yourself\n`);
  try {
    const child = spawn(program, [...args, page.openingFile()], { stdio: "ignore", detached: true });
    child.once("error", () => fail(`${program} cannot be started`));
    child.unref();
  } catch (error) {
    fail(messageOf(error));
  }
}
