import type { GivenAnswer, OpenQuestion, OpenSession } from "../api.ts";

export interface KeptQuestion extends Pick<OpenSession, "chat" | "session" | "cwd" | "agent" | "isOver"> {
  readonly question: OpenQuestion;
  readonly isOpen: boolean;
  /** How it ended, as far as the page is told. */
  readonly end?: GivenAnswer | "chat-ended" | "called-off" | undefined;
}

/**
 * The questions to show once the server has told of `sessions`. Known questions stay in their places, open or not; new ones
 * follow. So no question moves while someone is about to click.
 */
export function keptWith(shown: readonly KeptQuestion[], sessions: readonly OpenSession[]): KeptQuestion[] {
  const known = new Set(shown.map(keyOf));
  const stays = shown.map((kept) => {
    const session = sessions.find(({ chat }) => chat === kept.chat);
    const isOpen = session?.questions.some(({ id }) => id === kept.question.id) ?? false;
    if (isOpen === kept.isOpen) return kept;
    // A question is open again if the line to its chat was cut for a moment.
    return { ...kept, isOpen, end: isOpen ? undefined : endOf(kept, session) };
  });
  const asked = sessions.flatMap(({ questions, answered: _, ...session }) =>
    questions.map((question) => ({ ...session, question, isOpen: true })),
  );
  return [...stays, ...asked.filter((one) => !known.has(keyOf(one)))];
}

function endOf({ question }: KeptQuestion, session: OpenSession | undefined): KeptQuestion["end"] {
  if (!session) return "chat-ended";
  if (!session.answered) return undefined;
  return session.answered.find((given) => given.question === question.id) ?? "called-off";
}

export function keyOf({ chat, question }: KeptQuestion): string {
  return `${chat} ${question.id}`;
}

/** The questions that are open. */
export function openOf(shown: readonly KeptQuestion[]): KeptQuestion[] {
  return shown.filter(({ isOpen }) => isOpen);
}
