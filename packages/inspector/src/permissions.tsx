import { clean, cleanOutput } from "@belay/core/clean";
import { type ReactNode, useState } from "react";
import type { AnswerKind } from "./api.ts";
import { client, unreachable } from "./client.ts";
import { Empty, Failure } from "./failure.tsx";
import { Text } from "./json-view.tsx";
import { hasOpen, type KeptQuestion, type KeptSession, keptWith, openOf } from "./kept-questions.ts";
import { useStore } from "./store.ts";
import { asRefused, timeline } from "./timeline-store.ts";

/** The open questions of the chats that run on this machine. */
export function Permissions(): ReactNode {
  const { live } = useStore(timeline);
  const { shown, enter, leave } = useShown();
  const [said, setSaid] = useState("");
  if (live === "lost") return <Failure error={unreachable()} />;
  if (shown.length === 0)
    return (
      <Empty title="No chat is open.">
        Questions of a running <code>belay chat</code> can be answered here as well as in its terminal. To
        start one: <code>belay chat</code>
      </Empty>
    );
  return (
    <section className="permissions" aria-label="Permissions" onMouseEnter={enter} onMouseLeave={leave}>
      {/* Not with its question, which may be gone when the answer comes. */}
      <p className="said" role="status">
        {said}
      </p>
      {shown.map((session) => (
        <article key={session.session}>
          <h2>
            Session <code>{session.session.slice(0, 8)}</code> <small>{clean(session.cwd)}</small>
          </h2>
          <p className="aside">{waiting(session)}</p>
          {session.questions.map((kept) => (
            <Question key={kept.question.id} session={session} kept={kept} tell={setSaid} />
          ))}
        </article>
      ))}
    </section>
  );
}

/**
 * The questions, each in its place until the pointer has left them all. Where there is no pointer among them, those that are
 * over go with the last open one. Events of the mouse, as a finger "leaves" with every tap.
 */
function useShown() {
  const { sessions } = useStore(timeline);
  const [isInside, setIsInside] = useState(false);
  const [told, setTold] = useState(sessions);
  const [shown, setShown] = useState(() => keptWith([], sessions));
  if (told !== sessions) {
    const next = keptWith(shown, sessions);
    setTold(sessions);
    setShown(isInside || hasOpen(next) ? next : openOf(next));
  }
  const enter = () => setIsInside(true);
  const leave = () => {
    setIsInside(false);
    setShown(openOf);
  };
  return { shown, enter, leave };
}

function waiting({ isOpen, questions }: KeptSession): string {
  if (!isOpen) return "The chat has ended.";
  const count = questions.filter((kept) => kept.isOpen).length;
  if (count === 0) return "Nothing waits for an answer.";
  return count === 1 ? "1 question waits for an answer." : `${count} questions wait for an answer.`;
}

const LABELS: Record<AnswerKind, string> = {
  once: "Allow once",
  session: "Allow it for this session",
  always: "Always allow",
  deny: "Deny",
};

function Question({
  session,
  kept: { question, isOpen },
  tell,
}: {
  readonly session: KeptSession;
  readonly kept: KeptQuestion;
  readonly tell: (said: string) => void;
}): ReactNode {
  const [reason, setReason] = useState("");
  const [given, setGiven] = useState<AnswerKind>();
  const isOver = !isOpen || given !== undefined;
  const { toolName, toolInput, updatedInput, hook, rules, kinds } = question;
  const answer = async (kind: AnswerKind) => {
    setGiven(kind);
    try {
      const { counted, why } = await client.answer({
        session: session.session,
        question: question.id,
        kind,
        ...(kind === "deny" && reason !== "" && { reason }),
      });
      if (!counted) setGiven(undefined);
      tell(`${clean(toolName)}: ${counted ? "answered" : (why ?? "it did not count")}`);
    } catch (error) {
      setGiven(undefined);
      tell(asRefused(error).message);
    }
  };
  return (
    <div className={isOver ? "question over" : "question"}>
      <h3>
        May the agent use <code>{clean(toolName)}</code>?{isOver && <small> {howItEnded(given)}</small>}
      </h3>
      <p>
        {cleanOutput(question.reason ?? "")}
        {hook !== undefined && <small> asked by {clean(hook)}</small>}
      </p>
      <Text text={JSON.stringify(updatedInput ?? toolInput, null, 2)} />
      {updatedInput && (
        <details>
          <summary>A hook has rewritten it; the agent wanted</summary>
          <Text text={JSON.stringify(toolInput, null, 2)} />
        </details>
      )}
      {kinds.includes("always") && <p className="aside">“Always” stores: {clean(rules.join(", "))}</p>}
      <div className="tools">
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === "deny" ? "deny" : ""}
            disabled={isOver}
            onClick={() => void answer(kind)}
          >
            {LABELS[kind]}
          </button>
        ))}
        <input
          aria-label="Why not"
          placeholder="why not, for the agent"
          disabled={isOver}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
    </div>
  );
}

/** A question can also end without an answer, as when its turn is interrupted; the page is not told which it was. */
function howItEnded(given: AnswerKind | undefined): string {
  if (given !== undefined) return `answered here: ${LABELS[given]}`;
  return "not open any more: answered in the terminal or on another page, or called off";
}
