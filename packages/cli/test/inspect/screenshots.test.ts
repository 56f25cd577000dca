import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../docs/pages.ts";
import { hasTmux } from "../tmux.ts";
import { asking } from "./asking.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { SESSION, sharedStage } from "./stage.ts";

/*
 * The pictures in docs/inspect. Each run of the tests draws them, elsewhere; to draw those of the docs again:
 * BELAY_SCREENSHOTS=1 npx vitest run --project all packages/cli/test/inspect/screenshots.test.ts
 */

const DOCS = join(ROOT, "docs/inspect");
/** A picture of an empty page has fewer bytes. */
const LEAST_BYTES = 10_000;

const program = findBrowser();

/** Where the pictures go. */
function canvas(): string {
  if (process.env.BELAY_SCREENSHOTS) return DOCS;
  const folder = mkdtempSync(join(tmpdir(), "belay-pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(program && hasTmux())("pictures for the docs", () => {
  const open = browserFor(program);
  const stage = sharedStage();

  it("of each view", { timeout: 120_000 }, async () => {
    const folder = canvas();
    const { served, room } = await stage();
    room.file(".belay/settings.local.json", JSON.stringify({ hooks: { PreToolUse: [CAREFUL] } }));
    await room.belay(["trust", "--yes"]);
    const fire = (...args: string[]) => room.belay(["run", ...args, "--session", SESSION, "--json"]);
    await fire("UserPromptSubmit", "--prompt", "run the tests, and push if they are green");
    for (let count = 0; count < 12; count += 1) {
      const input = JSON.stringify({ command: SOME[count % SOME.length] });
      await fire("PreToolUse", "--tool", "Bash", "--tool-input", input);
    }
    const page = await open(served, { viewport: { width: 1280, height: 720 } });
    // No path of the machine that it is drawn on, and none of the markup that other tests look for.
    await page.route(/\/api\/(events|hooks|samples|fire)/, async (route) => {
      const sent = route.request().postData()?.replaceAll(DRAWN, room.project);
      const response = await route.fetch(sent === undefined ? {} : { postData: sent });
      const text = (await response.text()).replaceAll(room.project, DRAWN).replaceAll(room.home, "/home/you");
      const body = text.replaceAll(MARKUP, "");
      await route.fulfill({ response, body });
    });
    await page.reload();
    const take = async (name: string) => {
      await page.mouse.move(0, 0);
      await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))");
      await page.evaluate(
        `for (const one of document.querySelectorAll(".cwd")) one.textContent = "${DRAWN}"`,
      );
      await page.screenshot({ path: join(folder, `${name}.png`) });
    };
    await page.locator(".row").first().waitFor();
    await take("timeline");
    await page.locator(".row:has-text('rm -rf build')").first().click();
    await page.locator(".pipeline").waitFor();
    await page.setViewportSize({ width: 1280, height: 1000 });
    await take("event");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press("3");
    await page.locator(".hook").first().waitFor();
    await take("hooks");
    await page.keyboard.press("2");
    await page.getByRole("button", { name: /^Fire/ }).click();
    await page.locator(".pipeline").waitFor();
    await take("playground");
    await asking(room, "git push --force");
    await page.locator("nav a").last().click();
    await page.getByText("May the agent use Bash?").waitFor();
    await take("permissions");
    const drawn = readdirSync(folder);
    expect(drawn.toSorted()).toEqual(readdirSync(DOCS).toSorted());
    for (const name of drawn) expect(statSync(join(folder, name)).size, name).toBeGreaterThan(LEAST_BYTES);
  });
});

const MARKUP = " <img src=x onerror=alert(1)>";
const DRAWN = "/home/you/project";
/** Its rewrite does not count, because the guard of the stage denies. */
const REWRITE = {
  hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "rm -ri build" } },
};
const CAREFUL = {
  matcher: "Bash",
  hooks: [
    {
      type: "command",
      name: "careful",
      command: `case "$(cat)" in *"rm "*) printf '%s' '${JSON.stringify(REWRITE)}' ;; esac`,
    },
  ],
};
const SOME = ["npm test", "git status", "git push origin main", "ls -la src", "rm -rf build"];
