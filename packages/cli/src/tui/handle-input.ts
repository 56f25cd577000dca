import type { Agent } from "@belay/agent";
import { didYouMean } from "@belay/core/internal";

export interface ScreenActions {
  open(panel: Panel): void;
  leave(): void;
  say(notice: string): void;
  keep(text: string): void;
}

/** Is said only while it is true. */
export const AT_WORK = "The agent is at work: this can be sent when it is done";

export async function handleInput(agent: Agent, text: string, screen: ScreenActions): Promise<void> {
  const command = slashCommand(text);
  if (command?.kind === "panel") return screen.open(command.panel);
  if (command?.kind === "unknown") return screen.say(command.message);
  if (command?.kind === "exit") return screen.leave();
  if (agent.state.isBusy) {
    screen.keep(text);
    return screen.say(AT_WORK);
  }
  if (!command) await agent.send(text);
  else if (command.kind === "clear") await agent.clear();
  else if (agent.state.messages.length > 0) await agent.compact(command.instructions);
  else screen.say("There is nothing to compact yet");
}

export type Panel = "hooks" | "history" | "help";

export type SlashCommand =
  | { readonly kind: "panel"; readonly panel: Panel }
  | { readonly kind: "clear" }
  | { readonly kind: "exit" }
  | { readonly kind: "compact"; readonly instructions?: string }
  | { readonly kind: "unknown"; readonly message: string };

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
