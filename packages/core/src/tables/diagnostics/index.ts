import type { Diagnostic } from "../../types.ts";
import type { EventName } from "../events.ts";
import { AGENT_ROWS } from "./agent.ts";
import { CONFIG_ROWS } from "./config.ts";
import { OUTPUT_ROWS, TOGETHER_ROWS } from "./output.ts";
import type { DiagnosticRow } from "./row.ts";
import { ENGINE_ROWS, PERMISSION_ROWS, RUN_ROWS } from "./run.ts";
import { SCRIPT_ROWS } from "./script.ts";

/** Every diagnostic. Codes are stable; docs/diagnostics.md is generated from this table. */
export const DIAGNOSTICS = {
  ...OUTPUT_ROWS,
  ...RUN_ROWS,
  ...TOGETHER_ROWS,
  ...CONFIG_ROWS,
  ...PERMISSION_ROWS,
  ...SCRIPT_ROWS,
  ...ENGINE_ROWS,
  ...AGENT_ROWS,
} as const satisfies Record<string, DiagnosticRow>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

export interface Where {
  readonly hook?: string;
  readonly path?: string;
  readonly event?: EventName;
  readonly about?: "hooks";
}

/** The names in braces; braces of JSON hold no bare word. */
type Holes<Text extends string> = Text extends `${string}{${infer Rest}`
  ? (Rest extends `${infer Name}}${string}` ? Word<Name> : never) | Holes<Rest>
  : never;
type Word<Name extends string> = Name extends `${string}${" " | '"' | "{"}${string}` ? never : Name;
type Row<Code extends DiagnosticCode> = (typeof DIAGNOSTICS)[Code];
/** The values that fill a row. */
export type Filling<Code extends DiagnosticCode> = Readonly<
  Record<Holes<Row<Code>["message"] | Row<Code>["fix"]>, string | number>
>;

/** Fills a row in. */
export function diagnose<Code extends DiagnosticCode>(
  code: Code,
  values: Filling<Code>,
  where: Where = {},
): Diagnostic {
  const row = DIAGNOSTICS[code];
  return {
    code,
    severity: row.severity,
    message: fill(row.message, values),
    fix: fill(row.fix, values),
    ...(where.hook !== undefined && { hook: where.hook }),
    ...(where.path !== undefined && { path: where.path }),
    ...(where.event !== undefined && { event: where.event }),
    ...(where.about !== undefined && { about: where.about }),
  };
}

/** Whether the user is shown this diagnostic as a warning when an event fires. */
export function isTold({ code }: Diagnostic): boolean {
  // A record of another version may have other codes.
  return Object.hasOwn(DIAGNOSTICS, code) && DIAGNOSTICS[code].told;
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
