import type { EventRecord, RecordedHook, RunReport } from "@belay/core";
import { clean, cleanOutput } from "@belay/core/clean";
import { opinionOf, saidBy, spanOf, summaryLine, whyNoAnswer, wordFor } from "@belay/core/compare";
import { type ReactNode, useMemo } from "react";
import type { HookRun } from "../api.ts";
import { countedFields, uncountedParts, type VerdictPart } from "../parts/counted-fields.ts";
import { classOf, Kind, signOf } from "../parts/elements.tsx";
import { briefNames, numbered, ticksTo, took, when } from "../parts/format.ts";
import { CountedJson, Output } from "../parts/json-view.tsx";
import { hrefOf } from "../state/route.ts";
import { Diagnostics } from "./decided.tsx";

/** Where something stands on an axis of this length. */
const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;

/** Every run as a bar on one axis, with what it printed below. */
export function Runs({
  record,
  reports,
}: {
  readonly record: EventRecord;
  readonly reports: readonly RunReport[];
}): ReactNode {
  const { hooks } = record;
  if (hooks.length === 0)
    return (
      <p className="aside">
        {record.agent === undefined
          ? "Nothing ran, so nothing was read."
          : "The log tells of no run with its time and its output."}
      </p>
    );
  const ticks = ticksTo(Math.max(1, spanOf(hooks)));
  const names = briefNames(hooks.map(({ name }) => name));
  return (
    <div className="runs">
      <p className="aside">
        A bar is one run: when it began and how long it took, counted from the start of the event’s hooks.
      </p>
      <div className="axis" aria-hidden="true">
        <span className="ticks">
          {ticks.map((tick) => (
            <span key={tick} style={{ left: percent(tick, ticks.at(-1) as number) }}>
              {tick === 0 ? "0" : took(tick)}
            </span>
          ))}
        </span>
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
            ticks={ticks}
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
  readonly ticks: readonly number[];
  readonly uncounted: ReadonlySet<VerdictPart>;
}

function RunLine({ record, hook, name, report, ticks, uncounted }: RunProps): ReactNode {
  const { after = 0, run } = hook;
  const end = ticks.at(-1) as number;
  const said = saidBy(report, record.event);
  const isOpen = record.hooks.length === 1 || said !== "abstain";
  return (
    <details className="run" open={isOpen}>
      <summary>
        <span className="name" title={clean(hook.name)}>
          {clean(name)}
        </span>
        <span className="track">
          {ticks.map((tick) => (
            <span key={tick} className="tick" style={{ left: percent(tick, end) }} />
          ))}
          <span
            className={`ran ${classOf(said)}`}
            style={{ left: percent(after, end), width: `max(3px, ${percent(run.executionTime, end)})` }}
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

function RunBody({ record, hook, report, uncounted }: Omit<RunProps, "name" | "ticks">): ReactNode {
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
    report.background ? "started, and not waited for" : undefined,
    report.observed ? "observe mode: for the record only" : undefined,
    hook.onFailure === "block" ? "a fault blocks" : undefined,
    report.adds && `adds ${report.adds.join(" and ")}`,
    report.background ? undefined : READ[report.read],
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

/** Of the bars, and of the signs below them; in pixels. */
const BAR_HEIGHT = 72;
const SIGN_HEIGHT = 18;
const MANY = 24;
/** Space above the highest line, for its label. */
const ABOVE = 8;

/** The last runs from left to right: how long each took, and below it what it said. */
export function RunPlot({ runs }: { runs: readonly HookRun[] }): ReactNode {
  if (runs.length === 0) return <p className="aside">No runs in the part of the journal that was read.</p>;
  const ticks = ticksTo(Math.max(...runs.map((run) => run.took)));
  const top = ticks.at(-1) as number;
  const level = (ms: number) => ABOVE + BAR_HEIGHT * (1 - ms / top);
  const said = runs.map((run) => (run.fault === undefined ? opinionOf(run) : "fault"));
  const kinds = [...new Set(said)];
  const across = (part: number) => percent(part, runs.length);
  const height = ABOVE + BAR_HEIGHT + SIGN_HEIGHT;
  return (
    <figure className={runs.length > MANY ? "plot many" : "plot"}>
      <figcaption>{inWords(runs)}</figcaption>
      <div className="chart">
        <svg className="scale" height={height} aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x="100%" y={level(tick) + 4} textAnchor="end">
              {tick === 0 ? "0" : took(tick)}
            </text>
          ))}
        </svg>
        <svg height={height} role="img">
          <title>{inWords(runs)}</title>
          {ticks.map((tick) => (
            <line key={tick} className="tick" x1="0" x2="100%" y1={level(tick)} y2={level(tick)} />
          ))}
          {numbered(runs).map(({ number, item: run }) => {
            const kind = said[number] ?? "abstain";
            const barTop = Math.min(level(run.took), level(0) - 2);
            return (
              <a
                key={number}
                className={`run-of ${classOf(kind)}`}
                href={hrefOf({ view: "event", event: run.key })}
              >
                <title>{`${when(run.time)}: ${cleanOutput(run.fault ?? wordFor(kind))}, ${took(run.took)}`}</title>
                <rect className="reach" x={across(number)} y={0} width={across(1)} height={height} />
                <rect x={across(number + 0.1)} y={barTop} width={across(0.8)} height={level(0) - barTop} />
                <text className="sign-of" x={across(number + 0.5)} y={height - 3} textAnchor="middle">
                  {signOf(kind)}
                </text>
              </a>
            );
          })}
        </svg>
        <p className="ends">
          <span>{when(runs[0]?.time ?? "")}</span>
          <span>{runs.length > 1 && when(runs.at(-1)?.time ?? "")}</span>
        </p>
      </div>
      <p className="legend">
        {kinds.map((kind) => (
          <span key={kind}>
            <Kind kind={kind} /> {said.filter((one) => one === kind).length}
          </span>
        ))}
      </p>
    </figure>
  );
}

function inWords(runs: readonly HookRun[]): string {
  const sorted = runs.map((run) => run.took).sort((a, b) => a - b);
  const upTo = (share: number) => took(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  if (sorted.length === 1) return `1 run, which took ${upTo(1)}`;
  return `${sorted.length} runs, the oldest on the left. A bar’s height is how long the run took: half of them up to ${upTo(0.5)}, 95 % up to ${upTo(0.95)}, the longest ${upTo(1)}.`;
}
