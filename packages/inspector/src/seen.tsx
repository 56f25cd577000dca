import type { Message } from "@belay/core";
import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import { numbered } from "./format.ts";
import { Output } from "./json-view.tsx";

/** The two sides of one event. */
export function Seen({ messages }: { readonly messages: readonly Message[] }): ReactNode {
  return (
    <div className="sides">
      <Side title="The user saw" messages={messages.filter(({ to }) => to === "user")} />
      <Side title="The agent saw" messages={messages.filter(({ to }) => to === "agent")} />
    </div>
  );
}

function Side({
  title,
  messages,
}: {
  readonly title: string;
  readonly messages: readonly Message[];
}): ReactNode {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {messages.length === 0 && <p className="aside">nothing</p>}
      {numbered(messages).map(({ number, item: { hook, block } }) => (
        <div key={number} className={`block ${block.type}`}>
          <p className="speaker">
            {block.type === "tool" ? "tool, failed" : block.type}
            {hook !== "" && ` · ${clean(hook)}`}
          </p>
          <Output text={block.content} />
        </div>
      ))}
    </section>
  );
}
