import type {
  COMMON_INPUT,
  Diagnostic,
  DialectName,
  EventName,
  Hook,
  HookInput,
  Outcome,
  Relayed,
} from "@belay/core";
import type { Variables } from "./environment.ts";
import type { Explanation } from "./explain.ts";
import type { Kept } from "./kept.ts";
import type { LauncherMode } from "./launcher/launch.ts";
import type { Limits } from "./options.ts";
import type { Ask } from "./runners/runner.ts";
import type { InputSchema } from "./tool-schema.ts";

export interface EngineOptions {
  /** The agent's working folder; the current one if absent. */
  readonly cwd?: string;
  readonly sessionId?: string;
  /** Read exactly these files instead of the layers; they are trusted. */
  readonly configFiles?: readonly string[];
  /** Plugin folders (hooks/hooks.json); they are trusted. */
  readonly pluginDirs?: readonly string[];
  /** false reads the files once; else they are read again when they change. */
  readonly reload?: boolean;
  /** Read this dialect's files, and read every hook's output by it. */
  readonly dialect?: DialectName;
  /**
   * Hooks of a dialect that is named after a real system are read to its letter, with what it loses. For tools that say what
   * would happen there; where a step depends on the answer, leave it out: nothing that restricts is lost then.
   */
  readonly simulate?: boolean;
  /** The user's home; for tests and for hosts with another idea of it. */
  readonly home?: string;
  readonly env?: Variables;
  /** false writes no journal; a path writes it there. */
  readonly journal?: boolean | string;
  readonly limits?: Partial<Limits>;
  /**
   * true: a guard with `"onFailure": "block"` that was never trusted refuses. Without it such a guard does not run, and the
   * user is told.
   */
  readonly untrustedRefuse?: boolean;
  /** The folder in which the user types what messages name; that of this process if absent. */
  readonly typedIn?: string;
  /** The processes and threads of several engines, from `keepProcesses`. This engine's close() leaves them. */
  readonly kept?: Kept;
  /** How users call the command line, for the commands that messages name: "belay" if absent. */
  readonly program?: string;
  /**
   * Who starts the processes of command hooks. A fork takes as long as its parent is large, and the parent stands still
   * meanwhile: "on" starts them from a small companion process, "off" from this one, "auto" (the default) from the
   * companion once this process is large and has run a few.
   */
  readonly launcher?: LauncherMode;
  /**
   * false: the engine does not listen to SIGINT, SIGTERM, SIGHUP and SIGQUIT of the process. Else such a signal ends what
   * runs, every fire under way rejects, and the process dies of the signal unless it has a listener of its own.
   */
  readonly handleSignals?: boolean;
  /** Called when a hook starts and when it has ended, so that a screen can show what is being waited for. */
  readonly onHook?: (step: HookStep) => void;
  /** What was noted of a session by an engine before this one, for hosts that make one for each event. */
  readonly memory?: SessionMemory;
  /** Puts a prompt hook's question to a model; without it those hooks are faults. */
  readonly ask?: Ask;
}

/** Texts that are noted once for a session. */
export interface SessionMemory {
  has(session: string, what: string): boolean;
  add(session: string, what: string): void;
}

export interface HookStep {
  readonly phase: "start" | "end";
  readonly hook: string;
  readonly event: EventName;
  /** What its entry wants to be shown in place of its name. */
  readonly status?: string;
  /** Nobody waits for it. */
  readonly background?: true;
}

/** One configured hook, as the engine sees it now. */
export interface ListedHook {
  /** Tells it apart from all others, as long as its entry stays the same. */
  readonly id: string;
  readonly hook: Hook;
  readonly trusted: boolean;
}

export interface FireOptions {
  /** Aborting it ends the hooks; the fire then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The tool's own schema: a rewritten input that does not fit it denies the call. */
  readonly toolSchema?: InputSchema;
  /** Called once the event is matched, before any hook runs, with what `explain` would say; `fire` waits for it. */
  readonly onMatched?: (explanation: Explanation) => void | Promise<void>;
  /** Of a relay: the event was answered before. No hook is asked, and the record says what `relay` says. */
  readonly wasAnswered?: boolean;
  /** Of a relay: says what another agent is told of the outcome. `fire` waits for it, and the record keeps it. */
  readonly relay?: (outcome: Outcome) => Relayed | Promise<Relayed>;
  /** Milliseconds for all hooks together, `async` ones aside. A hook that has not answered by then has timed out. */
  readonly limitMs?: number;
}

/** Payload fields that the engine fills in where the caller leaves them out. */
type Filled = keyof typeof COMMON_INPUT | "stop_hook_active";
type Shown<T> = { [Name in keyof T]: T[Name] };
type Known<E extends EventName> = E extends EventName
  ? Shown<Omit<HookInput<E>, Filled> & Partial<Pick<HookInput<E>, Filled & keyof HookInput<E>>>>
  : never;

/**
 * What the caller knows of an event; other fields are handed on to hooks as they are. Of an event whose name is not known
 * before it fires, any object.
 */
export type EventInput<E extends EventName = EventName> = EventName extends E
  ? Record<string, unknown>
  : Known<E> & Record<string, unknown>;

/** An input may be left out where the event has no field that only the caller knows. */
type InputOf<E extends EventName, More extends unknown[] = []> = EventName extends E
  ? [input?: EventInput<E>, ...More]
  : Partial<Known<E>> extends Known<E>
    ? [input?: EventInput<E>, ...More]
    : [input: EventInput<E>, ...More];

export interface Engine {
  readonly project: string;
  readonly sessionId: string;
  readonly journalFolder: string | undefined;
  /** What was wrong with the config files when the engine was made. */
  readonly problems: readonly Diagnostic[];
  /**
   * Runs the hooks of an event and decides. Rejects when it is aborted: with the reason of its signal, or with an
   * `AbortError` where `close()` or a signal of the process ended it. No answer is no permission: do not take the step.
   */
  fire<E extends EventName>(event: E, ...rest: InputOf<E, [options?: FireOptions]>): Promise<Outcome>;
  /** Which hooks would fire, and why or why not; runs nothing. */
  explain<E extends EventName>(event: E, ...rest: InputOf<E>): Promise<Explanation>;
  /** What hooks have set for the commands of a session (CLAUDE_ENV_FILE); of this engine's own, if none is named. */
  variables(sessionId?: string): Variables;
  /** Every configured hook; one that was switched off is not enabled. */
  hooks(): Promise<readonly ListedHook[]>;
  /** Switches a hook off, or on again, for as long as this engine lives. */
  switchHook(id: string, on: boolean): void;
  /** Ends what is running and lets go of everything. Fires under way reject with an `AbortError`. */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** Milliseconds that `async` hooks still get to end by themselves; 0 if absent. */
  readonly waitMs?: number;
  /** Called with what the user should be told and no event can carry any more. */
  readonly onLate?: (diagnostic: Diagnostic) => void;
}
