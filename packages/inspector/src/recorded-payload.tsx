import { clean } from "@belay/core/clean";
import type { ReactNode } from "react";
import { client } from "./client.ts";
import { whenOf } from "./format.ts";
import { beginChoosing, trial } from "./playground-store.ts";
import { asRefused } from "./timeline-store.ts";
import { useAsked } from "./use-asked.ts";

/** As many as are worth looking through; the timeline has them all. */
const MOST = 50;

/** The newest recorded events of this kind, whose payloads can be tried. Another kind is another element, and asks anew. */
export function RecordedPayload({ event }: { readonly event: string }): ReactNode {
  const asked = useAsked(() => client.events({ event }, MOST), event);
  const rows = asked.state === "there" ? asked.value.rows : [];
  const choose = async (key: string) => {
    const isWanted = beginChoosing();
    try {
      const { record } = await client.event(key);
      if (isWanted()) trial.set({ payload: JSON.stringify(record.payload, null, 2) });
    } catch (error) {
      if (isWanted()) trial.set({ error: asRefused(error), fired: undefined });
    }
  };
  return (
    <select
      aria-label="Recorded events"
      disabled={rows.length === 0}
      value=""
      onChange={({ target }) => void choose(target.value)}
    >
      <option value="">
        {asked.state === "there" && rows.length === 0 ? "none is recorded" : "a recorded payload …"}
      </option>
      {rows.map(({ key, time, about, subject }) => (
        <option key={key} value={key}>
          {[whenOf(time), clean(about), clean(subject)]
            .filter((part) => part !== "")
            .join("  ")
            .slice(0, 100)}
        </option>
      ))}
    </select>
  );
}
