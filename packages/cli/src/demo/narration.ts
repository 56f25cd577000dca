import type { Agent, Message } from "@belay/agent";
import { useHookEvents } from "@belay/react";
import { useEffect } from "react";
import { BLANK, type Line, prose } from "../tui/lines.tsx";
import { useCurrent } from "../tui/screen.ts";
import { decisionOn } from "../tui/store.ts";
import { scriptedAnswer } from "./print.ts";
import { type Step, titleOf } from "./script.ts";

export interface Playback {
  readonly steps: readonly Step[];
  /** Plays by itself, answers included, and leaves at the end. */
  readonly isFast: boolean;
}

/** The narration of one step, and the message of the conversation that it stands before. */
export interface Narrated {
  readonly id: string;
  readonly before: number;
  readonly title: string;
  readonly story: string;
}

export interface Narration {
  readonly told: readonly Narrated[];
  readonly next: Narrated | undefined;
  readonly prompt: string | undefined;
  /** Sends the next prompt, if the agent is free and there is one. */
  advance(): void;
}

const PAUSE_MS = 1_000;

/** Plays a script on the screen of an agent: one step at each `advance`, or all of them by itself. */
export function useNarration(playback: Playback | undefined, agent: Agent, leave: () => void): Narration {
  const { steps = [], isFast = false } = playback ?? {};
  const [told, setTold] = useCurrent<readonly Narrated[]>(beginning(steps));
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
    next: playback && !isBusy ? partOf(steps, told().length, messages.length) : undefined,
    prompt: steps[told().length]?.prompt,
    advance,
  };
}

/** The first steps without a prompt: they have happened when the screen appears. */
function beginning(steps: readonly Step[]): readonly Narrated[] {
  const first = steps.findIndex(({ prompt }) => prompt !== undefined);
  return steps.slice(0, Math.max(0, first)).map((_, index) => partOf(steps, index, 0));
}

const THE_END = {
  title: "The end",
  story:
    "The folder and the hooks are still there: try them yourself with run …, read FILE, write FILE: …, or edit FILE: old -> new. /hooks lists the hooks and switches them off. q leaves.",
};

function partOf(steps: readonly Step[], index: number, before: number): Narrated {
  const step = steps[index];
  const part = step ? { title: titleOf(step, index, steps.length), story: step.story } : THE_END;
  return { id: `step ${index}`, before, ...part };
}

export function withNarration(
  messages: readonly Message[],
  told: readonly Narrated[],
): (Message | Narrated)[] {
  const at = (index: number) => told.filter(({ before }) => before === index);
  return [...messages.flatMap((message, index) => [...at(index), message]), ...at(messages.length)];
}

export function narrationLines({ title, story }: Narrated, columns: number): Line[] {
  const head = prose(title, columns, { color: "magenta", bold: true });
  return [...head, ...prose(story, Math.min(columns, 100), { color: "magenta" }), BLANK];
}
