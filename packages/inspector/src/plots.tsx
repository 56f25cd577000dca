import { plural } from "@belay/core";
import { cleanOutput } from "@belay/core/clean";
import { opinionOf, wordFor } from "@belay/core/compare";
import type { ReactNode } from "react";
import type { HookRun } from "./api.ts";
import { numbered, took, whenOf } from "./format.ts";
import { hrefOf } from "./route.ts";
import { signOf } from "./signs.tsx";

const HEIGHT = 44;
const STEP = 8;
const SIGNS = 14;

/** The last runs from left to right: how long each took, and below it what it said. */
export function RunPlot({ runs }: { readonly runs: readonly HookRun[] }): ReactNode {
  if (runs.length === 0) return <p className="aside">No runs in the part of the journal that was read.</p>;
  const longest = Math.max(...runs.map((run) => run.took));
  const width = runs.length * STEP;
  return (
    <figure className="plot">
      <svg viewBox={`0 0 ${width} ${HEIGHT + SIGNS}`} width={width} height={HEIGHT + SIGNS} role="img">
        <title>{`${plural(runs.length, "run")}; the longest took ${took(longest)}`}</title>
        {numbered(runs).map(({ number, item: run }) => {
          const height = Math.max(1, (HEIGHT * run.took) / longest);
          const said = opinionOf(run);
          const kind = run.fault === undefined ? said : "faulty";
          return (
            <a key={number} href={hrefOf({ view: "event", event: run.key })}>
              <title>{`${whenOf(run.time)}: ${cleanOutput(run.fault ?? wordFor(said))}, ${took(run.took)}`}</title>
              <rect className="reach" x={number * STEP} y={0} width={STEP} height={HEIGHT + SIGNS} />
              <rect
                className={`bar-of ${kind}`}
                x={number * STEP + 1}
                y={HEIGHT - height}
                width={STEP - 2}
                height={height}
              />
              <text
                className={`sign-of ${kind}`}
                x={number * STEP + STEP / 2}
                y={HEIGHT + 11}
                textAnchor="middle"
              >
                {run.fault === undefined ? signOf(said) : "!"}
              </text>
            </a>
          );
        })}
      </svg>
      <figcaption>
        {quantiles(runs)} · {whenOf(runs[0]?.time ?? "")} to {whenOf(runs.at(-1)?.time ?? "")}
      </figcaption>
    </figure>
  );
}

function quantiles(runs: readonly HookRun[]): string {
  const sorted = runs.map((run) => run.took).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return `${plural(sorted.length, "run")}, p50 ${took(at(0.5))}, p95 ${took(at(0.95))}, longest ${took(sorted.at(-1) ?? 0)}`;
}
