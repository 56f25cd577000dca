import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import type { Served } from "./server.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome.exe"];

/** The program of a browser; .ci/run installs one where it is missing. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
  if (found === undefined)
    process.stderr.write("chromium is not installed: the tests of the page in a real browser are left out\n");
  return found;
}

/** One browser for the tests of a file or a `describe`, each with a window of its own. */
export function browserFor(executablePath: string | undefined) {
  let running: Promise<Browser> | undefined;
  afterAll(async () => (await running)?.close());
  return async (served: Served, options: BrowserContextOptions = {}): Promise<Page> => {
    running ??= chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      // A sandbox cannot be had by root, as which CI runs.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    const context = await (await running).newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("console", (said) => {
      // A refusal of the server is shown on the page; the browser notes it here as well.
      const isRefusal = said.text().startsWith("Failed to load resource");
      if (said.type() === "error" && !isRefusal) wrong.push(said.text());
    });
    onTestFinished(() => {
      if (wrong.length > 0) throw new Error(`the page complained: ${wrong.join("; ")}`);
    });
    await page.goto(served.url);
    await page.locator("nav a").first().waitFor();
    return page;
  };
}
