import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Outcome } from "@belay/core";
import { isObject } from "@belay/core/internal";
import { createEngine, type Engine, type EngineOptions, type EventRecord } from "@belay/engine";
import { BELAY } from "../../args/flags.ts";
import {
  type CaseFolders,
  caseEnvironment,
  caseFolder,
  isWithin,
  makeFolder,
  makeHome,
  mapText,
  openWorker,
  putAway,
  putFiles,
  removeRoot,
  takeOut,
} from "../../testing/run/case-folders.ts";

/**
 * What hooks find around them. "empty": a folder with nothing in it. "furnished": a new git repository, in which the file
 * that the call names is there.
 */
export type World = "empty" | "furnished";

export interface Answered {
  readonly outcome: Outcome;
  /** A text of a hook, as if it had run in the folder of the session. */
  readonly asThere: <T>(value: T) => T;
}

interface Place {
  readonly worker: ReturnType<typeof openWorker>;
  readonly shared: string;
  engine?: { readonly home: string; readonly opened: Promise<Engine> };
}

/**
 * Scratch folders in which hooks are asked of logged events, each with an empty HOME. The session of the payload is a new one:
 * what a hook keeps by its session is not to meet what the real one has left.
 */
export function openWorlds(options: EngineOptions) {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "belay-replay-")));
  const run = randomUUID().slice(0, 8);
  const idle: Place[] = [];
  const places: Place[] = [];
  let count = 0;
  let isClosed = false;

  function openPlace(): Place {
    const index = places.length;
    const shared = join(root, `shared-${index + 1}`, "project");
    makeFolder(root, shared);
    const place = { worker: openWorker(root, index), shared };
    places.push(place);
    return place;
  }

  async function engineOf(place: Place, folders: CaseFolders): Promise<Engine> {
    const { home } = folders;
    if (place.engine?.home !== home) {
      await (await place.engine?.opened)?.close();
      const env = caseEnvironment(folders);
      place.engine = { home, opened: createEngine({ ...options, ...SCRATCH, env }) };
      // It is awaited at once, and again when all is closed: a rejection is told once.
      place.engine.opened.catch(() => {});
    }
    return place.engine.opened;
  }

  async function fireIn(place: Place, logged: EventRecord, world: World, looks: boolean) {
    count += 1;
    const cwd = looks ? join(caseFolder(root, count), "project") : place.shared;
    if (looks) makeFolder(root, cwd);
    const folders = { cwd, home: looks ? await makeHome(place.worker) : place.worker.home };
    try {
      const session = `${run}-${world}-${logged.session}`;
      const moved = moving(logged.cwd, cwd);
      const payload = { ...moved(logged.payload), session_id: session, transcript_path: "", cwd };
      // What cannot be made, for lack of git or by its name, is not there.
      if (world === "furnished")
        await putFiles({ git: true, files: filesNamed(payload, cwd) }, folders).catch(() => {});
      const engine = await engineOf(place, folders);
      const outcome = await engine.fire(logged.event, payload);
      const back = moving(cwd, logged.cwd || "{cwd}");
      return {
        outcome,
        asThere: <T>(value: T) =>
          takeOut(mapText(back(value), (text) => text.replaceAll(session, logged.session)) as T, folders),
      };
    } finally {
      // Not waited for: the next event need not know.
      if (looks) void putAway(folders, false);
    }
  }

  return {
    /** `looks`: a hook of it can look around, and is given a folder and a home that no other event had. */
    fire: async (logged: EventRecord, world: World, looks: boolean): Promise<Answered> => {
      const place = idle.pop() ?? openPlace();
      try {
        return await fireIn(place, logged, world, looks);
      } finally {
        if (!isClosed) idle.push(place);
      }
    },
    /** Ends what runs. Returns the folder of all worlds where it could not be removed, and why. */
    close: async (): Promise<{ readonly folder: string; readonly why: string } | undefined> => {
      isClosed = true;
      await Promise.all(places.map(async ({ engine }) => (await engine?.opened.catch(() => {}))?.close()));
      const why = await removeRoot(root);
      return why === undefined ? undefined : { folder: root, why };
    },
  };
}

const SCRATCH = {
  journal: false,
  reload: false, // all events of a run are about the same hooks
  launcher: "off",
  program: BELAY,
  limits: { stopCap: Number.POSITIVE_INFINITY },
} as const;

/** Paths of one folder as paths of another: a guard of the folder must find the file of a call inside it. */
function moving(from: string, to: string): <T>(value: T) => T {
  if (from.length < 2) return (value) => value;
  return <T>(value: T) => mapText(value, (text) => text.replaceAll(from, to)) as T;
}

const FURNITURE = "one\ntwo\nthree\n";

function filesNamed({ tool_input: input }: Readonly<Record<string, unknown>>, cwd: string) {
  const paths = isObject(input) ? [input.file_path, input.notebook_path, input.path] : [];
  const names = paths.flatMap((path) => (typeof path === "string" ? relative(cwd, resolve(cwd, path)) : []));
  return Object.fromEntries(
    names.filter((name) => name !== "" && isWithin(name)).map((name) => [name, FURNITURE]),
  );
}
