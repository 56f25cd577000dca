import { type BigIntStats, readFileSync, statSync } from "node:fs";
import {
  type Config,
  type Diagnostic,
  type DialectName,
  diagnose,
  type Hook,
  lacksPatterns,
  loadPatternEngine,
  type PatternEngine,
  readConfig,
} from "@belay/core";
import { messageOf } from "../runners/runner.ts";
import type { ConfigPlace } from "./discover.ts";

/** All layers read: the hooks in force, in configured order. */
export interface Loaded {
  readonly hooks: readonly Hook[];
  readonly dialect: DialectName | undefined;
  readonly allowedHttpHookUrls: readonly string[] | undefined;
  readonly configs: readonly Config[];
  /** Problems that came up since the last load; each is told once. */
  readonly fresh: readonly Diagnostic[];
}

interface Slot {
  version: string;
  /** The last version that could be read as a whole. */
  good?: Config;
  problems: readonly Diagnostic[];
}

/** Reads config files and reads them again when they change. A broken edit keeps the last good version in force. */
export interface ConfigLoader {
  load(places: readonly ConfigPlace[]): Promise<Loaded>;
}

export function configLoader(): ConfigLoader {
  const slots = new Map<string, Slot>();
  let patterns: PatternEngine | undefined;

  async function refresh(place: ConfigPlace): Promise<readonly Diagnostic[]> {
    const slot = slots.get(place.file);
    const version = versionOf(place.file);
    if (slot?.version === version) return [];
    const { config, problems } = await read(place, version);
    const kept = config === undefined && slot?.good !== undefined && version !== MISSING;
    const told = kept ? [...problems, diagnose("config-kept-last-good", { file: place.file })] : problems;
    const good = config ?? (kept ? slot?.good : undefined);
    slots.set(place.file, { version, problems: told, ...(good && { good }) });
    return told;
  }

  async function read(
    place: ConfigPlace,
    version: string,
  ): Promise<{ config?: Config; problems: readonly Diagnostic[] }> {
    const { file } = place;
    if (version === MISSING) {
      return {
        problems: place.required
          ? [diagnose("config-unreadable", { file, detail: "there is no such file" }, { path: file })]
          : [],
      };
    }
    try {
      const text = readFileSync(file, "utf8");
      let config = readConfig({ ...place, text }, patterns);
      if (lacksPatterns(config, patterns)) {
        patterns = await loadPatternEngine();
        config = readConfig({ ...place, text }, patterns);
      }
      return config.broken ? { problems: config.problems } : { config, problems: config.problems };
    } catch (error) {
      return {
        problems: [diagnose("config-unreadable", { file, detail: whyUnreadable(error) }, { path: file })],
      };
    }
  }

  return {
    load: async (places) => {
      const fresh: Diagnostic[] = [];
      for (const place of places) fresh.push(...(await refresh(place)));
      const configs = places
        .map(({ file }) => slots.get(file)?.good)
        .filter((config) => config !== undefined);
      return {
        hooks: configs.flatMap((config) => config.hooks),
        dialect: configs.find(({ layer }) => layer === "project" || layer === "config" || layer === "plugin")
          ?.dialect,
        allowedHttpHookUrls: configs.find(({ layer }) => layer === "user")?.allowedHttpHookUrls,
        configs,
        fresh,
      };
    },
  };
}

const MISSING = "missing";

function whyUnreadable(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === "EISDIR" ? "it is a folder" : messageOf(error);
}

function versionOf(file: string): string {
  let stat: BigIntStats | undefined;
  try {
    stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    return `unreadable: ${messageOf(error)}`;
  }
  return stat ? `${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}:${stat.ino}` : MISSING;
}
