import type { Config, HookSource } from "@belay/core";
import { sha256 } from "../ids.ts";
import { needsTrust, type TrustState, trustedPrints, trustState } from "./trust.ts";
import { fromProject, type Seen } from "./trust-seen.ts";

/**
 * What a settings file of a project would loosen: an allow rule, or the mode that sessions begin in. Each is trusted by
 * itself: rules add up, so whoever trusts two of them one by one has trusted both.
 */
export interface Grant {
  /** As people read it: `allow Bash(npm test)`. */
  readonly what: string;
  readonly source: HookSource;
  readonly print: string;
  readonly state: TrustState;
  readonly seen: Seen;
}

/** Every grant that needs the user's trust, in configured order. What restricts needs none, and is not here. */
export function grantsOf(configs: readonly Config[], project: string, home?: string): Grant[] {
  const wanted = configs.flatMap(({ permissions }) => [
    ...(permissions?.allow ?? []).map(({ text, source }) => ({ kind: "allow" as const, text, source })),
    ...(permissions?.defaultMode ? [modeOf(permissions.defaultMode)] : []),
  ]);
  const open = wanted.filter(needsTrust);
  if (open.length === 0) return [];
  const trusted = trustedPrints(project, home);
  return open.map(({ kind, text, source }) => {
    const print = grantPrint(kind, text, source.file, project);
    const seen = {
      file: fromProject(source.file, project),
      place: source.path,
      fields: { [kind]: text },
      scripts: {},
    };
    return { what: `${kind} ${text}`, source, print, state: trustState(print, trusted), seen };
  });
}

function modeOf({ mode, source }: { readonly mode: string; readonly source: HookSource }) {
  return { kind: "defaultMode" as const, text: mode, source };
}

/** The print of one grant of a file. Another mode in the same place is a change; another rule is another rule. */
export function grantPrint(
  kind: "allow" | "defaultMode",
  text: string,
  file: string,
  project: string,
): string {
  const place = fromProject(file, project);
  const entry = JSON.stringify(["permissions", place, kind, ...(kind === "allow" ? [text] : [])]);
  const whole = JSON.stringify([entry, text]);
  return `${sha256().update(entry).digest("hex").slice(0, 16)}.${sha256().update(whole).digest("hex")}`;
}
