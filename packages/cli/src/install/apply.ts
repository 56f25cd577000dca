import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { makeFolder, statOf, targetOf, writeWholeSync } from "@belay/engine/internal";
import { structuredPatch } from "diff";
import type { Io } from "../io.ts";
import { clean, paintFor } from "../render/text.ts";
import type { Base } from "./place.ts";
import { type Change, read, shown } from "./plan.ts";
import { readInstalled, writeInstalled } from "./state.ts";

/** What differs between a file as it is and as it shall be. Nothing is shortened: a decision is made on it. */
export function renderChange(change: Pick<Change, "file" | "before" | "after">, base: Base, io: Io): string {
  const { file, before, after } = change;
  const paint = paintFor(io);
  const what = before === undefined ? "  new file" : after === undefined ? "  removed" : "";
  const target = targetOf(file);
  const link = target === file ? "" : `  (in truth ${shown(target, base)})`;
  const { hunks } = structuredPatch("", "", before ?? "", after ?? "", "", "", { context: 2 });
  const lines = hunks.flatMap((hunk) => hunk.lines).map((line) => line.replace(/\r$/, ""));
  const painted = lines.map((line) => {
    const color = line.startsWith("+") ? paint.green : line.startsWith("-") ? paint.red : paint.dim;
    return `  ${color(clean(line))}`;
  });
  return `${[`${paint.bold(shown(file, base))}${paint.dim(what + link)}`, ...painted].join("\n")}\n`;
}

/** What would be written. */
export function effective(changes: readonly Change[]): Change[] {
  return changes.filter(({ before, after }) => before !== after);
}

/** Refuses before the user is asked what could not be done afterwards. A superuser may write, and was not meant to. */
export function refuseReadOnly(changes: readonly Pick<Change, "file" | "before">[], base: Base): void {
  for (const { file, before } of changes) {
    const mode = before === undefined ? undefined : statOf(file)?.mode;
    if (mode !== undefined && (mode & 0o222) === 0)
      throw new UsageError(
        `${shown(file, base)} is read-only; nothing was changed`,
        "make it writable first",
      );
  }
}

/** Writes each file whole or not at all, and remembers it first: what stands in a file is always known. */
export function apply(changes: readonly Change[], base: Base): void {
  for (const { file, before } of changes)
    if (read(file, base) !== before)
      throw new UsageError(`${shown(file, base)} has changed meanwhile; nothing was written`, "run it again");
  for (const change of changes) {
    const installed = readInstalled(base.home);
    const { [change.file]: known, ...others } = installed;
    writeInstalled(base.home, change.written ? { ...others, [change.file]: change.written } : others);
    try {
      put(change);
    } catch (error) {
      writeInstalled(base.home, installed);
      throw new UsageError(`${shown(change.file, base)} cannot be written: ${messageOf(error)}`, "mend that");
    }
    if (change.after === undefined) removeFolders(known?.folders ?? []);
  }
}

function put({ file, before, after, mode }: Change): void {
  if (before === after) return;
  const target = targetOf(file);
  if (after === undefined) rmSync(target, { force: true });
  else {
    makeFolder(dirname(target), 0o755);
    writeWholeSync(target, after, mode);
  }
}

/** Folders that install has made, as far as nothing else is in them. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders)
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
}
