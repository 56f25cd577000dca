import { matching, plural, shellWord } from "@belay/core/internal";
import { type EventName, type ListedHook, UsageError } from "@belay/engine";
import { harnessNamed } from "@belay/harness";
import type { FlagValues } from "../../args/args.ts";
import { BELAY, type CONFIG_FLAGS, flagsOf, nextCommand } from "../../args/flags.ts";
import type { Io } from "../../io.ts";
import type { FromFlags } from "../../logs/from.ts";
import { filtersOf, type RecordFlags } from "../../records/journal.ts";
import { progressLine } from "../../render/progress.ts";
import { oneLine } from "../../render/text.ts";
import { eventsMeant, type Meant } from "./events.ts";
import { kindOf, looksAround } from "./tally.ts";

/** What the logs tell of, and what hooks would be asked: all that is known before anything runs. */
export interface Survey {
  readonly agents: Map<string, Map<EventName, number>>;
  readonly sessions: Set<string>;
  /** How often each hook would be asked. */
  readonly due: Map<ListedHook["hook"], number>;
  /** Events that are asked in a second world. */
  readonly kinds: Set<string>;
  first: string;
  last: string;
  events: number;
}

export async function surveyOf(
  meant: Meant,
  hooks: readonly ListedHook["hook"][],
  leaveOut: Parameters<typeof eventsMeant>[1],
  values: SurveyValues,
  io: Io,
): Promise<Survey> {
  const survey: Survey = {
    agents: new Map(),
    sessions: new Set(),
    due: new Map(),
    kinds: new Set(),
    first: "",
    last: "",
    events: 0,
  };
  const progress = progressLine(io, () => `${survey.events} events found …`, values);
  try {
    for await (const logged of eventsMeant(meant, leaveOut)) {
      const { agent = "", event, time, session, payload } = logged;
      survey.events += 1;
      survey.sessions.add(`${agent} ${session}`);
      if (survey.first === "" || time < survey.first) survey.first = time;
      if (time > survey.last) survey.last = time;
      const title = harnessNamed(agent)?.title ?? agent;
      const counts = survey.agents.get(title) ?? new Map<EventName, number>();
      survey.agents.set(title, counts.set(event, (counts.get(event) ?? 0) + 1));
      const { matched } = matching(hooks, event, payload);
      for (const hook of matched) survey.due.set(hook, (survey.due.get(hook) ?? 0) + 1);
      if (matched.some(looksAround)) survey.kinds.add(kindOf(logged));
    }
  } finally {
    progress.wipe();
  }
  if (survey.events === 0) throw nothingFound(meant, values);
  if (survey.due.size === 0)
    throw new UsageError(
      `none of the hooks fits any of ${plural(survey.events, "event")} of these logs`,
      `next: ${nextCommand("check", values)}`,
    );
  return survey;
}

function nothingFound({ found }: Meant, values: SurveyValues): UsageError {
  const folders = found
    .flatMap(({ place }) => place.folders)
    .map(oneLine)
    .join(", ");
  const filters = `${filtersOf(values)}${flagsOf(values, ["project"])}`.trim();
  const what = filters === "" ? "tells of an event" : `fits ${filters}`;
  return new UsageError(
    `no session log in ${folders} ${what}`,
    `next, to see what is there: ${BELAY} stats --from ${shellWord(values.from ?? "")}`,
  );
}

type SurveyValues = FromFlags & RecordFlags & FlagValues<typeof CONFIG_FLAGS> & { readonly json?: boolean };
