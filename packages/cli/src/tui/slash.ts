import { didYouMean } from "@belay/core";

export type Panel = "hooks" | "history" | "help";

export type SlashCommand =
  | { readonly kind: "panel"; readonly panel: Panel }
  | { readonly kind: "clear" }
  | { readonly kind: "exit" }
  | { readonly kind: "compact"; readonly instructions?: string }
  | { readonly kind: "unknown"; readonly message: string };

/** What `/help` lists. */
export const SLASH_COMMANDS: Readonly<Record<string, string>> = {
  hooks: "every hook: where it is, what it did lately; space switches it on and off",
  history: "what hooks did in this session",
  compact: "put a summary in place of the conversation; what follows is to be kept",
  clear: "begin anew",
  help: "this list",
  exit: "end the session (Ctrl-D)",
};

/** A line that begins with a slash and a letter is a command; a path such as /etc/hosts is none. */
export function slashCommand(text: string): SlashCommand | undefined {
  const [, name, rest = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name === "hooks" || name === "history" || name === "help") return { kind: "panel", panel: name };
  if (name === "clear" || name === "exit") return { kind: name };
  if (name === "quit") return { kind: "exit" };
  if (name === "compact") return { kind: "compact", ...(rest !== "" && { instructions: rest }) };
  const guess = didYouMean(name, Object.keys(SLASH_COMMANDS));
  return { kind: "unknown", message: `there is no command /${name}${guess}; /help lists them` };
}
