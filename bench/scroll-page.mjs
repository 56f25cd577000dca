// Every row of the page of `belay inspect` is scrolled past, in each of the ways that a person has: what is the longest task?

/** @typedef {import("playwright-core").Page} Page */
/**
 * In ms, `longest` by the clock and `worked` on a processor, each of one task: on a busy machine the others had the rest. A list
 * that is scrolled faster than it is drawn leaves rows out.
 *
 * @typedef {{ longest: number, worked: number, past: number, drawn: number }} Scrolled
 */

/** A browser reports no task under 50 ms: this stands for none. */
export const NONE = 1;

/** A row is an element of its own, added when it is drawn; a heading is as high, and has no link. */
const WATCH = `tasks = [${NONE}];
  drawn = new Set();
  list = document.querySelector(".list");
  new PerformanceObserver((entries) => tasks.push(...entries.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask" });
  const look = (rows) => { for (const row of rows) drawn.add(row.querySelector("a")?.getAttribute("href")); };
  look(list.querySelectorAll("li"));
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => look(addedNodes)))
    .observe(list.querySelector("ul"), { childList: true });
  isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  deepest = 0;
  list.addEventListener("scroll", () => { deepest = Math.max(deepest, list.scrollTop + list.clientHeight); });
  rowsPast = () => Math.round(Math.max(deepest, list.clientHeight) / list.querySelector("li").offsetHeight);
  isWhole = () => !document.querySelector(".status").textContent.includes("so far");`;

/** A screen in each frame, to the last row there is: where that is not read yet, it waits for it as a person would. */
const DOWN = `new Promise((resolve) => {
  const step = () => {
    if (isAtEnd() && isWhole()) return resolve();
    list.scrollTop += list.clientHeight;
    requestAnimationFrame(step);
  };
  step();
})`;

/** The scrollbar, dragged from where it is to the other end in two seconds. */
const DRAG = `new Promise((resolve) => {
  const FRAMES = 120;
  const from = list.scrollTop;
  const to = from > 0 ? 0 : list.scrollHeight - list.clientHeight;
  let frame = 0;
  const step = () => {
    frame += 1;
    list.scrollTop = from + ((to - from) * frame) / FRAMES;
    if (frame < FRAMES) requestAnimationFrame(step);
    else resolve();
  };
  step();
})`;

const TURNS = 100;

/** Down by wheel and screen by screen, drags and keys once all is read. @param {Page} page @returns {Promise<Scrolled>} */
export async function scrollThrough(page) {
  await watch(page);
  await page.locator(".list").hover();
  for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(0, 400);
  await page.evaluate(DOWN);
  for (let times = 0; times < 2; times += 1) await page.evaluate(DRAG);
  await page.locator(".list").focus();
  for (const key of ["End", "PageUp", "Home", "PageDown", "End", "ArrowUp", "Home"])
    for (let times = 0; times < 5; times += 1) await page.keyboard.press(key);
  return scrolled(page);
}

/** To the last row by the End key alone: as many are read between two frames as a server can give. @param {Page} page @returns {Promise<Scrolled>} */
export async function jumpThrough(page) {
  await watch(page);
  await page.locator(".list").focus();
  while (!(await page.evaluate("isAtEnd() && isWhole()"))) await page.keyboard.press("End");
  return scrolled(page);
}

/** A long task is reported some time after it. */
const LAST_REPORT_MS = 200;

/** @param {Page} page @returns {Promise<Scrolled>} */
async function scrolled(page) {
  await page.waitForTimeout(LAST_REPORT_MS);
  const seen = /** @type {Omit<Scrolled, "worked">} */ (
    await page.evaluate("({ longest: Math.max(...tasks), past: rowsPast(), drawn: drawn.size })")
  );
  const trace = await page.context().browser()?.stopTracing();
  return { ...seen, worked: mostWork(JSON.parse(String(trace)).traceEvents) };
}

/** @param {Page} page */
async function watch(page) {
  await page
    .context()
    .browser()
    ?.startTracing(page, { categories: ["toplevel"] });
  await page.evaluate(WATCH);
}

/** @typedef {{ name: string, pid: number, tid: number, tdur?: number, args: { name?: string } }} Traced times in µs */

/** @param {readonly Traced[]} events */
function mostWork(events) {
  const threads = new Set(events.filter(({ args }) => args.name === "CrRendererMain").map(threadOf));
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && threads.has(threadOf(event)));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

/** @param {Traced} event */
function threadOf({ pid, tid }) {
  return `${pid}:${tid}`;
}
