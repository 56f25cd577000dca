import type { Config, HookSource } from "@belay/core";
import { sha256 } from "../ids.ts";
import { fromProject, needsTrust, readTrust, type Trusted, type TrustState, trustState } from "./store.ts";

/**
 * What a settings file of a project would loosen: an allow rule, or the mode that sessions begin in. Each is trusted by
 * itself: rules add up, so whoever trusts two of them one by one has trusted both.
 */
export interface Grant {
  /** As people read it: `allow Bash(npm test)`. */
  readonly what: string;
  readonly source: HookSource;
  readonly state: TrustState;
  /** What the store keeps of it once it is trusted. */
  readonly trusted: Trusted;
}

/** Every grant that needs the user's trust, in configured order. What restricts needs none, and is not here. */
export function grantsOf(configs: readonly Config[], project: string, home?: string): Grant[] {
  const wanted = configs.flatMap(({ permissions }) => [
    ...(permissions?.allow ?? []).map(({ text, source }) => ({ kind: "allow" as const, text, source })),
    ...(permissions?.defaultMode ? [modeOf(permissions.defaultMode)] : []),
  ]);
  const open = wanted.filter(needsTrust);
  if (open.length === 0) return [];
  const read = readTrust(project, home);
  return open.map(({ kind, text, source }) => {
    const trusted = trustedGrant(kind, text, source.file, project);
    return { what: `${kind} ${text}`, source, state: trustState(trusted, read, new Set()), trusted };
  });
}

function modeOf({ mode, source }: { readonly mode: string; readonly source: HookSource }) {
  return { kind: "defaultMode" as const, text: mode, source };
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

function hash(text: string): string {
  return sha256().update(text).digest("hex");
}
