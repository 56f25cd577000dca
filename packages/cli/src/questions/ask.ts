import { randomId } from "@belay/engine/internal";
import type { GivenAnswer } from "@belay/inspector/api";
import { type AskedCall, keepDenied, takeAllowed } from "./denied.ts";
import { questionOf } from "./question.ts";
import { type GivenLine, placeOf, serveQuestions } from "./serve.ts";

/** What a person said to a call. */
export interface Said {
  readonly allowed: boolean;
  /** "code": allowed beforehand. "nobody": nobody answered in time. */
  readonly by: GivenAnswer["where"] | "code" | "nobody";
  readonly reason?: string;
}

export interface Asking {
  readonly call: AskedCall;
  /** How long the agent waits from now on. */
  readonly limitMs: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  readonly home?: string | undefined;
}

/** So long somebody who looks has to come; a page looks for questions twice a second. */
const COME_MS = 2_000;

const NOBODY: Said = { allowed: false, by: "nobody" };

/**
 * Asks a person whether a call may run. Waits while a page or a terminal watches, as long as the agent does, and else two
 * seconds. Never rejects: whatever fails is a no. Of a call that nobody answered a person can still allow the next one.
 */
export async function askPerson(asking: Asking): Promise<Said> {
  const { call, signal, home } = asking;
  try {
    if (takeAllowed(call, home)) return { allowed: true, by: "code" };
    const said = (await openQuestion(asking)) ?? NOBODY;
    if (said.by === "nobody" && !signal?.aborted) keepDenied(call, home);
    return said;
  } catch {
    return NOBODY;
  }
}

async function openQuestion({ call, limitMs, signal, home }: Asking): Promise<Said | undefined> {
  const id = randomId();
  const open = [{ ...questionOf(call), id, timestamp: Date.now() }];
  let given: GivenAnswer | undefined;
  let reason: string | undefined;
  let isOver = false;
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let coming: NodeJS.Timeout | undefined;
  let isWatched = false;
  const waitForSomebody = () => {
    clearTimeout(coming);
    if (!isWatched && !isOver) coming = setTimeout(settle, COME_MS);
  };
  const served = await serveQuestions(
    {
      session: id,
      state: () => ({
        session: call.session,
        cwd: call.project,
        agent: call.title,
        questions: isOver ? [] : open,
        answered: given ? [given] : [],
      }),
      take: (line) => {
        const answer = isOver ? undefined : answerIn(line, id);
        if (!answer) return { counted: false, why: WHY_NOT };
        isOver = true;
        given = answer;
        if (typeof line.reason === "string" && line.reason !== "") reason = line.reason;
        settle();
        return { counted: true };
      },
      watched: (watchers) => {
        isWatched = watchers > 0;
        waitForSomebody();
      },
    },
    home,
  );
  if (!served) return undefined;
  waitForSomebody();
  signal?.addEventListener("abort", settle, { once: true });
  if (signal?.aborted) settle();
  const end = setTimeout(settle, Math.max(0, limitMs));
  await settled;
  isOver = true;
  clearTimeout(coming);
  clearTimeout(end);
  signal?.removeEventListener("abort", settle);
  served.end();
  return (
    given && { allowed: given.kind === "once", by: given.where, ...(reason !== undefined && { reason }) }
  );
}

const WHY_NOT = "the question is not open any more, or that is no answer";

function answerIn({ question, kind, where }: GivenLine, id: string): GivenAnswer | undefined {
  const isAnswer = question === id && (kind === "once" || kind === "deny");
  return isAnswer ? { question, kind, where: placeOf(where) } : undefined;
}
