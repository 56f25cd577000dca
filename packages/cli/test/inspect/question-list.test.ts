import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { hasTmux } from "../tmux.ts";
import { asking, QUESTION } from "./asking.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { chat } from "./chats.ts";
import { serve } from "./server.ts";

/* No click or key that was meant for one question answers another: a question never moves, nor goes under a pointer. */

type Chat = Awaited<ReturnType<typeof chat>>;

const program = findBrowser();
const open = browserFor(program);
const openView = (page: Page) => page.keyboard.press("4");
const cards = (page: Page) => page.locator(".question");
const allowOnce = (page: Page, at: number) => cards(page).nth(at).getByRole("button", { name: "Allow once" });
const commands = async (page: Page) =>
  (await cards(page).locator("pre").allInnerTexts()).map((text) => JSON.parse(text).command);

describe.runIf(program)("questions of several chats", () => {
  const ROOT = "/home/somebody/work/projects/of-the-customer/second-half";
  /** Where everything stands that can be clicked in the first so many questions. */
  const places = (page: Page, count: number) =>
    page.evaluate<unknown>(`[...document.querySelectorAll(".question")].slice(0, ${count})
      .flatMap((one) => [...one.querySelectorAll("button, input")])
      .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; })`);

  /** Whether all of the text that says how a question ended is inside its box, and the box inside the window. */
  const isStateWhole = (page: Page, at: number) =>
    page.evaluate<boolean>(`(() => {
      const one = document.querySelectorAll(".question .state")[${at}];
      const box = one.getBoundingClientRect();
      return one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1 && box.right <= innerWidth;
    })()`);

  /** Whether the end of the first question's folder can be seen. */
  const isEndSeen = (page: Page) =>
    page.evaluate<boolean>(`(() => {
      const shown = document.querySelector(".question .folder");
      const text = shown.querySelector("bdi").firstChild;
      const range = document.createRange();
      range.setStart(text, text.length - ${"second-half/shop".length});
      range.setEnd(text, text.length);
      const [end, box] = [range.getBoundingClientRect(), shown.getBoundingClientRect()];
      return end.left >= box.left - 1 && end.right <= box.right + 1 && box.right <= innerWidth;
    })()`);

  const WIDTHS = [1280, 640, 530, 480, 380, 320];
  const LONG = "mcp__warehouse_of_the_customer__list_every_open_order_of_a_customer_by_day_and_by_shop";
  const CASES = WIDTHS.flatMap((width) => ["Bash", LONG].map((toolName) => [width, toolName] as const));

  it.each(CASES)(
    "stay where they are whatever becomes of the others, %i wide: %s",
    async (width, toolName) => {
      const room = scratch();
      const options = { toolName, cwd: `${ROOT}/shop` };
      const [upper, lower] = [await chat(room, 1, options), await chat(room, 2, options)];
      const page = await open(await serve(room), { viewport: { width, height: 1600 } });
      await openView(page);
      upper.tell(["one"]);
      await cards(page).first().waitFor();
      expect(await isEndSeen(page)).toBe(true);
      expect(await page.locator(".question .folder").getAttribute("title")).toBe(`${ROOT}/shop`);
      lower.tell(["two"]);
      await expect.poll(() => commands(page)).toEqual(["one", "two"]);
      await cards(page).first().hover();
      const before = await places(page, 2);
      upper.tell(["one", "three"]);
      await expect.poll(() => commands(page)).toEqual(["one", "two", "three"]);
      expect(await places(page, 2)).toEqual(before);
      const third = await chat(room, 3);
      third.tell(["four"]);
      await expect.poll(() => commands(page)).toEqual(["one", "two", "three", "four"]);
      expect(await places(page, 2)).toEqual(before);
      upper.tell(["three"], [{ question: "one", kind: "session", where: "terminal" }]);
      await page.getByText(`answered in the terminal: Allow ${toolName} for this session`).waitFor();
      expect(await places(page, 2)).toEqual(before);
      third.end();
      await page.getByText("its chat has ended").waitFor();
      upper.tell([], [{ question: "one", kind: "session", where: "terminal" }]);
      await page.getByText("called off, or covered by another answer").waitFor();
      expect(await isStateWhole(page, 2)).toBe(true);
      expect(await isEndSeen(page)).toBe(true);
      expect(await places(page, 2)).toEqual(before);
      expect(await commands(page)).toEqual(["one", "two", "three", "four"]);
      await page.mouse.move(1, 1);
      await expect.poll(() => commands(page)).toEqual(["two"]);
    },
  );

  it("are told apart where two chats are at one session", async () => {
    const room = scratch();
    const session = "one";
    const [first, second] = [await chat(room, 1, { session }), await chat(room, 2, { session })];
    const page = await open(await serve(room));
    await openView(page);
    first.tell(["same"]);
    await cards(page).first().waitFor();
    second.tell(["same", "own"]);
    await expect.poll(() => commands(page)).toEqual(["same", "same", "own"]);
    await cards(page).nth(2).hover();
    await allowOnce(page, 2).click();
    await page.getByText("Bash: answered").waitFor();
    await cards(page).nth(1).getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => second.given.length).toBe(2);
    expect([first.given, second.given]).toEqual([
      [],
      [
        { question: "own", kind: "once" },
        { question: "same", kind: "deny" },
      ],
    ]);
    first.end();
    await page.getByText("its chat has ended").waitFor();
    expect(await page.getByText("its chat has ended").count()).toBe(1);
  });

  it("are open again in their place when the line to their chat was cut for a moment", async () => {
    const room = scratch();
    const first = await chat(room, 1);
    const page = await open(await serve(room));
    await openView(page);
    first.tell(["one"]);
    await allowOnce(page, 0).waitFor();
    first.end();
    await page.getByText("its chat has ended").waitFor();
    const again = await chat(room, 1);
    again.tell(["one"]);
    await expect.poll(() => allowOnce(page, 0).isEnabled()).toBe(true);
    expect(await commands(page)).toEqual(["one"]);
  });
});

/** Some place in the middle of the list; over the notice where there is no list yet. */
const SOMEWHERE = [400, 130] as const;

interface Way {
  readonly name: string;
  readonly options?: BrowserContextOptions;
  /** From the page as it opens to the first question. */
  come?(page: Page, begin: () => Promise<Chat>): Promise<Chat>;
  /** To "Allow once" of it. */
  reach?(page: Page, x: number, y: number): Promise<void>;
  press(page: Page, x: number, y: number): Promise<void>;
}

const point = (page: Page, x: number, y: number) => page.mouse.move(x, y, { steps: 5 });
const click = async (page: Page) => {
  await page.mouse.down();
  await page.mouse.up();
};

const RESTING: Way = {
  name: "a pointer that rested there when a key opened the view",
  come: async (page, begin) => {
    await point(page, ...SOMEWHERE);
    const begun = await begin();
    await page.locator(".count", { hasText: "1" }).waitFor();
    await openView(page);
    return begun;
  },
  reach: point,
  press: click,
};
const WAYS: readonly Way[] = [
  RESTING,
  {
    name: "a pointer on the notice in whose place the list came",
    come: async (page, begin) => {
      await openView(page);
      await page.getByText("No chat is open.").waitFor();
      await point(page, ...SOMEWHERE);
      return begin();
    },
    reach: point,
    press: click,
  },
  {
    name: "a pointer that comes when the question is over",
    press: async (page, x, y) => {
      await point(page, x, y);
      await click(page);
    },
  },
  { name: "a finger", options: { hasTouch: true }, press: (page, x, y) => page.touchscreen.tap(x, y) },
  {
    name: "a key",
    reach: (page) => page.locator(".question button").first().focus(),
    press: (page) => page.keyboard.press("Enter"),
  },
];

describe.runIf(program)("what was meant for a question that is over", () => {
  async function oneOver({ options, come, reach }: Way) {
    const room = scratch();
    const page = await open(await serve(room), options);
    const begin = async () => {
      const begun = await chat(room, 1);
      begun.tell(["one"]);
      return begun;
    };
    if (!come) await openView(page);
    const begun = await (come?.(page, begin) ?? begin());
    const first = page.locator(".question button").first();
    await first.waitFor();
    const box = (await first.boundingBox()) ?? { x: 0, y: 0 };
    const [x, y] = [box.x + 12, box.y + 9];
    await reach?.(page, x, y);
    begun.tell([], [{ question: "one", kind: "once", where: "terminal" }]);
    await page.getByText("Nothing waits for an answer.").waitFor();
    begun.tell(["two"]);
    await page.locator("pre", { hasText: "two" }).waitFor();
    return { page, begun, x, y };
  }

  it.each(WAYS)("answers no other one: $name", async (way) => {
    const { page, begun, x, y } = await oneOver(way);
    const answers: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/answer")) answers.push(request.postData() ?? "");
    });
    await way.press(page, x, y);
    expect(await cards(page).count()).toBe(2);
    await page.getByRole("button", { name: "Clear what is over" }).click();
    await expect.poll(() => cards(page).count()).toBe(1);
    await page.getByRole("button", { name: "Allow once" }).click();
    await expect.poll(() => begun.given).toEqual([{ question: "two", kind: "once" }]);
    expect(answers).toHaveLength(1);
  });

  it("goes by itself when nobody can be about to click: the page is hidden, or the pointer leaves its window", async () => {
    const { page } = await oneOver(RESTING);
    await page.evaluate("document.documentElement.dispatchEvent(new MouseEvent('mouseleave'))");
    await expect.poll(() => cards(page).count()).toBe(1);
    const { page: other } = await oneOver(RESTING);
    await other.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"))`);
    await expect.poll(() => cards(other).count()).toBe(1);
  });
});

describe.runIf(program && hasTmux())("the place of a question that was answered", () => {
  /** A chat that asks twice, and a pointer on the first one's "Allow once". */
  async function pointedAt() {
    const room = scratch();
    const terminal = await asking(room, "touch first.txt` and run `touch second.txt");
    const page = await open(await serve(room));
    await openView(page);
    await cards(page).first().waitFor();
    const { x, y } = (await allowOnce(page, 0).boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 5, y + 5);
    const made = (name: string) => existsSync(join(room.project, name));
    return { terminal, page, made };
  }

  it("is not taken by the next one: a second click answers nothing", async () => {
    const { page, made } = await pointedAt();
    await click(page);
    await click(page);
    await page.locator("pre", { hasText: "second.txt" }).waitFor();
    await click(page);
    expect(await cards(page).count()).toBe(2);
    expect(await cards(page).first().textContent()).toContain("answered here: Allow once");
    expect(await allowOnce(page, 0).isDisabled()).toBe(true);
    expect(await allowOnce(page, 1).isEnabled()).toBe(true);
    await expect.poll(() => made("first.txt")).toBe(true);
    // Until its chat has told so, it is open.
    await page.getByText("1 question waits for an answer.").waitFor();
    await page.mouse.move(1, 1);
    await expect.poll(() => cards(page).count()).toBe(1);
    expect(made("second.txt")).toBe(false);
    await allowOnce(page, 0).click();
    await page.getByText("Nothing waits for an answer.").waitFor();
    await expect.poll(() => made("second.txt")).toBe(true);
  });

  it("is kept when the terminal answered it, and says so", async () => {
    const { terminal, page, made } = await pointedAt();
    const before = await allowOnce(page, 0).boundingBox();
    terminal.press("1");
    await expect.poll(() => allowOnce(page, 0).isDisabled()).toBe(true);
    await click(page);
    expect(await cards(page).first().textContent()).toContain("answered in the terminal: Allow once");
    expect(await allowOnce(page, 0).boundingBox()).toEqual(before);
    expect(await page.getByText("1 question waits for an answer.").count()).toBe(1);
    await terminal.shows(QUESTION);
    expect(made("second.txt")).toBe(false);
  });
});

describe.runIf(program && hasTmux())("the view of open questions", () => {
  const MAY = "May the agent use Bash?";

  it("shows a question, and an answer there lets the agent go on", async () => {
    const room = scratch();
    const page = await open(await serve(room));
    await openView(page);
    await page.getByText("No chat is open.").waitFor();
    const terminal = await asking(room, "echo from-the-page");
    await page.getByText(MAY).waitFor();
    expect(await page.locator("nav .count").textContent()).toBe("1");
    expect(await page.locator(".question pre").textContent()).toContain("echo from-the-page");
    await page.getByLabel("Why not").fill("not today");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Nothing waits for an answer.").waitFor();
    await terminal.shows("not today");
  });

  it("that two pages answer at once tells the one that was late, and shows what hides in a command", async () => {
    const room = scratch();
    await asking(room, "echo \u202eyletelpmoc efas");
    const served = await serve(room);
    const pages = [await open(served), await open(served)];
    let send = () => {};
    const bothAnswered = new Promise<void>((resolve) => {
      send = resolve;
    });
    for (const page of pages) {
      await page.route("**/api/answer", (route) => bothAnswered.then(() => route.continue()));
      await openView(page);
      await page.getByText(MAY).waitFor();
      expect(await page.locator(".question pre").textContent()).toContain("echo \\u202eyletelpmoc efas");
      await allowOnce(page, 0).click();
    }
    send();
    const said = () => Promise.all(pages.map((page) => page.locator(".said").textContent()));
    await expect
      .poll(async () => (await said()).toSorted())
      .toEqual(["Bash: answered", expect.stringContaining("not open any more")]);
  });
});
