import type { EventsPage, Shared } from "../../../inspector/src/api.ts";
import type { Scratch } from "../cli.ts";
import { serve } from "./server.ts";

/** What the page copies of each recorded event, the oldest first. */
export async function sharedOf(
  room: Pick<Scratch, "project" | "home">,
  args: readonly string[] = [],
): Promise<Shared[]> {
  const served = await serve(room, args);
  const { rows } = await served.api<EventsPage>("/api/events");
  const keys = rows.map(({ key }) => key).reverse();
  return Promise.all(keys.map((key) => served.api<Shared>(`/api/test-case/${key}`)));
}
