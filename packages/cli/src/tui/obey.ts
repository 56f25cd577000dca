import type { Agent } from "@belay/agent";
import { type Panel, slashCommand } from "./slash.ts";

/** What a line can do to the screen, besides what it does to the agent. */
export interface Reach {
  open(panel: Panel): void;
  leave(): void;
  say(notice: string): void;
  /** Back into the prompt: it could not be sent. */
  keep(text: string): void;
}

/** Is said only while it is true. */
export const AT_WORK = "The agent is at work: this can be sent when it is done";

/** Does what the user typed: a command of the screen, one for the agent, or a prompt. */
export async function obey(agent: Agent, text: string, screen: Reach): Promise<void> {
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
