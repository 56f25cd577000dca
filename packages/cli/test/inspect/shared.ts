import type { Shared } from "../../../inspector/src/api.ts";
import type { Scratch } from "../cli.ts";
import { serve } from "./server.ts";

/** What the page copies of each recorded event, the oldest first. */
export async function sharedOf(room: Scratch, args: readonly string[] = []): Promise<Shared[]> {
  const served = await serve(room, args);
  const cookie = await served.signIn();
  const { json } = await served.ask("/api/events", { headers: cookie });
  const keys = (json as { rows: { key: string }[] }).rows.map(({ key }) => key).reverse();
  return Promise.all(
    keys.map(async (key) => (await served.ask(`/api/test-case/${key}`, { headers: cookie })).json as Shared),
  );
}
