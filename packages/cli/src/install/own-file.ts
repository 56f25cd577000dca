import { basename } from "node:path";
import { shellWord } from "@belay/core/internal";
import { encode, type Harness, type PluginShape } from "@belay/harness";
import type { Entry, Found } from "./format.ts";
import { relayIn } from "./place.ts";

/*
 * Files that are ours from the first line to the last: a program for an event, or code that calls the relay.
 */

/** A program that is the relay. What gives no answer refuses, in words that are read of an exit 0. */
export function scriptText(harness: Harness, entries: readonly Entry[]): string {
  const { native = "", fields } = entries[0] ?? {};
  const reason = "Belay could not ask the hooks; next: belay doctor";
  const { stdout } = encode(harness, { native }, { decision: { kind: "deny", reason }, messages: [] });
  const refuse = stdout === "" ? "" : ` || printf %s ${shellWord(stdout)}`;
  return `#!/bin/sh\n# Written by belay install; belay uninstall ${harness.name} takes it away.\n${String(fields?.command)}${refuse}\n`;
}

/** Code that asks the relay at each event, and does what it says. What gives no answer refuses. */
export function pluginText(
  { name, title, settings: { limitMs } }: Harness,
  { before, handlers, after }: PluginShape,
  entries: readonly Entry[],
): string {
  const [entry] = entries;
  const relay = relayIn(String(entry?.fields.command))?.relay ?? "";
  const bodies = entries.map(({ native }) => handlers[native] ?? "");
  return `// Written by belay install: your hooks in ${title}. belay uninstall ${name} takes it away.
import { spawn } from "node:child_process";

const timeout = ${limitMs};

function ask(event, payload) {
  return new Promise((answer) => {
    const refuse = (why) => answer({ deny: true, reason: "Belay could not ask the hooks: " + why });
    const relay = spawn(${JSON.stringify(relay)}, [${JSON.stringify(name)}, event]);
    const late = setTimeout(() => relay.kill("SIGKILL"), timeout);
    let said = "";
    let words = "";
    relay.stdout.on("data", (part) => (said += part));
    relay.stderr.on("data", (part) => (words += part));
    relay.on("error", (error) => {
      clearTimeout(late);
      refuse(error.message);
    });
    relay.on("close", (code) => {
      clearTimeout(late);
      if (code !== 0) return refuse(words.trim() || "the relay ended with " + code);
      try {
        answer(said.trim() === "" ? {} : JSON.parse(said));
      } catch {
        refuse("the relay's answer is no JSON");
      }
    });
    relay.stdin.on("error", () => {});
    relay.stdin.end(JSON.stringify({ ...payload, hook_event_name: event }));
  });
}

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));

// The tool keeps the object it was given.
function replace(object, other) {
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, other);
}

${before}${bodies.join("")}${after}`;
}

const OURS = "Written by belay install";

export function isOwnFile(text: string): boolean {
  return text.slice(0, 200).includes(OURS);
}

/** The entries that a file of ours stands for. */
export function foundInOwn({ name, settings: { shape } }: Harness, file: string, text: string): Found[] {
  if (!isOwnFile(text)) return [];
  const found = (native: string, command: string) => ({ native, command, line: 1, fields: {} });
  if (shape.kind === "script")
    return [found(basename(file).replace(/\.sh$/, ""), /^[^#\n].*$/m.exec(text)?.[0] ?? "")];
  if (shape.kind !== "plugin") return [];
  const relay = /spawn\("((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "";
  return Object.entries(shape.handlers).flatMap(([native, body]) =>
    text.includes(body) ? [found(native, `${JSON.parse(`"${relay}"`)} ${name} ${native}`)] : [],
  );
}
