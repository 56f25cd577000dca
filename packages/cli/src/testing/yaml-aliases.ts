import type { EVENT_ID, Event } from "js-yaml";

/** Characters that all aliases of a file may stand for. */
const MAX_REPEATED = 16 * 1024 * 1024;
const TOO_MUCH = `what its aliases stand for adds up to more than ${MAX_REPEATED} characters; repeat less of it`;

interface Flaw {
  readonly offset: number;
  readonly detail: string;
}

interface Open {
  readonly anchor: string;
  size: number;
}

/**
 * What aliases repeat, where it is too much: ten short lines of aliases of aliases stand for more values than anybody can
 * walk. Found without walking them: an anchor is weighed once, in the order of the text.
 */
export function aliasFlaw(text: string, events: readonly Event[], ids: typeof EVENT_ID): Flaw | undefined {
  const sizes = new Map<string, number>();
  const open: Open[] = [];
  let repeated = 0;
  const add = (anchor: string, size: number) => {
    if (anchor !== "") sizes.set(anchor, size);
    const around = open.at(-1);
    if (around) around.size += size;
  };
  for (const event of events) {
    const anchor = "anchorStart" in event ? text.slice(event.anchorStart, event.anchorEnd) : "";
    if (event.type === ids.POP) {
      const closed = open.pop();
      if (closed) add(closed.anchor, closed.size);
    } else if (event.type === ids.SCALAR) add(anchor, event.valueEnd - event.valueStart + 1);
    else if (event.type !== ids.ALIAS) open.push({ anchor, size: 1 });
    else {
      const size = sizes.get(anchor) ?? 0;
      add("", size);
      repeated += size;
      if (repeated > MAX_REPEATED) return { offset: event.anchorStart, detail: TOO_MUCH };
    }
  }
  return undefined;
}
