import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN } from "./cli.ts";
import { hasTmux, openTerminal, type Terminal } from "./tmux.ts";

interface Demo extends Terminal {
  /** Waits for a text, wherever a line of it may be broken; also in what has scrolled away. */
  until(text: string): Promise<void>;
  /** The names in the folder for temporary files and in the home. */
  left(): string[];
}

/** The demo in a real terminal. */
function demoIn({ columns, flags = "", env = "" }: { columns: number; flags?: string; env?: string }): Demo {
  const root = mkdtempSync(join(tmpdir(), "belay-demo-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [tmp, home] = [join(root, "tmp"), join(root, "home")];
  mkdirSync(tmp);
  mkdirSync(home);
  const command = `env -u CI ${env} '${process.execPath}' '${BIN}' demo ${flags}`;
  const terminal = openTerminal(command, {
    columns,
    rows: 40,
    cwd: root,
    env: { HOME: home, TMPDIR: tmp, TERM: "xterm-256color" },
  });
  return {
    ...terminal,
    until: (text) =>
      expect
        .poll(() => terminal.all().replaceAll(/\s+/g, " "), { timeout: 20_000, interval: 50 })
        .toContain(text),
    left: () => [...readdirSync(tmp), ...readdirSync(home)],
  };
}

const MAY = "May the agent use Bash?";

describe.skipIf(!hasTmux()).each([50, 100])("on a terminal of %i columns", (columns) => {
  it("goes on with Enter, asks, takes prompts in between, and leaves with q", async () => {
    const demo = demoIn({ columns });
    await demo.until("2/9 blocked prompt");
    await demo.until("sum() is in sum.mjs.");
    await demo.until("Enter sends this");
    expect(demo.all()).not.toContain("3/9");
    demo.press("Enter");
    await demo.until("3/9 allow");
    expect(demo.all()).not.toContain("› read sum.mjs, and the key");
    expect(demo.all().match(/2\/9/g)).toHaveLength(1);
    expect(demo.all().match(/held an AWS key/g)).toHaveLength(1);

    demo.type("run echo mine");
    demo.press("Enter");
    await demo.until(MAY);
    await demo.until("Yes, once");
    demo.type("1");
    await demo.until("I ran `echo mine`");
    await demo.until("Enter sends this");
    expect(demo.all().match(/3\/9/g)).toHaveLength(1);

    demo.press("Enter");
    await demo.until("4/9 blocked stop");
    expect(demo.all()).toContain("reading inside the project");
    expect(demo.left()).toHaveLength(1);
    demo.type("q");
    expect(await demo.ended()).toBe(0);
    expect(demo.all()).toContain("belay init");
    expect(demo.all().replaceAll(/\s+/g, " ")).toContain("The 9 hooks are a few lines long each");
    expect(demo.left()).toEqual([]);
  });
});

describe.skipIf(!hasTmux())("on a terminal", () => {
  it("plays by itself with --fast, answers included, and ends", async () => {
    const demo = demoIn({ columns: 100, flags: "--fast" });
    await demo.until("4/9 blocked stop");
    await demo.until(MAY);
    await demo.until("9/9 ask");
    await demo.until(MAY);
    await demo.until("The user did not allow this: not on a Friday");
    await demo.until("The end");
    expect(await demo.ended()).toBe(0);
    const steps = [...demo.all().matchAll(/^(\d)\/9 {2}/gm)].map(([, step]) => Number(step));
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(demo.left()).toEqual([]);
  }, 90_000);

  it("a no of the user's counts as it does anywhere", async () => {
    const demo = demoIn({ columns: 100 });
    await demo.until("Enter sends this");
    demo.type("run touch made");
    demo.press("Enter");
    await demo.until(MAY);
    await demo.until("4 No");
    demo.type("n");
    await demo.until("Why not?");
    demo.type("not yet");
    demo.press("Enter");
    await demo.until("The user did not allow this: not yet");
    demo.type("/exit");
    demo.press("Enter");
    expect(await demo.ended()).toBe(0);
    expect(demo.left()).toEqual([]);
  });

  it("Ctrl-C leaves, a question open or not", async () => {
    const demo = demoIn({ columns: 100 });
    await demo.until("Enter sends this");
    demo.type("run sleep 30");
    demo.press("Enter");
    await demo.until(MAY);
    await demo.until("Yes, once");
    demo.press("C-c");
    expect(await demo.ended()).toBe(0);
    expect(demo.left()).toEqual([]);
  });

  it("nothing remains when the terminal is closed while a tool runs", async () => {
    const demo = demoIn({ columns: 100 });
    await demo.until("Enter sends this");
    demo.type("run sleep 30");
    demo.press("Enter");
    await demo.until("Yes, once");
    demo.type("1");
    await demo.until("running Bash");
    expect(demo.left()).toHaveLength(1);
    demo.hangUp();
    await expect.poll(demo.left, { timeout: 10_000 }).toEqual([]);
  });

  it("in CI nobody is there to press Enter: it prints the conversation", async () => {
    const demo = demoIn({ columns: 100, env: "CI=true" });
    expect(await demo.ended()).toBe(0);
    expect(demo.all()).toContain("user     no: not on a Friday");
    expect(demo.left()).toEqual([]);
  });
});
