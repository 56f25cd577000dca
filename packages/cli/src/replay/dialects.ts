import { basename, dirname } from "node:path";
import { DEFAULT_DIALECT, type DialectName, plural, type RunReport } from "@belay/core";
import type { EngineOptions, EventRecord } from "@belay/engine";

/** Whether hooks are read as they were: what one dialect refuses, another may let through, with the policy unchanged. */
export interface DialectsMet {
  /** Notes how the hooks of an event were read, then and now. */
  fired(record: EventRecord, runs: readonly RunReport[]): void;
  /** The one dialect whose files had the hooks that ran when recorded, if another one's are looked for now. */
  missed(): DialectName | undefined;
  /** A sentence for each dialect that the records are of and that their hooks are not read by now. */
  said(): string[];
}

export function dialectsMet({ dialect, configFiles, pluginDirs }: EngineOptions): DialectsMet {
  const events = new Map<string, { readonly was: DialectName; readonly is: string; count: number }>();
  const recorded = new Set<DialectName | undefined>();
  return {
    fired: ({ hooks }, runs) => {
      for (const { dialect: was, source } of hooks) recorded.add(isOfBelay(source) ? undefined : was);
      // A plugin is read as plugins are written, whatever it is held against.
      if (pluginDirs) return;
      const [was] = hooks.map((hook) => hook.dialect);
      const is = runs.find((run) => hooks.every((hook) => hook.dialect !== run.dialect))?.dialect;
      if (was === undefined || is === undefined) return;
      const kept = events.get(`${was} ${is}`) ?? { was, is, count: 0 };
      events.set(`${was} ${is}`, { ...kept, count: kept.count + 1 });
    },
    missed: () => {
      const [only, another] = recorded;
      if (configFiles || pluginDirs || another !== undefined) return undefined;
      return only === (dialect ?? DEFAULT_DIALECT) ? undefined : only;
    },
    said: () =>
      [...events.values()].map(({ was, is, count }) => {
        const next = dialect === undefined ? `; next: the same with --dialect ${was}` : "";
        return `hooks of ${plural(count, "event")} were read as ${was} when recorded, and as ${is} now${next}`;
      }),
  };
}

/** Belay's own files may name any dialect, and are read without the flag. */
function isOfBelay(source: string): boolean {
  return basename(dirname(source)) === ".belay" || basename(dirname(dirname(source))) === ".belay";
}
