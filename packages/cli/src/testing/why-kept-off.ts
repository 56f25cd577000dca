import { type Diagnostic, type EventName, plural } from "@belay/core";
import { shownPath } from "@belay/engine/tools";
import { errorsIn, unreadIn } from "../kept-off.ts";
import { asTyped, nextCommand } from "../next.ts";
import type { TestCase } from "./case-file.ts";
import type { HookOptions } from "./hooks-of.ts";

/**
 * Why a case has nothing to say of its config: an error there keeps hooks of its event off, and what is off refuses nothing.
 * A case that is about the error expects its code.
 */
export function whyKeptOff(
  problems: readonly Diagnostic[],
  { file, expect = {} }: TestCase,
  event: EventName,
  { configFiles: config, pluginDirs: plugin, dialect }: HookOptions = {},
): string | undefined {
  const unread = unreadIn(problems);
  const [first, ...others] = [...unread, ...errorsIn(problems, event)].filter(
    (problem) => !expect.diagnostics?.includes(problem.code),
  );
  if (first === undefined) return undefined;
  // A file that cannot be read is named in the message already.
  const place =
    first.path === undefined || unread.includes(first) ? "" : `${shownPath(first.path, file.folder)}: `;
  const check = () => nextCommand("check", { config: typed(config), plugin: typed(plugin), dialect });
  const more = others.length > 0 ? ` And ${plural(others.length, "error")} more; next: ${check()}` : "";
  return `${place}${first.message}; fix: ${asTyped(first.fix)}${more}`;
}

/** From where the command is given. */
function typed(paths: readonly string[] = []): string[] {
  return paths.map((path) => shownPath(path, process.cwd()));
}
