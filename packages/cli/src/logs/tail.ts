import type { EventRecord } from "@belay/engine";
import { BELAY } from "../args/flags.ts";
import { drained, type Io } from "../io.ts";
import { recordFilter, sayNothing } from "../records/journal.ts";
import { type FromValues, findNamed, leftOutSayer, refuseMixed, wantedBy, whyNoEntry } from "./from.ts";
import { logRecords } from "./records.ts";

/** What shows records: of each it keeps what it needs, and prints what it kept. */
interface Printer<Kept> {
  keep(record: EventRecord): Kept;
  print(kept: readonly Kept[]): void;
}

/** How many are printed at once when all are asked for. */
const BATCH = 200;

/** `belay tail --from`: the session logs of other agents as a timeline. */
export async function tailFrom<Kept>(
  values: FromValues & { readonly json?: boolean },
  positionals: readonly string[],
  count: number,
  { keep, print }: Printer<Kept>,
  io: Io,
): Promise<number> {
  refuseMixed(values, positionals, {
    cwd: "--project DIR takes the sessions of one project",
    follow: `a log is read as it is now: ${BELAY} tail --from ${values.from}`,
  });
  const wanted = wantedBy(values, false);
  const { matches } = recordFilter(values);
  const found = findNamed(values, wanted);
  const leftOut = leftOutSayer();
  const records = logRecords(found, wanted, leftOut.add);
  let shown = 0;
  if (Number.isFinite(count)) {
    const kept = records.last(count, matches, keep);
    shown = kept.length;
    print(kept);
  } else {
    let batch: Kept[] = [];
    for await (const record of records.all(matches)) {
      shown += 1;
      batch.push(keep(record));
      if (batch.length < BATCH) continue;
      print(batch);
      batch = [];
      await drained();
    }
    print(batch);
  }
  if (shown === 0 && count > 0 && !values.json)
    for (const one of found) sayNothing(whyNoEntry("tail", one, values), io);
  leftOut.say(io);
  return 0;
}
