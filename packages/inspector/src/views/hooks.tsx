import { clean } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import { type ReactNode, useState } from "react";
import type { InspectedHook } from "../api.ts";
import { Empty, Failure } from "../parts/elements.tsx";
import { when } from "../parts/format.ts";
import { client } from "../state/client.ts";
import { useAsked } from "../state/store.ts";
import { Diagnostics } from "./decided.tsx";
import { RunPlot } from "./runs.tsx";

/** Every hook of every layer, in the order in which they are asked. */
export function Hooks(): ReactNode {
  const [again, setAgain] = useState(0);
  const asked = useAsked(client.hooks, String(again));
  if (asked.state === "asking") return <p className="status">reading …</p>;
  if (asked.state === "failed") return <Failure error={asked.error} />;
  const { hooks, problems, unread, project, searched, unknown, since, files } = asked.value;
  return (
    <section className="hooks-view" aria-label="Hooks">
      <p className="status">
        {plural(hooks.length, "hook")} in {clean(project)} · runs from the last {plural(searched, "event")}
        {since !== undefined && `, since ${when(since)}`}
        {unknown > 0 && ` · without ${plural(unknown, "event")} that this version does not know`}{" "}
        <button type="button" onClick={() => setAgain(again + 1)}>
          Read again
        </button>
      </p>
      <Diagnostics of={problems} />
      {unread !== "" && <p className="aside unread">There are {clean(unread)}</p>}
      {hooks.length === 0 && problems.length === 0 && unread === "" && (
        <Empty
          title={
            files.length === 0 ? "No hooks are configured here." : "The files that were read hold no hooks."
          }
        >
          A first config and a first hook that works, in a terminal: <code>belay init</code>
        </Empty>
      )}
      {hooks.map((hook) => (
        <HookCard key={`${hook.source} ${hook.path}`} hook={hook} />
      ))}
    </section>
  );
}

function HookCard({ hook }: { hook: InspectedHook }): ReactNode {
  const { name, event, matcher, type, runs, layer, source, path, dialect, timeoutMs, mode, onFailure } = hook;
  const facts = [
    `${type} hook`,
    `dialect ${dialect}`,
    `at most ${timeoutMs / 1000} s`,
    ...(mode === "observe" ? ["observes only"] : []),
    ...(onFailure === "block" ? ["a fault blocks"] : []),
  ];
  return (
    <article className={hook.trusted && hook.enabled ? "hook" : "hook off"}>
      <header>
        <h2>{clean(name)}</h2>
        <p>
          {event}
          {matcher === "" ? "" : ` · ${clean(matcher)}`}
        </p>
        <p className="marks">
          <span className="mark">{layer}</span>
          <span className={hook.trusted ? "mark good" : "mark bad"}>
            {hook.trusted ? "✓ trusted" : `✗ not trusted: ${clean(hook.trust)}`}
          </span>
          {!hook.enabled && <span className="mark bad">✗ switched off</span>}
        </p>
      </header>
      <pre className="what">{clean(runs)}</pre>
      <p className="facts">
        {facts.join(" · ")} · <span className="place">{clean(source)}</span>{" "}
        <span className="place">({path})</span>
      </p>
      <RunPlot runs={hook.recent} />
    </article>
  );
}
