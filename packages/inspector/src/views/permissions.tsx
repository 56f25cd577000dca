import { clean, cleanOutput } from "@belay/core/clean";
import { type ReactNode, useState } from "react";
import type { AnswerKind, GivenAnswer, OpenSession } from "../api.ts";
import { Empty, Failure } from "../parts/elements.tsx";
import { Json } from "../parts/json-view.tsx";
import { asRefused, client, unreachable } from "../state/client.ts";
import { type KeptQuestion, keptWith, keyOf, openOf } from "../state/questions.ts";
import { useListener, useStore } from "../state/store.ts";
import { timeline } from "../state/timeline.ts";

/** The open questions of the chats that run on this machine, in the order in which they came up. */
export function Permissions(): ReactNode {
  const { live, sessions } = useStore(timeline);
  const { shown, clear } = useShown();
  const [said, setSaid] = useState("");
  if (live === "lost") return <Failure error={unreachable()} />;
  if (sessions.length === 0 && shown.length === 0)
    return (
      <Empty title="No chat is open.">
        Questions of a running <code>belay chat</code> can be answered here as well as in its terminal, and
        those of other agents in which <code>belay hook</code> stands. To start a chat:{" "}
        <code>belay chat</code>
      </Empty>
    );
  const open = openOf(shown);
  return (
    <section className="permissions" aria-label="Permissions" onMouseLeave={clear}>
      {/* Not with its question, which may be gone when the answer comes. */}
      <p className="said line" role="status" title={said}>
        {said}
      </p>
      {/* Above all that moves up when it is pressed. */}
      <div className="waiting aside">
        <p className="line">{waiting(open.length)}</p>
        <button type="button" hidden={open.length === shown.length} onClick={clear}>
          Clear what is over
        </button>
      </div>
      {shown.map((kept) => (
        <Question key={keyOf(kept)} kept={kept} tell={setSaid} />
      ))}
      {/* Below all that can be clicked: chats come and go. */}
      <ul className="chats" aria-label="Open chats">
        {sessions
          .filter(({ isOver }) => !isOver)
          .map((session) => (
            <li key={session.chat}>
              {session.agent === undefined ? "Open chat:" : "A call waits:"} <Chat of={session} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Chat({ of }: { of: Pick<OpenSession, "session" | "cwd" | "agent"> }): ReactNode {
  const { session, cwd, agent } = of;
  return (
    <>
      {agent !== undefined && `${clean(agent)} `}
      <code>{session.slice(0, 8)}</code> {/* Cut at its start: projects differ at the end. */}
      <small className="folder" title={clean(cwd)}>
        <bdi className="cwd" dir="ltr">
          {clean(cwd)}
        </bdi>
      </small>
    </>
  );
}

/**
 * The questions, each in its place, open or over, so that no click meant for one answers another. A question that is over
 * goes only when nobody can be about to press on it: the pointer leaves the list or the window, the page is hidden, or the
 * user clears it. Mouse events tell this, not pointer events: a finger "leaves" with every tap. No event tells that a list
 * appeared under a resting pointer, so the page never concludes that the pointer is elsewhere.
 */
function useShown() {
  const { sessions } = useStore(timeline);
  const [told, setTold] = useState(sessions);
  const [shown, setShown] = useState(() => keptWith([], sessions));
  if (told !== sessions) {
    setTold(sessions);
    setShown(keptWith(shown, sessions));
  }
  const clear = () => setShown(openOf);
  useListener(document.documentElement, "mouseleave", clear);
  useListener(document, "visibilitychange", () => document.visibilityState === "hidden" && clear());
  return { shown, clear };
}

function waiting(count: number): string {
  if (count === 0) return "Nothing waits for an answer.";
  return count === 1 ? "1 question waits for an answer." : `${count} questions wait for an answer.`;
}

/** What an answer allows, in the words of the terminal: for the session, the whole tool. */
function labelOf(kind: AnswerKind, toolName: string): string {
  const labels: Record<AnswerKind, string> = {
    once: "Allow once",
    session: `Allow ${clean(toolName)} for this session`,
    always: "Always allow",
    deny: "Deny",
  };
  return labels[kind];
}

function Question({ kept, tell }: { kept: KeptQuestion; tell: (said: string) => void }): ReactNode {
  const { chat, question, isOpen } = kept;
  const [reason, setReason] = useState("");
  const [given, setGiven] = useState<AnswerKind>();
  const isOver = !isOpen || given !== undefined;
  const state = isOver ? howItEnded(kept, given) : kept.isOver ? DENIED : "waits for an answer";
  const { toolName, toolInput, updatedInput, hook, rules, kinds } = question;
  const answer = async (kind: AnswerKind) => {
    setGiven(kind);
    try {
      const { counted, why } = await client.answer({
        chat,
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
    <article className={isOver ? "question over" : "question"}>
      <h2>
        May {kept.agent === undefined ? "the agent" : clean(kept.agent)} use <code>{clean(toolName)}</code>?
      </h2>
      <p className="line whose">
        Session <Chat of={kept} />
      </p>
      {/* As high, whatever is said in it later: nothing below may move. */}
      <p className="state" title={state}>
        {state}
      </p>
      <p>
        {cleanOutput(question.reason ?? "")}
        {hook !== undefined && <small> asked by {clean(hook)}</small>}
      </p>
      <Json value={updatedInput ?? toolInput} />
      {updatedInput && (
        <details>
          <summary>A hook has rewritten it; the agent wanted</summary>
          <Json value={toolInput} />
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
            {labelOf(kind, toolName)}
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
    </article>
  );
}

const DENIED = "denied, as nobody answered: allow the same call, if it comes again";

const PLACES: Record<GivenAnswer["where"], string> = { terminal: "in the terminal", page: "on another page" };

/** How a question ended: by an answer, with its turn, or by the answer to another question about the same call. */
function howItEnded(
  { end, isOver, question: { toolName } }: KeptQuestion,
  given: AnswerKind | undefined,
): string {
  if (given !== undefined) return `answered here: ${labelOf(given, toolName)}`;
  if (end === "chat-ended" && isOver) return "not open any more: answered elsewhere, or ten minutes are over";
  if (end === "chat-ended") return "not open any more: its chat has ended";
  if (end === "called-off") return "not open any more: called off, or covered by another answer";
  if (end === undefined)
    return "not open any more: answered in the terminal or on another page, or called off";
  return `answered ${PLACES[end.where]}: ${labelOf(end.kind, toolName)}`;
}
