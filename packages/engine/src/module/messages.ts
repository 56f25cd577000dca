import type { MessagePort } from "node:worker_threads";

/** What a thread is started with. The port is taken out before the module is loaded: only we talk over it. */
export interface ThreadData {
  readonly file: string;
  /** How long the call may take that it is started for: it loads the module in that time. */
  readonly timeoutMs: number;
  port?: MessagePort;
}

/** From the pool to a thread: call the hook. */
export interface Call {
  readonly id: number;
  readonly input: string;
  /** Set for this call; one without a value is not set. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** No more bytes than these are kept of the output: so many characters and one are all that is sent. */
  readonly cap: number;
  readonly timeoutMs: number;
}

/** A file of the module, as it was when it was loaded. */
export interface LoadedFile {
  readonly file: string;
  readonly print: string;
}

/** From a thread to the pool, once: it begins to load its module. From here on time is the hook's own. */
export interface Started {
  readonly id: "started";
}

/** From a thread to the pool. */
export interface CallResult {
  readonly id: number;
  /** JSON text, or "" for silence; absent after an error. */
  readonly output?: string;
  readonly error?: string;
  /** What the module wrote to stdout and stderr: nobody's output, kept for its author. */
  readonly printed: string;
  /** Files loaded since the last answer. */
  readonly files: readonly LoadedFile[];
  /** The module could not be loaded: the next call needs a new thread. */
  readonly unusable: boolean;
}

/** More of an error's words than this is for nobody. */
export const MAX_ERROR = 10_000;
