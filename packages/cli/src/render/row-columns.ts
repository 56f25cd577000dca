import { width } from "./text.ts";

export const GAP = 2;
/** A column of words, and the least of it that is worth its place. */
export const LEAST = { event: 4, about: 4, call: 8, hook: 12, reason: 16 };

/** What a row shows, column by column; how wide each is, and 0 leaves it out. */
export type Columns = ReturnType<typeof widths>;

export function widths() {
  return { when: 0, event: 0, about: 0, call: 0, decision: 0, hook: 0, took: 0, reason: 0 };
}

/** What is kept of a column where room is short. */
interface Least {
  readonly hook: number;
  /** Beside a call. */
  readonly reason: number;
}

/** The columns for rows of so much; where room is short, marks behind a decision set no width. */
export function sharedOut(room: number, widest: Columns & { readonly said: number }, kept: Least): Columns {
  const marked = shared(room, widest, kept);
  const isEnough = (Object.keys(marked) as (keyof Columns)[]).every((name) => {
    const { [name]: least = widest[name] }: Partial<Columns> = LEAST;
    return marked[name] >= Math.min(widest[name], least);
  });
  const marks = widest.decision - widest.said;
  return isEnough ? marked : shared(room, { ...widest, decision: widest.said }, kept, marks);
}

/** So much as marks stick out of their column is left behind it: for them a time goes, and words are cut to their least. */
function shared(columns: number, widest: Columns, kept: Least, marks = 0): Columns {
  const given = widths();
  let room = columns + GAP;
  const give = (name: keyof Columns, least: number, reserved = 0, spared = 0) => {
    const wanted = widest[name];
    const left = room - GAP - reserved;
    const most = Math.min(wanted, Math.max(left - spared, Math.min(left, least)));
    if (wanted === 0 || most < Math.min(wanted, least)) return;
    given[name] = most;
    room -= most + GAP;
  };
  give("decision", 1);
  // Which call it was says more than when it was, and than which hook.
  const call = Math.min(widest.call, LEAST.call);
  const hook = Math.min(widest.hook, LEAST.hook) + GAP;
  const about = marks > 0 && widest.about > 0 ? Math.min(widest.about, LEAST.about) + GAP : 0;
  if (call === 0) give("when", widest.when, marks > 0 ? LEAST.event + GAP + about + marks : 0);
  give("event", LEAST.event, call, about + marks);
  give("about", LEAST.about, call > 0 ? call + GAP : hook, Math.max(0, marks - hook));
  const reason =
    call > 0 && widest.reason > 0 && kept.reason > 0 ? Math.min(widest.reason, kept.reason) + GAP : 0;
  if (call > 0) {
    const when = reason > 0 ? widest.when + GAP : 0;
    const isRoomForBoth = room - GAP - hook - reason - when >= 2 * LEAST.call;
    give("call", LEAST.call, hook + reason + (isRoomForBoth ? when : 0));
    if (given.call === 0) give("call", LEAST.call);
    give("when", widest.when, hook + reason);
  }
  give("took", widest.took, hook + reason);
  give("hook", kept.hook, reason);
  // A reason is the hook's: it stands where that does.
  if (given.hook > 0) give("reason", LEAST.reason);
  return given;
}

/** Marks that set no width take the room behind them: of what follows in their row, what still fits is shown. */
export function besideMarks(
  room: number,
  columns: Columns,
  text: Readonly<Record<"decision" | "hook" | "reason", string>>,
): Columns {
  const decision = width(text.decision);
  if (decision <= columns.decision) return columns;
  const { when, event, about, call } = columns;
  const given = { ...widths(), when, event, about, call };
  let left = [when, event, about, call].reduce((rest, wide) => rest - (wide > 0 ? wide + GAP : 0), room);
  const give = (name: "decision" | "hook" | "reason", least: number) => {
    const wanted = width(text[name]);
    if (left < Math.min(wanted, least)) return;
    given[name] = Math.min(wanted, left);
    left -= given[name] + GAP;
  };
  give("decision", 1);
  give("hook", LEAST.event);
  give("reason", LEAST.reason);
  return given;
}
