/* What a pool and its threads say to one another. */

/** From the pool to a thread: calls the hook. */
export interface Call {
  readonly id: number;
  readonly input: string;
  /** Set for this call; a variable without a value is removed. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** So many bytes are kept of the output; at most one character more is sent. */
  readonly cap: number;
  readonly timeoutMs: number;
}

/** A file of the module, as it was when it was loaded. */
export interface LoadedFile {
  readonly file: string;
  readonly print: string;
}

/** From a thread to the pool, once: the thread begins to load its module. The hook's time runs from here. */
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
