import type { DialectName, EventName } from "@belay/engine";
import type { Expect, Row } from "./row.ts";

const DIALECTS: readonly DialectName[] = ["wave", "session-hooks", "pact", "claude-code"];

/** One hook, read by each dialect. Raw stdout of exit 0 is shown in the transcript of session-hooks, last of the hook's texts. */
export function cells(
  setting: string,
  event: EventName,
  hook: { out?: string | object; err?: string; exit?: number },
  expected: Record<DialectName, Expect>,
): Row[] {
  return DIALECTS.map((dialect) => ({
    ref: `design §7 ${setting}: ${dialect}`,
    says: `${event} ${JSON.stringify(hook)}`,
    event,
    dialect,
    hook,
    expect: expected[dialect],
  }));
}

/** The same in every dialect. */
export const all = (expect: Expect): Record<DialectName, Expect> => ({
  wave: expect,
  "session-hooks": expect,
  pact: expect,
  "claude-code": expect,
});

/** Raw stdout in the transcript. */
export const shown = (out: object) => `user text: ${JSON.stringify(out)}`;
