import type { Diagnostic } from "@belay/core";
import { plural } from "@belay/core/internal";
import type { EngineOptions, ExplainedMatch } from "@belay/engine";
import { findProject, homeFolder, trustCommand } from "@belay/engine/internal";
import { errorsIn, keptOff, unreadIn } from "../hooks/disabled.ts";
import { BELAY, nextCommand } from "../next-command.ts";
import { oneLine, shorten } from "../render/text.ts";

/** Hooks that a policy has and that could not be asked: each with the command that changes this. */
export interface Unasked {
  /** Notes what is not trusted of an event's hooks; whether anything is. */
  untrusted(hooks: readonly ExplainedMatch[], cwd: string): boolean;
  /** Notes what keeps hooks of a folder off; whether anything does. */
  unreadable(problems: readonly Diagnostic[], cwd: string): boolean;
  /** A sentence for each command. */
  said(): string[];
}

/** Names in a sentence, sentences, and characters of a name. */
const MAX_NAMES = 5;
const MAX_SAID = 3;
const MAX_NAME = 60;

export function unasked(options: EngineOptions): Unasked {
  const byCommand = new Map<string, { hooks: Set<string>; events: number }>();
  const broken = new Map<string, string>();
  return {
    untrusted: (hooks, cwd) => {
      if (hooks.length === 0) return false;
      const folders = { project: findProject(cwd), cwd, home: homeFolder() };
      const asker = { program: BELAY, dialect: options.dialect };
      const command = trustCommand(
        asker,
        folders,
        hooks.map(({ hook }) => hook),
      );
      const kept = byCommand.get(command) ?? { hooks: new Set(), events: 0 };
      for (const { hook } of hooks) kept.hooks.add(hook.name);
      kept.events += 1;
      byCommand.set(command, kept);
      return true;
    },
    unreadable: (problems, cwd) => {
      const [unread] = unreadIn(problems);
      const off = errorsIn(problems);
      const why = unread?.message ?? (off.length > 0 ? `in ${cwd} ${keptOff(off)}` : undefined);
      const { configFiles: config, pluginDirs: plugin, dialect } = options;
      if (why !== undefined) broken.set(nextCommand("check", { config, plugin, dialect, cwd }), why);
      return why !== undefined;
    },
    said: () =>
      capped([
        ...[...broken].map(([command, message]) => `${oneLine(message)}; next: ${command}`),
        ...[...byCommand].map(
          ([command, { hooks, events }]) =>
            `not trusted, and so not run on ${plural(events, "event")}: ${namesOf([...hooks])}; next: ${oneLine(command)}`,
        ),
      ]),
  };
}

function namesOf(hooks: readonly string[]): string {
  const named = hooks.slice(0, MAX_NAMES).map((name) => shorten(oneLine(name), MAX_NAME));
  const more = hooks.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function capped(sentences: readonly string[]): string[] {
  const more = sentences.length - MAX_SAID;
  return more > 0 ? [...sentences.slice(0, MAX_SAID), `and ${more} more of this kind`] : [...sentences];
}
