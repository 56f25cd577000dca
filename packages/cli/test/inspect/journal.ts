import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { journalFolder } from "@belay/engine/internal";
import type { Scratch } from "../cli.ts";

export interface Written {
  readonly id: string;
  readonly decision?: string;
  readonly tool?: string;
  readonly command?: string;
  readonly stdout?: string;
  readonly event?: string;
  readonly session?: string;
  readonly time?: string;
  readonly prompt?: string;
}

/** A line of the journal, as an engine writes it. */
export function lineOf({
  id,
  decision = "none",
  tool = "Bash",
  command = "ls",
  stdout = "",
  event = "PreToolUse",
  session = "0b5e2f6c-8d7a-4c1b-9e3f-2a1b3c4d5e6f",
  time = "2026-11-15T10:00:00.000Z",
  prompt,
}: Written): string {
  const run = { exitCode: 0, stdout, stderr: "", executionTime: 12.5, timedOut: false, truncated: false };
  return `${JSON.stringify({
    version: 1,
    id,
    time,
    event,
    dialect: "wave",
    session,
    cwd: "/",
    hooks: [
      { name: "guard", onFailure: "continue", mode: "enforce", source: "/s.json:1", dialect: "wave", run },
    ],
    context: {},
    extra: [],
    outcome: {
      event,
      dialect: "wave",
      action: "continue",
      blocked: false,
      decision: { kind: decision },
      messages: [],
      diagnostics: [],
    },
    payload: {
      session_id: session,
      cwd: "/",
      hook_event_name: event,
      ...(prompt === undefined ? { tool_name: tool, tool_input: { command } } : { prompt }),
    },
  })}\n`;
}

/** Appends to a file of the project's journal; returns its folder. */
export function journal(room: Scratch, texts: readonly string[], name = "2026-11-15.jsonl"): string {
  const folder = journalFolder(room.project, room.home);
  mkdirSync(folder, { recursive: true });
  for (const text of texts) appendFileSync(join(folder, name), text);
  return folder;
}
