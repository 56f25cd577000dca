import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "@belay/core/internal";
import { type Command, noArguments, readFlags, wholeNumber } from "../args/args.ts";
import { CONFIG_FLAGS, EVENT_FLAGS, flagsOf, refuseNoUuid, simulatingOptions } from "../args/flags.ts";
import type { Inspect } from "../inspect/index.ts";
import { type Io, untilInterrupted } from "../io.ts";
import { usageErrorOf } from "./chat.ts";

const USAGE = "belay inspect [--port N] [--open] [options]";

const FLAGS = {
  port: { type: "string", value: "N", help: "the port on 127.0.0.1; any that is free if absent" },
  open: { type: "boolean", help: "open the page in your browser" },
  ...CONFIG_FLAGS,
  session: EVENT_FLAGS.session,
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Serves a page on this machine that shows what hooks did and do: every event of the journal, as it happens.\nIts address holds a secret: whoever has it can run your hooks. Ends with Ctrl-C.",
  flags: FLAGS,
  examples: ["belay inspect", "belay inspect --open", "belay inspect --port 4711 --config hooks.json"],
  run: inspect,
};

async function inspect(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  refuseNoUuid(values.session);
  const { startInspect } = await loadInspect();
  const { signal } = untilInterrupted();
  const page = await startInspect({
    looking: {
      ...simulatingOptions(values),
      ...(values.session !== undefined && { sessionId: values.session }),
    },
    flags: flagsOf(values, ["config", "plugin", "dialect"]),
    port:
      values.port === undefined
        ? 0
        : wholeNumber("--port", values.port, "port", "write a number from 1 to 65535", [1, 65_535]),
  }).catch((error: unknown) => {
    throw usageErrorOf(error);
  });
  io.out(`${page.url}\n`);
  io.err("belay: open this address in a browser; Ctrl-C ends it\n");
  if (values.open) openBrowser(page, io);
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
