import { clean, cleanOutput } from "@belay/core/clean";
import { type ReactNode, useState } from "react";
import type { AnswerKind, OpenQuestion, OpenSession } from "./api.ts";
import { client, unreachable } from "./client.ts";
import { Empty, Failure } from "./failure.tsx";
import { Text } from "./json-view.tsx";
import { useStore } from "./store.ts";
import { asRefused, timeline } from "./timeline-store.ts";

/** The open questions of the chats that run on this machine. */
export function Permissions(): ReactNode {
  const { sessions, live } = useStore(timeline);
  const [said, setSaid] = useState("");
  if (live === "lost") return <Failure error={unreachable()} />;
  if (sessions.length === 0)
    return (
      <Empty title="No chat is open.">
        Questions of a running <code>belay chat</code> can be answered here as well as in its terminal. To
        start one: <code>belay chat</code>
      </Empty>
    );
  return (
    <section className="permissions" aria-label="Permissions">
      {/* Not with its question, which is gone when someone else has answered it. */}
      <p className="said" role="status">
        {said}
      </p>
      {sessions.map((session) => (
        <article key={session.session}>
          <h2>
            Session <code>{session.session.slice(0, 8)}</code> <small>{clean(session.cwd)}</small>
          </h2>
          {session.questions.length === 0 ? (
            <p className="aside">Nothing waits for an answer.</p>
          ) : (
            session.questions.map((question) => (
              <Question key={question.id} session={session} question={question} tell={setSaid} />
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
  tell,
}: {
  readonly session: OpenSession;
  readonly question: OpenQuestion;
  readonly tell: (said: string) => void;
}): ReactNode {
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
      tell(`${clean(toolName)}: ${counted ? "answered" : (why ?? "it did not count")}`);
    } catch (error) {
      tell(asRefused(error).message);
    }
  };
  return (
    <div className="question">
      <h3>
        May the agent use <code>{clean(toolName)}</code>?
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
    </div>
  );
}
