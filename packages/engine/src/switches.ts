import type { Hook } from "@belay/core";

/** Hooks that the user has switched off for as long as this engine lives; their files stay as they are. */
export interface Switches {
  set(id: string, on: boolean): void;
  /** The same hooks, those switched off with `enabled: false`. */
  apply(hooks: readonly Hook[]): readonly Hook[];
}

/** By what a hook is, not by where it stands: an edit of the file must not switch off another one. */
export function switchId({ event, matcher, identity, source }: Hook): string {
  return JSON.stringify([event, matcher.source, source.file, identity]);
}

export function switches(): Switches {
  const off = new Set<string>();
  return {
    set: (id, on) => {
      if (on) off.delete(id);
      else off.add(id);
    },
    apply: (hooks) =>
      off.size === 0
        ? hooks
        : hooks.map((hook) => (off.has(switchId(hook)) ? { ...hook, enabled: false } : hook)),
  };
}
