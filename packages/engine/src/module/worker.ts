import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/*
 * One module hook in a thread of its own: an endless loop is ended by ending the thread, and no state of one hook can
 * reach another's. Messages in: { id, input }. Messages out: { id, output } or { id, error }.
 */

interface Call {
  readonly id: number;
  readonly input: string;
}

const { file } = workerData as { file: string };
register(new URL("./typescript-loader.js", import.meta.url));
const loading = load(file);

async function load(path: string): Promise<(input: unknown) => unknown> {
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const hook = module.default ?? module.hook;
  if (typeof hook !== "function") throw new TypeError("the module exports no function (export default …)");
  return hook as (input: unknown) => unknown;
}

async function answer({ id, input }: Call): Promise<{ id: number; output?: string; error?: string }> {
  try {
    const hook = await loading;
    const event: unknown = (hook as { event?: unknown }).event;
    const payload = JSON.parse(input) as { hook_event_name?: unknown };
    if (typeof event === "string" && event !== payload.hook_event_name) {
      throw new TypeError(`it is defined for ${event}, but was fired for ${String(payload.hook_event_name)}`);
    }
    const output = await hook(payload);
    if (output === undefined || output === null) return { id, output: "" };
    if (typeof output !== "object" || Array.isArray(output)) {
      throw new TypeError(`it returned ${Array.isArray(output) ? "an array" : typeof output}, not an object`);
    }
    return { id, output: JSON.stringify(output) };
  } catch (error) {
    return { id, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

parentPort?.on("message", async (call: Call) => parentPort?.postMessage(await answer(call)));
