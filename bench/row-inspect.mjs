// The page of `belay inspect` over 100,000 events, in a real browser: first view, scrolling, and an event as it happens.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave } from "./measure.mjs";
import { short } from "./report.mjs";
import { recordLine, withJournal } from "./row-journal.mjs";
import { jumpThrough, NONE, scrollThrough } from "./scroll-page.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));
const EVENTS = 100_000;
const FEW = 100;

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const browserFile = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** @typedef {import("playwright-core").Page} Page */

/**
 * The page over a journal of so many events, opened anew for each measurement.
 * @param {number} events
 * @param {(open: () => Promise<{ page: Page, events: number, firstView: number, close: () => Promise<void> }>, folder: string) => Promise<void>} use
 */
async function withPage(events, use) {
  await withJournal(events, async ({ home, project, folder }) => {
    const server = spawn(process.execPath, [BELAY, "inspect"], {
      cwd: project,
      env: { ...process.env, HOME: home },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { chromium } = await import("playwright-core");
    const browser = await chromium.launch({
      ...(browserFile !== undefined && { executablePath: browserFile }),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    try {
      const [chunk] = await /** @type {Promise<[Buffer]>} */ (
        new Promise((resolve) => server.stdout.once("data", (data) => resolve([data])))
      );
      const url = String(chunk).trim();
      await use(async () => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        const page = await context.newPage();
        const started = performance.now();
        await page.goto(url);
        await page.locator(".row").first().waitFor();
        return { page, events, firstView: performance.now() - started, close: () => context.close() };
      }, folder);
    } finally {
      await browser.close();
      server.kill("SIGTERM");
    }
  });
}

/**
 * Both journals in turn.
 * @param {(open: Parameters<Parameters<typeof withPage>[1]>[0], folder: string) => Promise<number>} task
 * @param {number} rounds
 * @param {number} [warmups]
 */
async function inTurn(task, rounds, warmups = 1) {
  /** @type {import("./measure.mjs").Samples | undefined} */
  let samples;
  await withPage(EVENTS, (many, manyFolder) =>
    withPage(FEW, async (few, fewFolder) => {
      samples = await interleave(
        () => task(many, manyFolder),
        () => task(few, fewFolder),
        rounds,
        warmups,
      );
    }),
  );
  return samples ?? { ours: [], reference: [] };
}

let marks = 0;

/** @param {string} what @param {number} atMost milliseconds @returns {Omit<import("./report.mjs").Measurement, "measure">} */
const inspectRow = (what, atMost) => ({
  name: `belay inspect, 100,000 events: ${what}`,
  isShort: false,
  reference: `the same page over ${FEW} events`,
  unit: "ms",
  target: { of: "value", atMost },
});

/**
 * @param {string} what
 * @param {number} atMost milliseconds
 * @param {{ quick: number, full: number }} times
 * @param {Parameters<typeof inTurn>[0]} once
 * @returns {import("./report.mjs").Measurement}
 */
const row = (what, atMost, times, once) => ({
  ...inspectRow(what, atMost),
  measure: ({ quick }) => inTurn(once, quick ? times.quick : times.full),
});

/** The whole list, in every way that there is to scroll; every run counts, the first too. @param {boolean} quick */
async function scrolledInTurn(quick) {
  /** @type {import("./scroll-page.mjs").Scrolled[]} */
  const many = [];
  const samples = await inTurn(
    async (open) => {
      const longest = [];
      for (const go of [scrollThrough, jumpThrough]) {
        const { page, events, close } = await open();
        const run = await go(page);
        await close();
        if (run.past < events) throw new Error(`${run.past} rows of ${events} were scrolled past`);
        if (events === EVENTS) many.push(run);
        longest.push(run.longest);
      }
      return Math.max(...longest);
    },
    quick ? 1 : 2,
    0,
  );
  const past = Math.min(...many.map((run) => run.past)).toLocaleString("en");
  const drawn = Math.max(...many.map((run) => run.drawn)).toLocaleString("en");
  const worked = short(Math.max(...many.map((run) => run.worked)));
  const each = samples.ours.map((task) => (task === NONE ? "none over 50" : short(task)));
  const detail = `${past} rows scrolled past, ${drawn} of them drawn; each run's longest: ${each.join(", ")} ms; on a processor none took over ${worked} ms; load ${short(loadavg()[0] ?? 0)}`;
  return { ...samples, detail };
}

const rows = [
  row("first view", 1000, { quick: 3, full: 9 }, async (open) => {
    const { firstView, close } = await open();
    await close();
    return firstView;
  }),
  /** @type {import("./report.mjs").Measurement} */ ({
    ...inspectRow("longest task while all are scrolled past", 100),
    isWorst: true,
    measure: ({ quick }) => scrolledInTurn(quick),
  }),
  row("recorded to visible", 200, { quick: 5, full: 15 }, async (open, folder) => {
    const { page, close } = await open();
    await page.locator(".live.live").waitFor();
    marks += 1;
    const mark = `npm test -- ${900_000_000 + marks} `;
    const seen = page.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector(".list").textContent.includes(${JSON.stringify(mark)})
        ? resolve(Date.now())
        : requestAnimationFrame(look);
      look();
    })`);
    await page.evaluate("0"); // it looks by now
    const recorded = Date.now();
    appendFileSync(join(folder, readdirSync(folder).sort().at(-1) ?? ""), recordLine(900_000_000 + marks));
    const visible = Number(await seen);
    await close();
    return Math.max(1, visible - recorded);
  }),
];

if (browserFile === undefined)
  process.stderr.write("bench: chromium is not installed: the rows of belay inspect are left out\n");
export const inspectRows = browserFile === undefined ? [] : rows;
