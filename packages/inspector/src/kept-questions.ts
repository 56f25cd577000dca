import type { OpenQuestion, OpenSession } from "./api.ts";

export interface KeptQuestion {
  readonly question: OpenQuestion;
  readonly isOpen: boolean;
}

export interface KeptSession {
  readonly session: string;
  readonly cwd: string;
  /** False when its chat has ended. */
  readonly isOpen: boolean;
  readonly questions: readonly KeptQuestion[];
}

/**
 * What is shown once the server has told of `sessions`: what was there stays where it was, open or not, and what is new
 * comes after it. So no question takes the place of another while someone is about to click.
 */
export function keptWith(shown: readonly KeptSession[], sessions: readonly OpenSession[]): KeptSession[] {
  const known = new Set(shown.map(({ session }) => session));
  const fresh = sessions.filter(({ session }) => !known.has(session));
  return [
    ...shown.map((kept) => {
      const now = sessions.find(({ session }) => session === kept.session);
      return { ...kept, isOpen: now !== undefined, questions: questionsWith(kept.questions, now) };
    }),
    ...fresh.map((now) => ({
      session: now.session,
      cwd: now.cwd,
      isOpen: true,
      questions: questionsWith([], now),
    })),
  ];
}

function questionsWith(shown: readonly KeptQuestion[], now: OpenSession | undefined): KeptQuestion[] {
  const open = new Map(now?.questions.map((question) => [question.id, question]));
  const stays = shown.map(({ question }) => ({ question, isOpen: open.has(question.id) }));
  for (const { question } of shown) open.delete(question.id);
  return [...stays, ...[...open.values()].map((question) => ({ question, isOpen: true }))];
}

/** Without what is over. */
export function openOf(shown: readonly KeptSession[]): KeptSession[] {
  return shown
    .filter(({ isOpen }) => isOpen)
    .map((kept) => ({ ...kept, questions: kept.questions.filter(({ isOpen }) => isOpen) }));
}

export function hasOpen(shown: readonly KeptSession[]): boolean {
  return shown.some(({ questions }) => questions.some(({ isOpen }) => isOpen));
}
