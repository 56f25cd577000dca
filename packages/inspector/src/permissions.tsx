import { type ReactNode, useState } from "react";
import type { AnswerKind, OpenQuestion, OpenSession } from "./api.ts";
import { client } from "./client.ts";
import { Empty } from "./failure.tsx";
import { Text } from "./json-view.tsx";
import { useStore } from "./store.ts";
import { asRefused, timeline } from "./timeline-store.ts";

/** The open questions of the chats that run on this machine. */
export function Permissions(): ReactNode {
  const { sessions } = useStore(timeline);
  if (sessions.length === 0)
    return (
      <Empty title="No chat is open.">
        Questions of a running <code>belay chat</code> can be answered here as well as in its terminal. To
        start one: <code>belay chat</code>
      </Empty>
    );
  return (
    <section className="permissions" aria-label="Permissions">
      {sessions.map((session) => (
        <article key={session.session}>
          <h2>
            Session <code>{session.session.slice(0, 8)}</code> <small>{session.cwd}</small>
          </h2>
          {session.questions.length === 0 ? (
            <p className="aside">Nothing waits for an answer.</p>
          ) : (
            session.questions.map((question) => (
              <Question key={question.id} session={session} question={question} />
            ))
          )}
        </article>
      ))}
    </section>
  );
}

const LABELS: Record<AnswerKind, string> = {
  once: "Allow once",
  session: "Allow it for this session",
  always: "Always allow",
  deny: "Deny",
};

function Question({
  session,
  question,
}: {
  readonly session: OpenSession;
  readonly question: OpenQuestion;
}): ReactNode {
  const [said, setSaid] = useState("");
  const [reason, setReason] = useState("");
  const { toolName, toolInput, updatedInput, hook, rules, kinds } = question;
  const answer = async (kind: AnswerKind) => {
    try {
      const { counted, why } = await client.answer({
        session: session.session,
        question: question.id,
        kind,
        ...(kind === "deny" && reason !== "" && { reason }),
      });
      setSaid(counted ? "answered" : (why ?? "it did not count"));
    } catch (error) {
      setSaid(asRefused(error).message);
    }
  };
  return (
    <div className="question">
      <h3>
        May the agent use <code>{toolName}</code>?
      </h3>
      <p>
        {question.reason ?? ""}
        {hook !== undefined && <small> asked by {hook}</small>}
      </p>
      <Text text={JSON.stringify(updatedInput ?? toolInput, null, 2)} />
      {updatedInput && (
        <details>
          <summary>A hook has rewritten it; the agent wanted</summary>
          <Text text={JSON.stringify(toolInput, null, 2)} />
        </details>
      )}
      {kinds.includes("always") && <p className="aside">“Always” stores: {rules.join(", ")}</p>}
      <div className="tools">
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === "deny" ? "deny" : ""}
            onClick={() => void answer(kind)}
          >
            {LABELS[kind]}
          </button>
        ))}
        <input
          aria-label="Why not"
          placeholder="why not, for the agent"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      <p className="said" role="status">
        {said}
      </p>
    </div>
  );
}
