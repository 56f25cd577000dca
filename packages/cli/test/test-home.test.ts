import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { whyItStays } from "../src/testing/run/case-folders.ts";
import { run } from "./case-files.ts";

it("what a case leaves writing in its home costs no later case its result", async () => {
  const flags = mkdtempSync(join(tmpdir(), "belay-flags-"));
  onTestFinished(() => rmSync(flags, { recursive: true, force: true }));
  const writers = ["1", "2", "3", "4"];
  // Each fills a folder of its own, so that there is always one which is not empty when it is removed.
  const write = `i=0; until [ -e ${flags}/end ] || [ $i -gt 99999 ]; do mkdir -p "$HOME/d/$0/$i"; i=$((i+1)); done`;
  const hook = `[ -e ${flags}/begun ] && { ls -d "$HOME" >&2; exit 2; }
touch ${flags}/begun
for n in ${writers.join(" ")}; do setsid sh -c '${write}; touch ${flags}/ended-'$n $n > ${flags}/out 2>&1 & done; sleep 0.2`;
  const later = Array.from({ length: 20 }, (_, index) => ({
    name: `later ${index}`,
    event: "Stop",
    expect: { reason: "{home}" },
  }));
  const cases = [{ name: "a", event: "Stop", expect: { decision: "none" } }, ...later];
  const { code, stdout } = await run({ "a.hooks.json": JSON.stringify({ hook, cases }) }, ["-p", "1"]);
  writeFileSync(join(flags, "end"), "");
  await vi.waitUntil(() => writers.every((n) => existsSync(join(flags, `ended-${n}`))), 20_000);
  expect([code, stdout]).toEqual([0, expect.stringContaining("21 passed")]);
});

it("why something stays is what the system says of the file, not that it is no folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "belay-stays-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const aside = Object.assign(new Error("ENOTDIR: not a directory, scandir"), {
    code: "ENOTDIR",
    path: folder,
  });
  expect(whyItStays(aside)).toMatchObject({ syscall: "unlink", path: folder });
  const other = new Error("EBUSY");
  expect(whyItStays(other)).toBe(other);
});
