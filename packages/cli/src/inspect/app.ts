import { devNull } from "node:os";
import { EVENT_NAMES, samplePayload } from "@belay/core";
import { isObject, messageOf } from "@belay/core/internal";
import { findProject, journalFolder, recordAt } from "@belay/engine/internal";
import {
  type AnswerRequest,
  type EventFilter,
  FILTER_FIELDS,
  type Refusal,
  type ShownLogs,
} from "@belay/inspector/api";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { LogJournal } from "../logs/journal.ts";
import type { Questions } from "../questions/open.ts";
import { soundOutcome } from "../records/outcome.ts";
import { hasKnownFacts, NOT_COMPARABLE, whyNotDecided } from "../replay/comparison.ts";
import type { Fires } from "./fire.ts";
import type { Guard } from "./guard.ts";
import { type Looking, matchesOf, readHooks } from "./hooks.ts";
import type { Asset } from "./index.ts";
import { share } from "./share.ts";
import { aboutOf, MAX_ROWS, positionIn, readEvents, streamLive } from "./timeline.ts";

/** Bytes: a payload or a config, typed or pasted. */
const MAX_BODY = 4 * 1024 * 1024;
const MAX_TOKEN_BODY = 1024;
const DEFAULT_ROWS = 200;

export interface Inspected {
  readonly looking: Looking;
  readonly flags: string;
  readonly logs: LogJournal | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly guard: Guard;
  readonly questions: Questions;
  readonly fires: Fires;
}

export function inspectApp({ looking, flags, logs, assets, guard, questions, fires }: Inspected): Hono {
  const own = journalFolder(findProject(looking.cwd, looking.home), looking.home);
  const folder = logs?.folder ?? own;
  // Beside logs, the runs of this project's hooks lead into its own journal.
  const recordOf = (key: string) => recordIn(folder, key) ?? (logs && recordIn(own, key));
  const app = new Hono();
  app.use(guard.everything);
  app.use("/api/*", guard.api);
  app.post("/api/session", limited(MAX_TOKEN_BODY), (context) => guard.exchange(context));

  app.get("/api/events", async (context) => {
    const asked = Math.floor(Number(context.req.query("limit"))) || DEFAULT_ROWS;
    const limit = Math.min(MAX_ROWS, Math.max(1, asked));
    const before = context.req.query("before");
    if (before !== undefined && !positionIn(before)) return refuse(context, 400, "before is no place");
    const page = await readEvents(folder, filterOf(context), limit, before);
    return context.json(logs ? { ...page, logs: shownOf(logs) } : page);
  });
  app.get("/api/events/:key", async (context) => {
    const record = recordOf(context.req.param("key"));
    if (!record) return gone(context);
    if (!hasKnownFacts(record)) return unreadable(context);
    const shown = { record, ...aboutOf(record) };
    // Hooks of another agent: those of this project were not asked.
    if (record.agent !== undefined) return context.json({ ...shown, matches: [] });
    try {
      return context.json({ ...shown, ...(await matchesOf(looking, record.event, record.payload)) });
    } catch (error) {
      return context.json({ ...shown, matches: [], unmatched: messageOf(error) });
    }
  });
  app.get("/api/test-case/:key", async (context) => {
    const record = recordOf(context.req.param("key"));
    if (!record) return gone(context);
    if (whyNotDecided(record)) return unreadable(context);
    return context.json(await share(record, looking, flags));
  });
  app.get("/api/live", (context) => streamLive(context, folder, questions.watch, filterOf(context)));
  app.get("/api/hooks", async (context) => context.json(await readHooks(looking, own)));
  app.get("/api/samples", (context) =>
    context.json({
      samples: EVENT_NAMES.map((event) => ({
        event,
        payload: samplePayload(event, {
          session_id: looking.sessionId ?? "playground",
          cwd: looking.cwd,
          transcript_path: devNull,
        }),
      })),
    }),
  );
  app.post("/api/fire", limited(MAX_BODY), async (context) =>
    context.json(await fires.fire(looking, await jsonOf(context), flags, context.req.raw.signal)),
  );
  app.post("/api/answer", limited(MAX_TOKEN_BODY * 16), async (context) => {
    const given = await jsonOf(context);
    if (!isObject(given)) return refuse(context, 400, "that is no answer");
    return context.json(await questions.answer(given as Partial<AnswerRequest>));
  });
  app.all("/api/*", (context) => refuse(context, 404, "there is nothing here"));
  app.get("*", (context) => {
    const asset = assets.get(context.req.path);
    if (!asset) return context.text("not found", 404);
    return context.body(asset.content, 200, { "Content-Type": asset.type, "Cache-Control": "no-cache" });
  });
  app.onError((error, context) => {
    const isUsage = error.name === "UsageError";
    return refuse(context, isUsage ? 400 : 500, error.message, adviceOn(error, folder));
  });
  return app;
}

/** What to do about an error: a usage error says it itself, the system says nothing about a journal that cannot be read. */
function adviceOn(error: Error, journal: string): string | undefined {
  const { next, path } = error as { readonly next?: unknown; readonly path?: unknown };
  if (typeof next === "string") return next;
  const isJournal = typeof path === "string" && path.startsWith(journal);
  return isJournal ? "Move it away, or make it readable to you, and load this page again." : undefined;
}

function limited(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: (context) => refuse(context, 413, `that is more than ${maxSize} bytes`, "send less"),
  });
}

function filterOf({ req }: Context): EventFilter {
  const given = FILTER_FIELDS.map((name) => [name, req.query(name) ?? ""] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

function recordIn(folder: string, key: string) {
  const position = positionIn(key);
  const record = position && recordAt(folder, position);
  return record && { ...record, outcome: soundOutcome(record.outcome) };
}

async function jsonOf({ req }: Context): Promise<unknown> {
  return req.json().catch(() => undefined);
}

function shownOf({ agents, read, dropped, unread }: LogJournal): ShownLogs {
  return { agents, read, dropped, unread };
}

function gone(context: Context): Response {
  const next = "the oldest files go when new ones begin; the timeline shows what is there";
  return refuse(context, 404, "this event is not in the journal any more", next);
}

function unreadable(context: Context): Response {
  const next = "In a terminal belay tail --json prints it as it was written.";
  return refuse(context, 400, `this is a record ${NOT_COMPARABLE.unreadable}`, next);
}

function refuse(context: Context, status: 400 | 404 | 413 | 500, error: string, next?: string): Response {
  const refusal: Refusal = { error, ...(next !== undefined && { next }) };
  return context.json(refusal, status);
}
