import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { UsageError } from "@belay/engine";

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
