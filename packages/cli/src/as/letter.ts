import { type Config, type Diagnostic, type Hook, readConfig } from "@belay/core";
import { placeOf } from "@belay/core/internal";
import { readText } from "@belay/engine/internal";
import type { Harness, HookRun } from "@belay/harness";

/** How a harness reads the settings files of hooks that Belay read in its own way. A file is read once for all its hooks. */
const readings = new WeakMap<Hook, Config | undefined>();

function readingOf({ settingsDialect }: Harness, hook: Hook, hooks: readonly Hook[]): Config | undefined {
  if (settingsDialect === undefined || hook.simulated) return undefined;
  if (readings.has(hook)) return readings.get(hook);
  const { file } = hook.source;
  const reading = readFile(file, settingsDialect);
  for (const one of [hook, ...hooks]) if (one.source.file === file) readings.set(one, reading);
  return reading;
}

function readFile(file: string, dialect: Config["dialect"]): Config | undefined {
  try {
    return readConfig({ file, layer: "config", dialect, simulate: true, text: readText(file) });
  } catch {
    return undefined; // whoever loaded the hook has said why
  }
}

/** Why a harness does not run a hook of which Belay can: it skips the file, or the entry, or reads its `if` otherwise. */
export function offIn(
  harness: Harness,
  hook: Hook,
  hooks: readonly Hook[],
  payload?: Readonly<Record<string, unknown>>,
): HookRun["off"] {
  const reading = readingOf(harness, hook, hooks);
  if (reading === undefined) return undefined;
  const place = placeOf(hook.source);
  const own = reading.hooks.find(({ event, source }) => event === hook.event && placeOf(source) === place);
  const runs = own !== undefined && (payload === undefined || own.condition?.fits(payload) !== false);
  if (runs) return undefined;
  const problem = errorsOf(reading).find(({ code, path }) => code === VOID || path === place);
  return problem && { why: problem.message, fix: problem.fix };
}

const VOID = "config-file-void";

function errorsOf({ problems }: Config): Diagnostic[] {
  return problems.filter(({ severity }) => severity === "error");
}

/** What a harness alone finds wrong in the settings files of hooks. */
export function errorsIn(harness: Harness, hooks: readonly Hook[]): Diagnostic[] {
  const all = hooks.flatMap((hook) => readingOf(harness, hook, hooks) ?? []);
  return [...new Set(all)].flatMap(errorsOf);
}
