import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bash, stage, wants, write } from "./stage.ts";

const COMMAND = "touch ran";
const CALL = bash(COMMAND);

describe("permissions and the files of settings", () => {
  it("always is stored in the project's local settings, and holds in the next session", async () => {
    const played = await stage({
      replies: [{ calls: [CALL] }, { calls: [CALL] }, "Done."],
      answers: [{ kind: "always" }],
    });
    await played.agent.send("do it");
    expect(played.questions).toHaveLength(1);
    const file = join(played.project, ".belay", "settings.local.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ permissions: { allow: [`Bash(${COMMAND})`] } });
    const next = await stage({
      cwd: played.project,
      home: played.home,
      replies: wants(CALL),
      answers: [],
    });
    expect((await next.agent.send("do it")).reason).toBe("done");
    expect(next.questions).toEqual([]);
  });

  it.each(["", "[app]/"])(
    "always keeps the local settings out of the commits of a repository: %s",
    async (sub) => {
      const root = mkdtempSync(join(tmpdir(), "belay-git-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
      git("init", "--quiet");
      const cwd = join(root, sub);
      mkdirSync(join(cwd, ".belay"), { recursive: true });
      const again = { ...CALL, input: { command: "touch again" } };
      const played = await stage({
        cwd,
        home: join(root, ".git", "home"),
        replies: [{ calls: [CALL] }, { calls: [again] }, "Done."],
        answers: [{ kind: "always" }, { kind: "always" }],
      });
      await played.agent.send("do it");
      expect(git("status", "--porcelain", "--untracked-files=all").match(/settings/)).toBeNull();
      expect(
        readFileSync(join(root, ".git/info/exclude"), "utf8").match(/settings\.local\.json/g),
      ).toHaveLength(1);
    },
  );

  it("always, where the settings cannot be written: allowed once, and said", async () => {
    const played = await stage({ replies: wants(CALL), answers: [{ kind: "always" }] });
    mkdirSync(join(played.project, ".belay"));
    writeFileSync(join(played.project, ".belay", "settings.local.json"), "{ broken");
    expect((await played.agent.send("do it")).reason).toBe("done");
    expect(played.seen().join("\n")).toContain("the rule could not be stored");
    expect(existsSync(join(played.project, "ran"))).toBe(true);
  });

  it("an edit of the settings asks, even where edits pass", async () => {
    const { agent, questions, project } = await stage({
      replies: wants(write(".belay/settings.json", "{}")),
      mode: "acceptEdits",
      answers: [{ kind: "deny" }],
    });
    await agent.send("do it");
    expect(questions).toMatchObject([{ toolName: "Write" }]);
    expect(existsSync(join(project, ".belay", "settings.json"))).toBe(false);
  });

  it("what a project allows is said to be untrusted, and does not count", async () => {
    const first = await stage();
    mkdirSync(join(first.project, ".belay"));
    const settings = JSON.stringify({ permissions: { allow: ["Bash"], deny: ["Read"] } });
    writeFileSync(join(first.project, ".belay", "settings.json"), settings);
    const { agent, seen, questions } = await stage({
      cwd: first.project,
      home: first.home,
      replies: wants(CALL, { name: "Read", input: { file_path: "x" } }),
      answers: [{ kind: "once" }],
    });
    await agent.send("do it");
    expect(questions).toHaveLength(1);
    expect(seen().join("\n")).toContain("belay trust");
    expect(seen().join("\n")).toMatch(/Read failed: .*rule/);
  });
});
