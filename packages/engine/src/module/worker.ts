import childProcess from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire, register, syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { filePrint } from "../files/read.ts";
import type { Call, CallResult, LoadedFile, Started } from "./messages.ts";

/*
 * One module hook in a thread of its own: an endless loop is ended by ending the thread, and no state of one hook can
 * reach another's.
 */

/** What a thread is started with. The port is taken out before the module is loaded: only we talk over it. */
export interface ThreadData {
  readonly file: string;
  /** How long the call may take that it is started for: it loads the module in that time. */
  readonly timeoutMs: number;
  /** How much of an error's message is sent. */
  readonly maxError: number;
  port?: MessagePort;
}

const MAX_PRINTED = 1024 * 1024;
let printed = "";
for (const stream of [process.stdout, process.stderr]) stream.write = keeper();

const { port1: loaded, port2 } = new MessageChannel();
register(new URL("./typescript-loader.js", import.meta.url), {
  data: { port: port2 },
  transferList: [port2],
});
const required: LoadedFile[] = [];
reportRequired((loadedFile) => required.push(loadedFile));
const given = workerData as ThreadData;
const { file, port: host } = given;
/** When the calls under way, and the load that they wait for, have had their time. */
const deadlines = new Map<Call["id"] | "load", number>([["load", performance.now() + given.timeoutMs]]);
limitSyncChildren(() =>
  deadlines.size === 0 ? undefined : Math.max(...deadlines.values()) - performance.now(),
);
delete given.port;
host?.postMessage({ id: "started" } satisfies Started);
let unusable = false;
const loading = load(file);
loading
  .catch(() => {
    unusable = true;
  })
  .finally(() => deadlines.delete("load"));

async function load(path: string): Promise<(input: unknown) => unknown> {
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const hook = module.default ?? module.hook;
  if (typeof hook !== "function") throw new TypeError("the module exports no function (export default …)");
  return hook as (input: unknown) => unknown;
}

async function callHook({ input, variables }: Call): Promise<string> {
  const hook = await loading;
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const event: unknown = (hook as { event?: unknown }).event;
  const payload = JSON.parse(input) as { hook_event_name?: unknown };
  if (typeof event === "string" && event !== payload.hook_event_name) {
    throw new TypeError(`it is defined for ${event}, but was fired for ${String(payload.hook_event_name)}`);
  }
  const output = await hook(payload);
  if (output === undefined || output === null) return "";
  if (typeof output !== "object" || Array.isArray(output)) {
    throw new TypeError(`it returned ${Array.isArray(output) ? "an array" : typeof output}, not an object`);
  }
  const text: string | undefined = JSON.stringify(output);
  if (!text?.startsWith("{")) throw new TypeError("what it returned is no JSON object");
  return text;
}

/** A call that fails after its time says nothing: we may have ended the process that it waited for. The host says that it is late. */
async function answer(call: Call): Promise<CallResult | undefined> {
  const deadline = performance.now() + call.timeoutMs;
  deadlines.set(call.id, deadline);
  const said = await callHook(call).then(
    // One character more than the cap shows that it was cut; the host never holds the rest.
    (output) => ({ output: output.slice(0, call.cap + 1) }),
    (error: unknown) => ({ error }),
  );
  deadlines.delete(call.id);
  if ("error" in said && performance.now() > deadline) return undefined;
  const files = loadedFiles();
  const told =
    "error" in said ? { error: (await wordsOf(said.error, files)).slice(0, given.maxError) } : said;
  const wrote = printed;
  printed = "";
  return { id: call.id, ...told, printed: wrote, files, unusable };
}

async function wordsOf(error: unknown, files: readonly LoadedFile[]): Promise<string> {
  // Node says what does not parse, and not where.
  if (unusable && error instanceof SyntaxError) {
    for (const { file: path } of files) {
      const where = await whereBroken(path);
      if (where !== undefined) return `${error.name}: ${where}`;
    }
  }
  return error instanceof Error ? `${error.name}: ${withoutUs(error.message)}` : String(error);
}

/** Who imports the module is no news to its author. */
function withoutUs(message: string): string {
  return message.replaceAll(` imported from ${fileURLToPath(import.meta.url)}`, "");
}

function loadedFiles(): LoadedFile[] {
  const files = required.splice(0);
  for (let next = receiveMessageOnPort(loaded); next; next = receiveMessageOnPort(loaded)) {
    files.push(next.message as LoadedFile);
  }
  return files;
}

/**
 * Stands in for a stream's write, so that what a module prints stays out of the host's own output. A character may come in
 * two writes. A thread cannot be kept from the file descriptors: fs.writeSync(1, …) gets there.
 */
function keeper(): typeof process.stdout.write {
  const decoder = new StringDecoder();
  return (chunk: Uint8Array | string, ...rest: unknown[]) => {
    const room = MAX_PRINTED - printed.length;
    if (room > 0)
      printed +=
        typeof chunk === "string"
          ? chunk.slice(0, room)
          : decoder.write(Buffer.from(chunk.subarray(0, room)));
    const done = rest.find((argument) => typeof argument === "function") as (() => void) | undefined;
    if (done) queueMicrotask(done);
    return true;
  };
}

host?.on("message", async (call: Call) => {
  const result = await answer(call);
  if (result) host.postMessage(result);
});

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Reports each file that this thread requires, as it is just before it is loaded: loader hooks are not asked about those.
 * Of packages there may be thousands, and trust does not cover them.
 */
export function reportRequired(report: (loaded: LoadedFile) => void): void {
  const { extensions } = createRequire(import.meta.url);
  for (const [extension, load] of Object.entries(extensions)) {
    if (!load) continue;
    extensions[extension] = (module, file) => {
      if (!file.includes(PACKAGES)) report({ file, print: filePrint(file) });
      load(module, file);
    };
  }
}

/** From the end of a call to the end of a process that its thread waits for: by then the host has given the call up. */
const GRACE_MS = 100;

/**
 * A thread that waits for a process cannot be ended, and a host cannot exit before its threads have: such a process gets
 * no more time than the calls under way. `leftMs` tells how much that is; undefined while there are none.
 */
export function limitSyncChildren(leftMs: () => number | undefined): void {
  for (const name of ["execSync", "execFileSync", "spawnSync"] as const) {
    const start = childProcess[name] as (...given: unknown[]) => unknown;
    const limited = (...given: unknown[]) => start(...withLimit(given, leftMs()));
    Object.assign(childProcess, { [name]: limited });
  }
  syncBuiltinESMExports();
}

function withLimit(given: readonly unknown[], left: number | undefined): readonly unknown[] {
  if (left === undefined) return given;
  const most = Math.ceil(Math.max(0, left)) + GRACE_MS;
  const at = given.findIndex((value, index) => index > 0 && !Array.isArray(value) && Object(value) === value);
  const options = (given[at] ?? {}) as { timeout?: unknown };
  const { timeout } = options;
  if (typeof timeout === "number" && timeout > 0 && timeout <= most) return given;
  const limited = { ...options, timeout: most, killSignal: "SIGKILL" };
  return at === -1 ? [...given.filter((value) => value != null), limited] : given.with(at, limited);
}

/** Where a file does not parse and why, as `file:line: why`; undefined for one that does, or that cannot be read. */
export async function whereBroken(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { transformSync } = await import("oxc-transform");
  const [first] = transformSync(file, text).errors;
  if (!first) return undefined;
  const [, line] = /:(\d+):\d+\]/.exec(first.codeframe ?? "") ?? [];
  return `${file}${line === undefined ? "" : `:${line}`}: ${first.message}`;
}
