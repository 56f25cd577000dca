import { auggie } from "./agents/auggie.ts";
import { claudeCode } from "./agents/claude-code.ts";
import { cline } from "./agents/cline.ts";
import { codex } from "./agents/codex.ts";
import { copilot } from "./agents/copilot.ts";
import { cursor } from "./agents/cursor.ts";
import { droid } from "./agents/droid.ts";
import { gemini } from "./agents/gemini.ts";
import { grok } from "./agents/grok.ts";
import { kimi } from "./agents/kimi.ts";
import { opencode } from "./agents/opencode.ts";
import { pi } from "./agents/pi.ts";
import { qwen } from "./agents/qwen.ts";
import type { Harness } from "./harness.ts";
import type { SessionLog } from "./logs/log.ts";

/** Every harness. A new one is a line here, a file in agents/ and its measured rows in fixtures/agents/. */
export const HARNESSES: readonly Harness[] = [
  claudeCode,
  codex,
  cursor,
  copilot,
  gemini,
  qwen,
  droid,
  grok,
  kimi,
  auggie,
  cline,
  opencode,
  pi,
];

export const harnessNames: readonly string[] = HARNESSES.map(({ name }) => name);

/** Variables by which a command knows that the tool of an agent runs it. */
export const callVariables: readonly string[] = HARNESSES.flatMap(({ inCalls = [] }) => inCalls);

export function harnessNamed(name: string): Harness | undefined {
  return HARNESSES.find((harness) => harness.name === name);
}

/** A harness whose session logs can be read. */
export type LoggingAgent = Harness & { readonly log: SessionLog };

export const loggingAgents: readonly LoggingAgent[] = HARNESSES.filter(
  (harness): harness is LoggingAgent => harness.log !== undefined,
);
