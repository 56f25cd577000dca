import { show } from "../tui/start.tsx";
import { openAgent } from "./print.ts";
import type { Session, Stage } from "./session.ts";

/** Plays the session in the terminal, with a person who answers and may talk in between. */
export async function showDemo(
  { steps }: Session,
  stage: Stage,
  isFast: boolean,
  left: AbortSignal,
): Promise<void> {
  const agent = await openAgent(stage);
  try {
    if (!left.aborted) await show(agent, false, { story: { steps, isFast } });
  } finally {
    await agent.close("prompt_input_exit");
  }
}
