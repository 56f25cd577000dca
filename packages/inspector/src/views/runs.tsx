import type { EventRecord, RecordedHook, RunReport } from "@belay/core";
import { clean, cleanOutput } from "@belay/core/clean";
import { opinionOf, saidBy, spanOf, summaryLine, whyNoAnswer, wordFor } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import { type ReactNode, useMemo } from "react";
import type { HookRun } from "../api.ts";
import { countedFields, uncountedParts, type VerdictPart } from "../parts/counted-fields.ts";
import { classOf, Kind, signOf } from "../parts/elements.tsx";
import { briefNames, numbered, took, when } from "../parts/format.ts";
import { CountedJson, Output } from "../parts/json-view.tsx";
import { hrefOf } from "../state/route.ts";
import { Diagnostics } from "./decided.tsx";

/** Every run as a bar on one axis, with what it printed below. */
export function Runs({
  record,
  reports,
}: {
  readonly record: EventRecord;
  readonly reports: readonly RunReport[];
}): ReactNode {
  const { hooks } = record;
  if (hooks.length === 0) return <p className="aside">Nothing ran, so nothing was read.</p>;
  const span = Math.max(1, spanOf(hooks));
  const names = briefNames(hooks.map(({ name }) => name));
  return (
    <div className="runs">
      <div className="axis" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{share === 0 ? "0" : took(span * share)}</span>
        ))}
      </div>
      {numbered(hooks).map(({ number, item: hook }) => {
        const report = reports[number];
        return report ? (
          <RunLine
            key={number}
            record={record}
            hook={hook}
            name={names[number] ?? hook.name}
            report={report}
            span={span}
            uncounted={uncountedParts(record, reports, number)}
          />
        ) : null;
      })}
    </div>
  );
}

interface RunProps {
  readonly record: EventRecord;
  readonly hook: RecordedHook;
  /** What it is called among the others. */
  readonly name: string;
  readonly report: RunReport;
  readonly span: number;
  readonly uncounted: ReadonlySet<VerdictPart>;
}

function RunLine({ record, hook, name, report, span, uncounted }: RunProps): ReactNode {
  const { after = 0, run } = hook;
  const percent = (part: number) => `${(100 * part) / span}%`;
  const said = saidBy(report, record.event);
  const isOpen = record.hooks.length === 1 || said !== "abstain";
  return (
    <details className="run" open={isOpen}>
      <summary>
        <span className="name" title={clean(hook.name)}>
          {clean(name)}
        </span>
        <span className="track">
          <span
            className={`ran ${classOf(said)}`}
            style={{ left: percent(after), width: `max(3px, ${percent(run.executionTime)})` }}
          />
        </span>
        <span className="took">{took(run.executionTime)}</span>
        <span className="verdict">
          <Kind kind={said} />
        </span>
      </summary>
      <RunBody record={record} hook={hook} report={report} uncounted={uncounted} />
    </details>
  );
}

const READ = {
  json: "read by its JSON",
  mixed: "JSON among other text: it can restrict, not allow",
  "exit-code": "read by its exit code",
};

function RunBody({ record, hook, report, uncounted }: Omit<RunProps, "name" | "span">): ReactNode {
  const { run } = hook;
  const counted = useMemo(
    () => countedFields(record.event, hook, report.read, uncounted),
    [record, hook, report, uncounted],
  );
  const failure = whyNoAnswer(report, record.event);
  const facts = [
    run.exitCode === undefined ? undefined : `exit ${run.exitCode}`,
    run.signal,
    run.timedOut ? "timed out" : undefined,
    run.truncated ? "output cut at its cap" : undefined,
    report.observed ? "observe mode: for the record only" : undefined,
    hook.onFailure === "block" ? "a fault blocks" : undefined,
    report.adds && `adds ${report.adds.join(" and ")}`,
    READ[report.read],
  ].filter((fact) => fact !== undefined);
  return (
    <div className="body">
      <p className="facts">
        {facts.join(" · ")} · {clean(hook.source)}
      </p>
      {failure !== undefined && (
        <p className="fault">
          {report.fault === undefined ? "No answer" : "Fault"}: {cleanOutput(summaryLine(failure))}
        </p>
      )}
      {run.failure && <p className="fault">{cleanOutput(run.failure.detail)}</p>}
      {report.read !== "mixed" && counted.length > 0 ? (
        <h3>stdout, as JSON</h3>
      ) : (
        <Stream name="stdout" text={run.stdout} />
      )}
      {report.read === "mixed" && counted.length > 0 && <h3>The JSON in it</h3>}
      {numbered(counted).map(({ number, item }) => (
        <CountedJson key={number} counted={item} />
      ))}
      <Stream name="stderr" text={run.stderr} />
      <Diagnostics of={record.outcome.diagnostics.filter((one) => one.hook === hook.name)} />
    </div>
  );
}

function Stream({ name, text }: { name: string; text: string }): ReactNode {
  if (text === "") return <p className="aside">{name}: nothing</p>;
  return (
    <>
      <h3>{name}</h3>
      <Output text={text} />
    </>
  );
}

/** Of the bars, of one run, and of the signs below the bars; in pixels. */
const BAR_HEIGHT = 44;
const RUN_WIDTH = 8;
const SIGN_HEIGHT = 14;

/** The last runs from left to right: how long each took, and below it what it said. */
export function RunPlot({ runs }: { runs: readonly HookRun[] }): ReactNode {
  if (runs.length === 0) return <p className="aside">No runs in the part of the journal that was read.</p>;
  const longest = Math.max(...runs.map((run) => run.took));
  const width = runs.length * RUN_WIDTH;
  return (
    <figure className="plot">
      <svg
        viewBox={`0 0 ${width} ${BAR_HEIGHT + SIGN_HEIGHT}`}
        width={width}
        height={BAR_HEIGHT + SIGN_HEIGHT}
        role="img"
      >
        <title>{`${plural(runs.length, "run")}; the longest took ${took(longest)}`}</title>
        {numbered(runs).map(({ number, item: run }) => {
          const height = Math.max(1, (BAR_HEIGHT * run.took) / longest);
          const said = run.fault === undefined ? opinionOf(run) : "fault";
          return (
            <a
              key={number}
              className={`run-of ${classOf(said)}`}
              href={hrefOf({ view: "event", event: run.key })}
            >
              <title>{`${when(run.time)}: ${cleanOutput(run.fault ?? wordFor(said))}, ${took(run.took)}`}</title>
              <rect
                className="reach"
                x={number * RUN_WIDTH}
                y={0}
                width={RUN_WIDTH}
                height={BAR_HEIGHT + SIGN_HEIGHT}
              />
              <rect
                x={number * RUN_WIDTH + 1}
                y={BAR_HEIGHT - height}
                width={RUN_WIDTH - 2}
                height={height}
              />
              <text
                className="sign-of"
                x={number * RUN_WIDTH + RUN_WIDTH / 2}
                y={BAR_HEIGHT + 11}
                textAnchor="middle"
              >
                {signOf(said)}
              </text>
            </a>
          );
        })}
      </svg>
      <figcaption>
        {quantiles(runs)} · {when(runs[0]?.time ?? "")} to {when(runs.at(-1)?.time ?? "")}
      </figcaption>
    </figure>
  );
}

function quantiles(runs: readonly HookRun[]): string {
  const sorted = runs.map((run) => run.took).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return `${plural(sorted.length, "run")}, p50 ${took(at(0.5))}, p95 ${took(at(0.95))}, longest ${took(sorted.at(-1) ?? 0)}`;
}
