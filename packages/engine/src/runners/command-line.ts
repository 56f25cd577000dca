import type { Handler } from "@belay/core";
import { type KnownFolders, withFolders } from "../environment.ts";
import type { ChildSpec } from "../process/child.ts";

type CommandHandler = Extract<Handler, { type: "command" }>;

/** What is run of a command hook: a line for the shell, or a program with its arguments; the folders are filled in. */
export function commandLine(
  { command, args, shell }: CommandHandler,
  folders: KnownFolders,
): Pick<ChildSpec, "command" | "args" | "shell"> {
  if (!args) return { command: withPluginRoot(command, folders.plugin), ...(shell === "bash" && { shell }) };
  return { command: withFolders(command, folders), args: args.map((word) => withFolders(word, folders)) };
}

/**
 * The variable is in the environment as well, but single quotes hide it there. A folder whose name means something to a
 * shell is left to the environment: it must not become a part of the command.
 */
function withPluginRoot(command: string, root: string | undefined): string {
  if (root === undefined || !/^[\w@%+=:,./ -]+$/.test(root)) return command;
  return command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => root);
}
