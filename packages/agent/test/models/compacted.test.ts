import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgent } from "../../src/loop/agent.ts";
import { offlineModel } from "../../src/models/offline.ts";

it("what was done before a compaction is not done again by the offline model", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-agent-")));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, join(cwd, ".git")]) mkdirSync(folder, { recursive: true });
  const agent = await createAgent({ cwd, home, isAttended: false, mode: "bypass", model: offlineModel() });
  const ran = () =>
    agent.state.messages
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.type === "tool" ? [block.input] : []));
  try {
    await agent.send("run echo one, then run echo two");
    expect(ran()).toEqual([{ command: "echo one" }, { command: "echo two" }]);
    for (const command of ["echo three", "echo four"]) {
      await agent.compact();
      await agent.send(`run ${command}`);
      expect(ran()).toEqual([{ command }]);
    }
  } finally {
    await agent.close("other");
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
});
