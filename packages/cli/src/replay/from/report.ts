import { wordFor } from "@belay/core/compare";
import { whatRuns, withoutPlace } from "@belay/core/internal";
import type { ListedHook } from "@belay/engine";
import type { Io } from "../../io.ts";
import { briefly } from "../../render/brief.ts";
import { count, daysOf, duration, many, some } from "../../render/numbers.ts";
import { byWhom } from "../../render/refused.ts";
import { type Column, tableLines } from "../../render/table.ts";
import { recordLines, type TailRow } from "../../render/tail.ts";
import { hang, oneLine, outputLine, paintFor, shorten, wrap } from "../../render/text.ts";
import type { Survey } from "./survey.ts";
import type { AskedHook, Changed, News } from "./tally.ts";

/** What is about to be run, as a person agrees to it. */
export interface Plan {
  readonly survey: Survey;
  /** Of the events, how many hooks are asked of. */
  readonly asks: number;
  readonly hooks: readonly ListedHook["hook"][];
  readonly parallel: number;
}

export interface Summary extends Readonly<Record<News, number>> {
  readonly agents: readonly string[];
  readonly events: number;
  /** All that the logs tell of; more than `events` with --sample. */
  readonly of: number;
  readonly sessions: number;
  readonly first: string;
  readonly last: string;
  readonly ms: number;
}

/** Milliseconds that a run mostly takes: a process has to start, a question goes to a server. */
const USUAL_MS: Readonly<Record<string, number>> = { command: 60, http: 60, module: 1 };
const LEAST_MS = 0.1;

const MAX_HOOKS = 20;

/** How many events of which agents and which time, which hooks, where they run, and how long it takes. */
export function renderPlan({ survey, asks, hooks, parallel }: Plan, io: Io): string {
  const { events, sessions, first, last, due } = survey;
  const share = asks / events;
  const agents = [...survey.agents].map(([title, counts]) => {
    const most = [...counts].sort(([, a], [, b]) => b - a);
    return `${title}: ${most.map(([event, n]) => `${count(n)} ${event}`).join(", ")}`;
  });
  const asked = hooks.filter((hook) => due.has(hook));
  const shown = asked.slice(0, MAX_HOOKS);
  const perRun = asked.reduce(
    (sum, hook) => sum + (due.get(hook) ?? 0) * (USUAL_MS[hook.handler.type] ?? LEAST_MS),
    0,
  );
  const ms = (perRun * (share + survey.kinds.size / events)) / parallel;
  const them = asked.length === 1 ? "it" : "them";
  return [
    ...wrap(
      `${many(events, "event")} of ${many(sessions.size, "session")}, ${daysOf(first, last)}`,
      io.columns,
    ),
    ...agents.flatMap((text) => hang("  ", text, io.columns)),
    ...(asks < events ? wrap(`Of these, ${count(asks)} are taken evenly.`, io.columns) : []),
    ...wrap(
      `${many(asked.length, "hook")} will be run on ${them === "it" ? "what it fits" : "what they fit"}, ${parallel} at a time, in scratch folders with a scratch HOME. Nothing of a session is executed.`,
      io.columns,
    ),
    ...shown.flatMap((hook) =>
      hang("  ", `${nameOf(hook)}, ${many(Math.ceil((due.get(hook) ?? 0) * share), "event")}`, io.columns),
    ),
    ...(asked.length > shown.length ? [`  and ${asked.length - shown.length} more`] : []),
    `This takes about ${ms < 2000 ? "a second or two" : duration(Math.ceil(ms / 1000) * 1000)}.`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function nameOf({ event, name, handler }: ListedHook["hook"]): string {
  const runs = oneLine(whatRuns(handler));
  const plain = oneLine(withoutPlace(name));
  return `${event}  ${plain === runs ? runs : `${plain}  ${shorten(runs, 60)}`}`;
}

/** Of each change and hook, as many. What loosened is not left out for anything else. */
const MAX_EACH = 5;
const MAX_LOOSENED = 30;
const ORDER: readonly News[] = ["loosened", "denied", "asked", "rewritten"];

/** Keeps the first of each change that each hook made. */
export function examples() {
  const kept = new Map<string, Changed[]>();
  let left = 0;
  return {
    add: (changed: Changed) => {
      const { change, hook, event } = changed;
      const key = change === "loosened" ? change : `${change} ${event} ${hook}`;
      const some = kept.get(key) ?? [];
      kept.set(key, some);
      if (some.length < (change === "loosened" ? MAX_LOOSENED : MAX_EACH)) some.push(changed);
      else left += 1;
    },
    shown: () => [...kept.values()].flat().sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change)),
    more: () => left,
  };
}

const LABELS: Record<News, string> = {
  loosened: "loosened",
  denied: "newly denied",
  asked: "newly asked",
  rewritten: "rewritten",
};

const MAX_REASON = 200;

function rowOf(changed: Changed): TailRow {
  const {
    time,
    event,
    about = "",
    call,
    change,
    decision,
    hook = "",
    reason = "",
    rewrite,
    before,
  } = changed;
  const said = [
    change === "rewritten" && rewrite !== undefined ? `→ ${oneLine(rewrite)}` : outputLine(reason),
    before ? refusalText(before) : "",
  ];
  return {
    time: new Date(time),
    event: briefly(event),
    about: briefly(about),
    call,
    decision: change === "loosened" ? "deny" : decision,
    said: change === "loosened" ? `loosened: ${wordFor(decision)}` : LABELS[change],
    hook: briefly(withoutPlace(hook)),
    reason: shorten(said.filter((text) => text !== "").join("; "), MAX_REASON),
  };
}

function refusalText({ refusedBy, hook, reason }: NonNullable<Changed["before"]>): string {
  const who = byWhom(refusedBy, hook, "the agent");
  return `then refused ${who}${reason ? `: ${outputLine(reason)}` : ""}`;
}

const COLUMNS: readonly Column<AskedHook>[] = [
  { title: "event", text: ({ event }) => event },
  { title: "runs", text: ({ runs }) => count(runs) },
  { title: "denies", text: ({ denies }) => some(denies) },
  { title: "asks", text: ({ asks }) => some(asks) },
  { title: "allows", text: ({ allows }) => some(allows) },
  { title: "rewrites", text: ({ rewrites }) => some(rewrites) },
  { title: "context", text: ({ context }) => some(context) },
  { title: "failed", text: ({ failed }) => some(failed) },
  {
    title: "decidable",
    text: ({ verdict }) => (verdict === undefined ? "–" : verdict === "decidable" ? "yes" : "no"),
  },
];
const DROPPED = ["allows", "event", "context", "rewrites", "failed", "asks"];

const named = ({ hook }: Pick<AskedHook, "hook">) => oneLine(withoutPlace(hook));

/** What hooks would have said: per hook, then examples, then what to keep in mind. */
export function renderFrom(
  summary: Summary,
  hooks: readonly AskedHook[],
  rows: ReturnType<typeof examples>,
  io: Io,
): string {
  const paint = paintFor(io);
  const { events, of, sessions, first, last, agents, loosened, denied, asked, rewritten } = summary;
  const share = events < of ? ` of ${count(of)}` : "";
  const head = `${agents.join(", ")}, ${daysOf(first, last)}: ${count(events)}${share} events of ${many(sessions, "session")} asked again in ${duration(summary.ms)}`;
  const news = [
    [denied, "newly denied"],
    [asked, "newly asked"],
    [rewritten, "rewritten"],
  ] as const;
  const became = news.flatMap(([n, what]) => (n > 0 ? `${count(n)} ${what}` : []));
  const lines = recordLines(io, "under")(rows.shown().map(rowOf), new Date());
  const worldly = hooks.filter(({ verdict }) => verdict === "needs the world as it was");
  const failing = hooks.filter(({ failed }) => failed > 0);
  const parts = [
    wrap(head, io.columns).map(paint.bold),
    tableLines(hooks, { title: "hook", text: named }, COLUMNS, DROPPED, io),
    lines === "" ? [] : lines.trimEnd().split("\n"),
    [
      ...(rows.more() > 0
        ? wrap(`and ${many(rows.more(), "event")} more; --json lists them all`, io.columns)
        : []),
      ...wrap(
        became.length === 0 ? "nothing would be denied, asked or rewritten that was not" : became.join(", "),
        io.columns,
      ),
      ...(loosened > 0
        ? wrap(`${count(loosened)} loosened: refused then, and would pass now`, io.columns).map(paint.red)
        : []),
      ...(worldly.length > 0
        ? wrap(
            `not decidable: ${[...new Set(worldly.map(named))].join(", ")}. In another scratch folder the answer was another: it needs the world as it was then`,
            io.columns,
          ).map(paint.yellow)
        : []),
      ...failing.flatMap(({ failed, runs, failure = "", ...hook }) =>
        wrap(
          `${named(hook)} gave no answer ${failed === runs ? "at all" : `to ${count(failed)} of ${count(runs)}`}: ${shorten(outputLine(failure), MAX_REASON)}`,
          io.columns,
        ).map(paint.red),
      ),
    ],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}
