import type { Variables } from "./environment.ts";
import { type Launch, type LauncherMode, launchBy } from "./launcher/launch.ts";
import type { ModulePool } from "./module/threads.ts";
import { completeLimits, type Limits } from "./options.ts";
import { lazyModulePool, lazyWarmPool } from "./runners/index.ts";
import type { WarmPool } from "./warm/pool.ts";

/** The processes and threads that are kept from one event to the next: an engine's own, or those of several engines. */
export interface Kept {
  readonly modules: ModulePool;
  readonly warm: WarmPool;
  readonly launch: Launch;
  /** Aborted by close(). */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

interface KeepOptions {
  readonly limits?: Partial<Limits>;
  readonly launcher?: LauncherMode;
  readonly handleSignals?: boolean;
}

/** For a host whose engines come and go, one for each event, as its callers and their environments do. */
export function keepProcesses(options: KeepOptions = {}): Kept {
  const { launcher = "auto", handleSignals = true } = options;
  const limits = completeLimits(options.limits);
  const closing = new AbortController();
  const modules = lazyModulePool(limits);
  const warm = lazyWarmPool(limits, handleSignals);
  const launch = launchBy(launcher, handleSignals);
  return {
    modules,
    warm,
    launch,
    closing: closing.signal,
    close: async () => {
      closing.abort();
      await Promise.all([modules.close(), launch.close(), warm.close()]);
    },
  };
}

/** What every shell and every change of folder sets anew. */
const OF_THE_SHELL = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);

/** Equal for equal environments: a kept process or thread serves callers of one environment alone. */
export function environmentKey(env: Variables): string {
  const names = Object.keys(env).filter((name) => !OF_THE_SHELL.has(name));
  return JSON.stringify(names.sort().map((name) => [name, env[name]]));
}
