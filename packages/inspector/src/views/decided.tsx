import { type Diagnostic, type EventRecord, isRefused, type RunReport } from "@belay/core";
import { clean } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import type { ReactNode } from "react";
import { isDropped, isReplaced, lastRewriter } from "../parts/counted-fields.ts";
import { Kind } from "../parts/elements.tsx";
import { numbered } from "../parts/format.ts";
import { Output, Text } from "../parts/json-view.tsx";

/** What the verdicts came to, and where they did not agree. */
export function Decided({
  record,
  reports,
}: {
  readonly record: EventRecord;
  readonly reports: readonly RunReport[];
}): ReactNode {
  const { outcome, hooks } = record;
  const { kind, reason, hook, interrupt } = outcome.decision;
  const voided = outcome.diagnostics.filter(({ code }) => code === "allow-voided");
  const capped = outcome.diagnostics.find(({ code }) => code === "stop-cap");
  const voices = reports.filter(
    ({ hook: name, verdict, observed }) =>
      verdict !== "abstain" && !observed && !(verdict === "allow" && voided.some((one) => one.hook === name)),
  );
  const overruled = voices.filter(({ verdict }) => verdict !== kind);
  const last = reports[lastRewriter(reports)];
  const rewriter = last ? ` by ${clean(last.hook)}` : "";
  const names = new Set(hooks.map(({ name }) => name));
  const shared = outcome.diagnostics.filter(({ hook: about }) => about === undefined || !names.has(about));
  return (
    <>
      <p className="decision">
        <Kind kind={kind} /> {hook !== undefined && <small>by {clean(hook)}</small>}
        {interrupt && <small> · ends the turn</small>}
      </p>
      {reason !== undefined && <Output text={reason} />}
      {voices.length > 1 && !capped && (
        <p className="aside">
          {overruled.length === 0
            ? `${plural(voices.length, "hook")} agreed.`
            : `They did not agree; the strictest has it. Overruled: ${overruled.map(({ hook: name, verdict }) => `${clean(name)} (${verdict})`).join(", ")}`}
        </p>
      )}
      {numbered(voided).map(({ number, item: { message } }) => (
        <p key={number} className="aside">
          {clean(sentence(message))} It did not count.
        </p>
      ))}
      {kind === "none" && (
        <p className="aside">
          {capped
            ? `What objected did not count: ${clean(capped.message)}.`
            : `No hook objected, ${voided.length > 0 ? "and no allow counted" : "none allowed"}: work went on by the usual rules.`}
        </p>
      )}
      {replacedIn(record, reports).map((name) => (
        <p key={name} className="aside">
          Of several rewrites the last has it: that of {clean(name)} did not count.
        </p>
      ))}
      {droppedBy(record, reports).map(({ name, what }) => (
        <p key={what + name} className="aside">
          {isRefused(kind) ? "A refusal carries none" : "It was not carried"}: the {what} of {clean(name)} did
          not count.
        </p>
      ))}
      {outcome.updatedInput && (
        <>
          <h3>The input was rewritten{rewriter} to</h3>
          <Text text={JSON.stringify(outcome.updatedInput, null, 2)} />
        </>
      )}
      {outcome.updatedPrompt !== undefined && (
        <>
          <h3>The prompt was rewritten{rewriter} to</h3>
          <Text text={outcome.updatedPrompt} />
        </>
      )}
      <Diagnostics of={shared} />
    </>
  );
}

function replacedIn(record: EventRecord, reports: readonly RunReport[]): string[] {
  return reports.flatMap(({ hook }, at) => (isReplaced(record, reports, at) ? [hook] : []));
}

function droppedBy(record: EventRecord, reports: readonly RunReport[]) {
  return reports.flatMap(({ hook: name, adds = [], observed }, at) =>
    observed ? [] : adds.filter((what) => isDropped(record, at, what)).map((what) => ({ name, what })),
  );
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

export function Diagnostics({ of: diagnostics }: { of: readonly Diagnostic[] }): ReactNode {
  if (diagnostics.length === 0) return null;
  return (
    <ul className="diagnostics">
      {numbered(diagnostics).map(({ number, item: { code, severity, message, fix, path } }) => (
        <li key={number} className={severity}>
          <strong>
            {severity}: {code}
          </strong>{" "}
          {clean(message)} {path !== undefined && <small>{clean(path)}</small>}
          <div>Fix: {clean(fix)}</div>
        </li>
      ))}
    </ul>
  );
}
