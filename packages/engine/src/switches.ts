import type { Hook } from "@belay/core";

/** Hooks that the user has switched on or off for as long as this engine lives; their files stay as they are. */
export interface Switches {
  set(id: string, on: boolean): void;
  /** The same hooks, as they were switched. */
  apply(hooks: readonly Hook[]): readonly Hook[];
}

/** By what a hook is, not by where it stands: an edit of the file must not switch off another one. */
export function switchId({ event, matcher, identity, source }: Hook): string {
  return JSON.stringify([event, matcher.source, source.file, identity]);
}

export function switches(): Switches {
  const given = new Map<string, boolean>();
  return {
    set: (id, on) => void given.set(id, on),
    apply: (hooks) =>
      given.size === 0
        ? hooks
        : hooks.map((hook) => ({ ...hook, enabled: given.get(switchId(hook)) ?? hook.enabled })),
  };
}
