import { statSync } from "node:fs";
import type { Hook } from "@belay/core";
import type { Folders } from "../environment.ts";
import { contentOf } from "../file-content.ts";
import { sha256 } from "../ids.ts";
import { coveredFiles } from "./covered-files.ts";

/** What the trust in one hook is about. */
export interface Fingerprint {
  /** "<entry>.<whole>": the entry alone, then the entry with the content of every covered file. */
  readonly print: string;
  /** SHA-256 of each covered file, by its path. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Changes with every write to a covered file, even to one that is put back as it was. */
  readonly stamp: string;
  /** Why the hook cannot be trusted as it is. */
  readonly refusal?: string;
}

const entries = new WeakMap<Hook, string>();

/** The part of a print that an edit of a script leaves alone, up to the dot. */
export function entryPrint(hook: Hook): string {
  const known = entries.get(hook) ?? `${hash(entryText(hook)).slice(0, 16)}.`;
  entries.set(hook, known);
  return known;
}

/** Event, matcher and every field of the entry, normalised. */
function entryText({ event, matcher, sequential, identity }: Hook): string {
  return JSON.stringify([event, matcher.source, sequential, identity]);
}

/** The part of any print up to its dot. */
export function entryOf(print: string): string {
  return print.slice(0, print.indexOf(".") + 1);
}

/** Takes the fingerprint of a hook as it is now. Reads every covered file. */
export function fingerprint(hook: Hook, folders: Folders): Fingerprint {
  const { files, tooMuch } = coveredFiles(hook, folders);
  let refusal = tooMuch;
  const scripts: Record<string, string> = {};
  const stamps: string[] = [];
  for (const file of files) {
    const content = contentOf(file, (why) => {
      refusal ??= why;
    });
    scripts[file] = hash(content);
    stamps.push(stampOf(file));
  }
  const whole = hash(JSON.stringify([entryText(hook), Object.entries(scripts)]));
  return {
    print: entryPrint(hook) + (refusal === undefined ? whole : "refused"),
    scripts,
    stamp: stamps.join("\n"),
    ...(refusal !== undefined && { refusal }),
  };
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "missing";
  }
}

function hash(content: string | Buffer): string {
  return sha256().update(content).digest("hex");
}
