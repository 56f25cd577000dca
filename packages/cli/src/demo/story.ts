import type { Agent, Message } from "@belay/agent";
import { useHookEvents } from "@belay/react";
import { useEffect } from "react";
import { BLANK, type Line, prose } from "../tui/lines.tsx";
import { useCurrent } from "../tui/screen.ts";
import { decisionOn } from "../tui/store.ts";
import { scriptedAnswer } from "./print.ts";
import { titleOf } from "./render.ts";
import type { Step } from "./session.ts";

/** A session that is played on the screen of a chat. */
export interface Story {
  readonly steps: readonly Step[];
  /** Plays by itself, answers included, and leaves at the end. */
  readonly isFast: boolean;
}

/** A part of the story, and before which message of the conversation it stands. */
export interface Told {
  readonly id: string;
  readonly before: number;
  readonly title: string;
  readonly story: string;
}

/** Where a story stands. */
export interface Telling {
  readonly told: readonly Told[];
  /** What comes next, while the agent waits. */
  readonly next: Told | undefined;
  /** What the user of the story says next. */
  readonly prompt: string | undefined;
  /** Goes on with the story, if the agent is free and the story is not over. */
  advance(): void;
}

/** Time to read, when it plays by itself. */
const PAUSE_MS = 1_000;

/** Tells a story on the screen of an agent, one step each time it is asked to go on. */
export function useStory(story: Story | undefined, agent: Agent, leave: () => void): Telling {
  const { steps = [], isFast = false } = story ?? {};
  const [told, setTold] = useCurrent<readonly Told[]>(beginning(steps));
  const [answered, setAnswered] = useCurrent(0);
  const { isBusy, messages } = agent.state;
  const { pendingPermissions, resolvePendingPermission } = useHookEvents();
  const [question] = pendingPermissions;

  function advance(): void {
    const { state } = agent;
    const at = told().length;
    const prompt = steps[at]?.prompt;
    if (state.isBusy || prompt === undefined) return;
    setTold([...told(), partOf(steps, at, state.messages.length)]);
    setAnswered(0);
    void agent.send(prompt);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes on after a turn, and answers each question
  useEffect(() => {
    if (!isFast || (isBusy && question === undefined)) return undefined;
    const step = steps[told().length - 1];
    const goOn = () => {
      if (question !== undefined && step) {
        resolvePendingPermission(question.id, decisionOn(question, scriptedAnswer(step, answered())));
        setAnswered(answered() + 1);
      } else if (told().length < steps.length) advance();
      else leave();
    };
    const timer = setTimeout(goOn, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isBusy, question?.id]);
  return {
    told: told(),
    next: story && !isBusy ? partOf(steps, told().length, messages.length) : undefined,
    prompt: steps[told().length]?.prompt,
    advance,
  };
}

/** The steps in which nobody says anything have happened when the screen appears. */
function beginning(steps: readonly Step[]): readonly Told[] {
  const first = steps.findIndex(({ prompt }) => prompt !== undefined);
  return steps.slice(0, Math.max(0, first)).map((_, index) => partOf(steps, index, 0));
}

const THE_END = {
  title: "The end",
  story:
    "The folder and the hooks are still there: try them yourself with run …, read FILE, write FILE: …, or edit FILE: old -> new. /hooks lists the hooks and switches them off. q leaves.",
};

function partOf(steps: readonly Step[], index: number, before: number): Told {
  const step = steps[index];
  const part = step ? { title: titleOf(step, index, steps.length), story: step.story } : THE_END;
  return { id: `step ${index}`, before, ...part };
}

/** The first messages of a conversation, with what was told between them. */
export function withStory(messages: readonly Message[], told: readonly Told[]): (Message | Told)[] {
  const at = (index: number) => told.filter(({ before }) => before === index);
  return [...messages.flatMap((message, index) => [...at(index), message]), ...at(messages.length)];
}

export function storyLines({ title, story }: Told, columns: number): Line[] {
  const head = prose(title, columns, { color: "magenta", bold: true });
  return [...head, ...prose(story, Math.min(columns, 100), { color: "magenta" }), BLANK];
}
