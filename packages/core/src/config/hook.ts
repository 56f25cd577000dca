import type { DialectName } from "../tables/dialects.ts";
import type { EventName } from "../tables/events.ts";
import type { HookTerms } from "../types.ts";
import type { Condition } from "./condition.ts";
import type { Matcher } from "./matcher.ts";
import type { SHELLS } from "./schema.ts";

/** What a config file may do, by where it stands. */
interface LayerRow {
  /** The file comes with a project: someone else may have written it. */
  readonly needsTrust: boolean;
  /** The first such file gives the Outcome its dialect. */
  readonly namesDialect: boolean;
  /** The file says which URLs the hooks of other files may call. */
  readonly allowsUrls: boolean;
  /** Layers that its disableAllHooks switches off besides the file itself. Nobody else switches off the user's hooks. */
  readonly switchesOff: readonly string[];
}

const PLAIN: LayerRow = { needsTrust: false, namesDialect: false, allowsUrls: false, switchesOff: [] };
const NAMED: LayerRow = { ...PLAIN, namesDialect: true };

export const LAYERS = {
  user: { ...PLAIN, allowsUrls: true, switchesOff: ["project", "local", "session"] },
  project: { ...NAMED, needsTrust: true },
  local: { ...PLAIN, needsTrust: true, switchesOff: ["project"] },
  session: { ...PLAIN, needsTrust: true },
  config: NAMED,
  plugin: NAMED,
} satisfies Record<string, LayerRow>;

/** Where a config file stands. */
export type Layer = keyof typeof LAYERS;

/** How a hook runs. */
export type Handler =
  /** With `args`, even empty ones, the command is a program, and no shell reads it. */
  | {
      readonly type: "command";
      readonly command: string;
      readonly args?: readonly string[];
      /** The shell that reads the command; sh if absent, and for powershell. */
      readonly shell?: (typeof SHELLS)[number];
      /** Its process is kept and asked line by line: one call at a time, or "parallel". */
      readonly warm?: boolean | "parallel";
      /** Nobody waits for it, and its answer does not count. */
      readonly async?: boolean;
      readonly asyncRewake?: boolean;
    }
  | { readonly type: "json"; readonly json: Readonly<Record<string, unknown>>; readonly exitcode: number }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly type: "module"; readonly module: string }
  | { readonly type: "prompt"; readonly prompt: string }
  /** Run by Claude Code alone; here it is a fault. */
  | {
      readonly type: "mcp_tool";
      readonly server: string;
      readonly tool: string;
      readonly input?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "agent"; readonly prompt: string; readonly model?: string };

/** Whether work goes on while the hook runs. */
export function isInBackground(handler: Handler): boolean {
  return handler.type === "command" && (handler.async === true || handler.asyncRewake === true);
}

/** $NAME or ${NAME} in the value of a header: the name is in the first group or in the second. */
export const HEADER_VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

export interface HookSource {
  readonly file: string;
  readonly layer: Layer;
  readonly line: number;
  /** Path of the entry inside the file, as the diagnostics print it. */
  readonly path: string;
  /** Folder of the plugin the file belongs to. */
  readonly pluginRoot?: string;
}

/** One configured hook with every field filled in. */
export interface Hook extends HookTerms {
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly matcher: Matcher;
  readonly condition: Condition | undefined;
  readonly handler: Handler;
  readonly timeoutMs: number;
  readonly enabled: boolean;
  readonly once: boolean;
  /** Shown in place of its name while it runs. */
  readonly statusMessage: string | undefined;
  /** Patterns of files that its trust covers besides its scripts; `!` before a pattern takes files away. */
  readonly files: readonly string[];
  /** It says once, and has run in this session. */
  readonly hasRun?: true;
  /** The place of the disableAllHooks that switches it off: "file:line". */
  readonly offAt?: string;
  readonly source: HookSource;
  /** The id of its matcher group. */
  readonly group: string;
  readonly sequential: boolean;
  /** Fields of its entry that are not read here and would change how it runs. */
  readonly ignored: readonly string[];
  /** Equal for handlers that are equal in all fields: those run once. */
  readonly identity: string;
}

/** "file:line", as Outcome.runs and `why` name a hook's place. */
export function placeOf(source: HookSource): string {
  return `${source.file}:${source.line}`;
}

/** Where a diagnostic about a hook points. */
export function whereOf(hook: Hook): { readonly hook: string; readonly path: string } {
  return { hook: hook.name, path: placeOf(hook.source) };
}
