import { diagnose } from "./diagnostics.ts";
import type { Diagnostic, Run } from "./types.ts";
import { brief } from "./wording.ts";

/** How interpreters say that what they were to run is not there. With 127, as bash ends, it is a fault already. */
const SAYINGS: readonly { readonly exitCode: number; readonly says: RegExp }[] = [
  { exitCode: 2, says: /^[^'\n]+: can't open file '([^'\n]+)': \[Errno / }, // python
  { exitCode: 2, says: /^\S+: \d+: (?:cannot|can't) open ([^\n]+?)(?:: No such file)?\s*$/i }, // dash
  { exitCode: 2, says: /^Can't open perl script "([^"\n]+)"/ },
  { exitCode: 1, says: /^Error: Cannot find module '([^'\n]+)'\n[\s\S]*requireStack: \[\]/m }, // node
];

/** They say it at once; a longer text is a hook's own. */
const LONGEST = 4096;

/** A hook that never ran has no opinion. Its exit code still counts, and whoever wonders at a deny is told where it is from. */
export function scriptNotFound({ exitCode, stdout, stderr }: Run, hook: string): Diagnostic[] {
  if ((exitCode !== 1 && exitCode !== 2) || stderr.length > LONGEST || stdout.trim() !== "") return [];
  for (const saying of SAYINGS) {
    const script = saying.exitCode === exitCode ? saying.says.exec(stderr)?.[1] : undefined;
    if (script !== undefined)
      return [diagnose("run-script-not-found", { code: exitCode, script: brief(script) }, { hook })];
  }
  return [];
}
