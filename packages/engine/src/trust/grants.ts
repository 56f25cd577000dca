import type { Config, HookSource } from "@belay/core";
import { hash } from "./fingerprint.ts";
import { fromProject, type Known, knownAs, needsTrust, readTrust, type Trusted } from "./store.ts";

/**
 * What a settings file of a project would loosen: an allow rule, or the mode that sessions begin in. Each is trusted by
 * itself: rules add up, so whoever trusts two of them one by one has trusted both.
 */
export interface Grant extends Known {
  /** As people read it: `allow Bash(npm test)`. */
  readonly what: string;
  readonly source: HookSource;
  /** What the store keeps of it once it is trusted. */
  readonly trusted: Trusted;
}

/** Every grant that needs the user's trust, in configured order. A restriction needs none, and is not here. */
export function grantsOf(configs: readonly Config[], project: string, home?: string): Grant[] {
  const wanted = configs.flatMap(({ permissions: { allow = [], defaultMode } = {} }) => [
    ...allow.map(({ text, source }) => ({ kind: "allow" as const, text, source })),
    ...(defaultMode
      ? [{ kind: "defaultMode" as const, text: defaultMode.mode, source: defaultMode.source }]
      : []),
  ]);
  const open = wanted.filter(needsTrust);
  const stored = open.length > 0 ? readTrust(project, home).trusted : [];
  return open.map(({ kind, text, source }) => {
    const trusted = trustedGrant(kind, text, source.file, project);
    return { what: `${kind} ${text}`, source, trusted, ...knownAs(trusted, stored) };
  });
}

/** One grant of a file, as the store keeps it. Another mode in the same file is a change; another rule is another rule. */
export function trustedGrant(
  kind: "allow" | "defaultMode",
  text: string,
  settings: string,
  project: string,
): Trusted {
  const file = fromProject(settings, project);
  const place = kind === "allow" ? `allow ${text}` : kind;
  const entry = JSON.stringify(["permissions", file, place]);
  const print = `${hash(entry).slice(0, 16)}.${hash(JSON.stringify([entry, text]))}`;
  return { print, file, place, fields: { [kind]: text }, scripts: {} };
}
