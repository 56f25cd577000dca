import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { files, open, records } from "./journals.ts";
import { codes } from "./scratch.ts";

const today = () => `${new Date().toISOString().slice(0, 10)}.jsonl`;
const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("a journal where somebody else could write", () => {
  it("does not follow a link in a file's place: a record would end in a file that is none of ours", async () => {
    const { engine, folder } = await open([]);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    const profile = join(folder, "..", "profile");
    writeFileSync(profile, "# mine\n", { mode: 0o644 });
    symlinkSync(profile, join(folder, today()));
    const outcome = await engine.fire("Stop");
    expect(codes(outcome)).toEqual(["journal-failed"]);
    expect(outcome.diagnostics[0]?.message).toContain(`${today()} is a link, not a file`);
    expect([readFileSync(profile, "utf8"), modeOf(profile)]).toEqual(["# mine\n", 0o644]);
  });

  it("is not made by a link that leads nowhere", async () => {
    const { engine, folder } = await open([]);
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(folder, "..", "none"), join(folder, today()));
    expect(codes(await engine.fire("Stop"))).toEqual(["journal-failed"]);
    expect(files(join(folder, ".."))).not.toContain("none");
  });

  it("leaves the folder behind a link as open as it is: it may be used by others", async () => {
    const { engine, folder } = await open([]);
    const journals = dirname(folder);
    const shared = join(dirname(journals), "..", "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    mkdirSync(dirname(journals), { recursive: true });
    symlinkSync(shared, journals);
    await engine.fire("Stop");
    expect([modeOf(shared), modeOf(folder)]).toEqual([0o1777, 0o700]);
    expect(records(folder)).toHaveLength(1);
  });
});
