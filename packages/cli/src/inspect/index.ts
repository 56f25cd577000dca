import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "@belay/engine";
import { createAdaptorServer } from "@hono/node-server";
import type { LogJournal } from "../logs/journal.ts";
import { findQuestions } from "../questions/open.ts";
import { openRunFolder } from "../sockets.ts";
import { inspectApp } from "./app.ts";
import { openFires } from "./fire.ts";
import { guardFor } from "./guard.ts";
import type { Looking } from "./hooks.ts";

export interface InspectOptions {
  readonly looking: Looking;
  readonly flags: string;
  readonly port: number;
  /** Shown in the place of the journal. */
  readonly logs?: LogJournal | undefined;
  readonly page?: string;
}

export interface Inspect {
  readonly url: string;
  /**
   * The address of a file that leads a browser to the page, once. What a program is started with, every user of the machine
   * can read; this file only its owner can. It goes when the page was opened, or with the server.
   */
  openingFile(): string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

export async function startInspect({ looking, flags, port, logs, page }: InspectOptions): Promise<Inspect> {
  const assets = readAssets(page ?? fileURLToPath(new URL("./inspect", import.meta.url)));
  let bound = 0;
  const guard = guardFor(() => bound);
  const questions = findQuestions(looking.home);
  const fires = openFires();
  const app = inspectApp({ looking, flags, logs, assets, guard, questions, fires });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE" || error.code === "EACCES";
      reject(
        isTaken
          ? new UsageError(
              `port ${port} cannot be used: ${error.code}`,
              "leave --port out for any that is free",
            )
          : error,
      );
    });
    server.listen(port, LOOPBACK, resolve);
  });
  bound = (server.address() as AddressInfo).port;
  let remove = () => {};
  const urlWith = (token: string) => `http://${LOOPBACK}:${bound}/#token=${token}`;
  return {
    url: urlWith(guard.token),
    openingFile: () => {
      const file = join(openRunFolder(looking.home), `inspect-${bound}.html`);
      remove = () => rmSync(file, { force: true });
      // A file that is there already would keep its mode.
      remove();
      writeFileSync(file, redirectTo(urlWith(guard.ticket(remove))), { mode: 0o600, flag: "wx" });
      return pathToFileURL(file).href;
    },
    close: async () => {
      remove();
      questions.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await Promise.all([closed, fires.close()]);
    },
  };
}

function redirectTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">belay inspect</a>\n`;
}

export interface Asset {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page's files by their paths: all there is, so that no request can name another. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of namesBelow(folder)) {
    const type = TYPES[extname(name)];
    if (type) assets.set(`/${name}`, { content: new Uint8Array(readFileSync(join(folder, name))), type });
  }
  const index = assets.get("/index.html");
  if (!index) throw new UsageError(`the page is missing in ${folder}`, "npm run build makes it");
  return assets.set("/", index);
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  } catch {
    return [];
  }
}
