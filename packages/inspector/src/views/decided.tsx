import { type Diagnostic, type EventRecord, isRefused, type RunReport } from "@belay/core";
import { clean, cleanOutput } from "@belay/core/clean";
import { relayWords, summaryLine, whyNoAnswer } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import { Fragment, type ReactNode } from "react";
import { isDropped, isReplaced, lastRewriter } from "../parts/counted-fields.ts";
import { Kind } from "../parts/elements.tsx";
import { capital, numbered } from "../parts/format.ts";
import { Json, Output, Text } from "../parts/json-view.tsx";

/** What the verdicts came to, who gave none, and where they did not agree. */
export function Decided({
  record,
  reports,
  refuser,
}: {
  readonly record: EventRecord;
  readonly reports: readonly RunReport[];
  readonly refuser?: string | undefined;
}): ReactNode {
  const { outcome, hooks } = record;
  const { kind, reason, hook, interrupt } = outcome.decision;
  const { updatedInput, updatedPrompt } = outcome;
  const last = reports[lastRewriter(reports)];
  // A refusal that stands for a failure says itself what failed.
  const unanswered = reports.flatMap((report) => {
    const why = whyNoAnswer(report, record.event);
    return why === undefined || report.hook === hook ? [] : [{ hook: report.hook, why }];
  });
  const rewriter = last ? ` by ${clean(last.hook)}` : "";
  const rewrites = {
    input: updatedInput && <Json value={updatedInput} />,
    prompt: updatedPrompt !== undefined && <Text text={updatedPrompt} />,
  };
  const names = new Set(hooks.map(({ name }) => name));
  const shared = outcome.diagnostics.filter(({ hook: about }) => about === undefined || !names.has(about));
  return (
    <>
      <p className="decision">
        <Kind kind={kind} />{" "}
        {hook !== undefined ? <small>by {clean(hook)}</small> : refuser && <small>({refuser})</small>}
        {interrupt && <small> · ends the turn</small>}
      </p>
      {reason !== undefined && <Output text={reason} />}
      {numbered(unanswered).map(({ number, item: { hook, why } }) => (
        <p key={number} className="fault">
          {clean(hook)} gave no answer: {cleanOutput(summaryLine(why))}
        </p>
      ))}
      {record.relayed &&
        relayWords(record.relayed).map(({ words, looser }) => (
          <p key={words} className={looser ? "fault" : "aside"}>
            {clean(record.relayed?.agent ?? "")}: {clean(words)}
          </p>
        ))}
      {numbered(remarksOn(record, reports)).map(({ number, item }) => (
        <p key={number} className="aside">
          {clean(item)}
        </p>
      ))}
      {Object.entries(rewrites).map(
        ([what, rewritten]) =>
          rewritten && (
            <Fragment key={what}>
              <h3>
                The {what} was rewritten{rewriter} to
              </h3>
              {rewritten}
            </Fragment>
          ),
      )}
      <Diagnostics of={shared} />
    </>
  );
}

/** Where the verdicts did not agree, and what of them did not count: a text for each. */
function remarksOn(record: EventRecord, reports: readonly RunReport[]): string[] {
  const { decision, diagnostics } = record.outcome;
  const { kind } = decision;
  // What counted in another agent is what its log tells.
  if (record.agent !== undefined) return kind === "none" ? ["Its session log tells of no refusal."] : [];
  const voided = diagnostics.filter(({ code }) => code === "allow-voided");
  const capped = diagnostics.find(({ code }) => code === "stop-cap");
  const voices = reports.filter(
    ({ hook, verdict, observed }) =>
      verdict !== "abstain" && !observed && !(verdict === "allow" && voided.some((one) => one.hook === hook)),
  );
  const overruled = voices.filter(({ verdict }) => verdict !== kind);
  const agreed =
    overruled.length === 0
      ? `${plural(voices.length, "hook")} agreed.`
      : `They did not agree; the strictest has it. Overruled: ${overruled.map(({ hook, verdict }) => `${hook} (${verdict})`).join(", ")}`;
  const undecided = capped
    ? `What objected did not count: ${capped.message}.`
    : `No hook objected, ${voided.length > 0 ? "and no allow counted" : "none allowed"}: work went on by the usual rules.`;
  const uncarried = isRefused(kind) ? "A refusal carries none" : "It was not carried";
  return [
    ...(voices.length > 1 && !capped ? [agreed] : []),
    ...voided.map(({ message }) => `${capital(message)}. It did not count.`),
    ...(kind === "none" ? [undecided] : []),
    ...reports
      .filter((_, at) => isReplaced(record, reports, at))
      .map(({ hook }) => `Of several rewrites the last has it: that of ${hook} did not count.`),
    ...reports.flatMap(({ hook, adds = [], observed }, at) =>
      adds
        .filter((what) => !observed && isDropped(record, at, what))
        .map((what) => `${uncarried}: the ${what} of ${hook} did not count.`),
    ),
  ];
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
