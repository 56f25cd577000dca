import {
  type Config,
  type ConfigFile,
  type HookSource,
  type PermissionMode,
  type PermissionRule,
  readConfig,
} from "@belay/core";
import { unreadRule } from "@belay/core/internal";
import type { EngineOptions } from "@belay/engine";
import {
  type ConfigPlace,
  configPlaces,
  coveredFiles,
  type Grant,
  grantsOf,
  needsTrust,
  readText,
} from "@belay/engine/internal";
import type { Tool } from "../tools/tool.ts";
import { allowAlways, exactRules } from "./allow-always.ts";
import { reachesOutside, reachesSettings } from "./paths.ts";
import { judge, type RuleSet, type Ruling } from "./rules.ts";

/** What the user has named: it counts besides the layers. */
type Named = Pick<EngineOptions, "configFiles" | "pluginDirs" | "dialect">;

export interface PermissionOptions extends Named {
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  /** The session, whose own file may have rules too. */
  readonly id?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The user's rules: those of the settings files, as they are at each call, and those of this session. */
export interface PermissionSettings {
  /** `isOutside`: it reaches outside of the working folder, or changes settings, a plugin, or a file that a hook runs. */
  judge(tool: Tool, input: Input): { readonly ruling: Ruling | undefined; readonly isOutside: boolean };
  /** The mode that sessions begin in. The last layer counts that names one and is trusted. */
  defaultMode(): PermissionMode | undefined;
  /** What the project's own files would loosen, and the user has not trusted; `belay trust` shows the same. */
  untrusted(): readonly Grant[];
  /** The rules by which "always" would allow exactly this call; empty when none can. */
  rulesFor(tool: Tool, input: Input): readonly string[];
  allowForSession(toolName: string): void;
  /** Stores a rule in the project's `.belay/settings.local.json`. Throws a UsageError when it cannot. */
  allowAlways(rule: string): void;
}

export function permissionSettings(options: PermissionOptions): PermissionSettings {
  const { cwd, project, home } = options;
  const files = settingsFiles();
  const forSession: PermissionRule[] = [];
  const own = layersOf(options).map(({ file }) => file);
  const places = placesOf(options);

  /** The lists and modes in force. A grant of the project counts when it is trusted; a restriction always does. */
  function read() {
    const found = files(places);
    const configs = found.flatMap(({ config }) => config ?? []);
    const grants = grantsOf(configs, project, home);
    const isGranted = (what: string, source: HookSource) =>
      !needsTrust({ source }) ||
      grants.some(
        (grant) => grant.state === "trusted" && grant.what === what && grant.source.file === source.file,
      );
    const permissions = configs.flatMap((config) => config.permissions ?? []);
    const broken = found.filter(({ config }) => config === undefined).map(({ place }) => wholeFile(place));
    const rules: RuleSet = {
      allow: permissions
        .flatMap(({ allow }) => allow)
        .filter(({ text, source }) => isGranted(`allow ${text}`, source)),
      deny: permissions.flatMap(({ deny }) => deny),
      ask: [...permissions.flatMap(({ ask }) => ask), ...broken],
    };
    const modes = permissions
      .flatMap(({ defaultMode }) => defaultMode ?? [])
      .filter(({ mode, source }) => isGranted(`defaultMode ${mode}`, source));
    return { rules, grants, mode: modes.at(-1)?.mode };
  }

  /** What an edit must not change unasked: these files, plugins, and whatever decides what a hook does. */
  function guarded(): string[] {
    const hooks = files(places).flatMap(({ config }) => config?.hooks ?? []);
    return [
      ...places.map(({ file }) => file),
      ...(options.pluginDirs ?? []),
      ...hooks.flatMap((hook) => {
        const { files, missing } = coveredFiles(hook, { cwd, project, home }, [home]);
        return [...files, ...missing];
      }),
    ];
  }

  return {
    judge: (tool, input) => {
      const { rules } = read();
      const call = { tool, input, cwd, home };
      const paths = tool.paths(input);
      return {
        ruling: judge({ ...rules, allow: [...rules.allow, ...forSession] }, call),
        isOutside:
          reachesOutside(paths, call) || (tool.kind === "edit" && reachesSettings(paths, guarded, call)),
      };
    },
    defaultMode: () => read().mode,
    untrusted: () =>
      read().grants.filter(({ state, source }) => state !== "trusted" && own.includes(source.file)),
    rulesFor: (tool, input) => exactRules({ tool, input, cwd, home }, project),
    allowForSession: (tool) => {
      const source = { file: "this session", layer: "session", line: 0, path: "" } as const;
      forSession.push({ text: tool, tool, source });
    },
    allowAlways: (rule) => allowAlways({ project, home, rule }),
  };
}

function layersOf({ cwd, project, home, id = "" }: PermissionOptions, more: Named = {}): ConfigPlace[] {
  return configPlaces({ cwd, project, home, sessionId: id, ...more });
}

/** The layers always; what the user named, and the files of a dialect, besides them. */
function placesOf(options: PermissionOptions): ConfigPlace[] {
  const { configFiles = [], pluginDirs = [], dialect } = options;
  const isNamed = configFiles.length > 0 || pluginDirs.length > 0;
  return [
    ...layersOf(options),
    ...(dialect ? layersOf(options, { dialect }) : []),
    ...(isNamed ? layersOf(options, { configFiles, pluginDirs }) : []),
  ];
}

/** A file that has never been read as a whole may hold any restriction: everything asks until it can be. */
function wholeFile({ file, layer }: Pick<HookSource, "file" | "layer">): PermissionRule {
  return unreadRule("", "the file cannot be read", { file, layer, line: 1, path: "" });
}

type Place = Pick<ConfigFile, "file" | "layer" | "pluginRoot">;

interface Version {
  readonly text?: string;
  /** The last version that could be read as a whole, if there has been one. */
  readonly config: Config | undefined;
}

/** Settings files as they are now. Files that are not there are left out. */
function settingsFiles(): (places: readonly Place[]) => { place: Place; config: Config | undefined }[] {
  const versions = new Map<string, Version>();
  return (places) =>
    places.flatMap((place) => {
      const version = versionOf(place, versions.get(place.file));
      if (version) versions.set(place.file, version);
      else versions.delete(place.file);
      return version ? [{ place, config: version.config }] : [];
    });
}

function versionOf(place: Place, known: Version | undefined): Version | undefined {
  try {
    const text = readText(place.file);
    return text === known?.text ? known : { text, config: sound(place, text) ?? known?.config };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : { config: known?.config };
  }
}

/** Reads a file in Belay's own dialect: rules about tools are written alike in all dialects. */
function sound({ file, layer, pluginRoot }: Place, text: string): Config | undefined {
  const config = readConfig({ file, layer, text, ...(pluginRoot !== undefined && { pluginRoot }) });
  return config.broken ? undefined : config;
}
