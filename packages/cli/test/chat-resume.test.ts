import { readFileSync, writeFileSync } from "node:fs";
import { createAgent, offlineModel } from "@belay/agent";
import { expect, it } from "vitest";
import { BYPASS, hook, says } from "./chat-hooks.ts";
import { type Scratch, scratch } from "./cli.ts";

it("goes on with a session, and prints only what is new", async () => {
  const folder = scratch();
  const config = folder.config(hook("UserPromptSubmit", says({ systemMessage: "mind the gap" })));
  await folder.belay(["chat", "-p", "run echo one", ...BYPASS, "--config", config]);
  const flags = ["chat", "--resume", "-p", "run echo two", ...BYPASS, "--output"];
  const stream = await folder.belay([...flags, "stream-json"]);
  expect(stream.stdout).not.toMatch(/mind the gap|echo one/);
  const whole = JSON.parse((await folder.belay([...flags, "json"])).stdout);
  expect(JSON.stringify(whole.messages)).toMatch(/mind the gap.*echo one.*echo two/);
});

it("says at each start without its flags which hooks of the session are missing", async () => {
  const folder = scratch();
  folder.config({ Stop: [{ hooks: [{ type: "command", command: "true", name: "gate" }] }] });
  const flags = ["--config", "hooks.json", ...BYPASS];
  const chat = async (...args: string[]) => {
    const { stderr } = await folder.belay(["chat", "-p", "run echo one", ...args]);
    return stderr.replaceAll(folder.project, ".").replaceAll(/[\da-f]{8}/g, "ID");
  };
  const said =
    "warning: 1 hook that this session had is missing now: Stop gate (./hooks.json:1). Next: belay chat --resume ID --config hooks.json --mode bypass\n";
  expect(await chat(...flags)).toBe("");
  expect(await chat("--resume", ...BYPASS)).toBe(said);
  expect(await chat("--resume", ...BYPASS)).toBe(said);
  expect(await chat("--resume", ...flags)).toBe("");
  folder.config({});
  expect(await chat("--resume", ...flags)).toBe(`${said.slice(0, said.indexOf(". Next"))}\n`);
  expect(await chat("--resume", ...flags)).toBe("");
});

/** A session as a crash leaves it: a question is open. `edit` is done to its transcript. */
async function leftAsking(
  { project, home }: Scratch,
  prompt: string,
  edit = (transcript: string) => transcript,
): Promise<string> {
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  const turn = agent.send(prompt);
  await expect.poll(() => agent.state.pending.length).toBe(1);
  const transcript = readFileSync(agent.transcriptPath, "utf8");
  await agent.close("other");
  await turn;
  writeFileSync(agent.transcriptPath, edit(transcript));
  return agent.sessionId;
}

it("leaves a question of a resumed session open, and says that the prompt was not sent", async () => {
  const folder = scratch();
  const id = await leftAsking(folder, "write a.txt: hello");
  const flags = ["chat", "--resume", "-p", "read a.txt", "--output"];
  const why = "Write needs a permission, and nobody is there to give it: it changes files";
  const stderr = `warning: a question of the resumed session is open, and the prompt was not sent: ${why}. Next: belay chat --resume ${id.slice(0, 8)}\n`;
  expect(await folder.belay([...flags, "text"])).toEqual({ code: 2, stdout: "", stderr });
  const json = await folder.belay([...flags, "json"]);
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({
    code: 2,
    stderr,
    stdout: { stopReason: "unanswered", detail: why },
  });
  expect(json.stdout).not.toContain("read a.txt");
  // Now the mode has the answer.
  const stream = await folder.belay([...flags, "stream-json", ...BYPASS]);
  expect({ code: stream.code, stderr: stream.stderr }).toEqual({ code: 0, stderr: "" });
  expect(stream.stdout).toMatch(/"name":"Write".*"stage":"done","success":true.*\n.*read a\.txt/s);
});

it("prints no sign of a tool's name that a terminal would follow", async () => {
  const name = "Wri\u009b31mte\u202e";
  const stdouts: string[] = [];
  for (const output of ["text", "json", "stream-json"]) {
    const folder = scratch();
    await leftAsking(folder, "write a.txt: hello", (text) =>
      text.replaceAll('"name":"Write"', `"name":${JSON.stringify(name)}`),
    );
    const { stdout, stderr } = await folder.belay(["chat", "--resume", "-p", "hello", "--output", output]);
    expect(stdout + stderr).not.toMatch(/[\u0080-\u009f\u202e]/);
    if (output === "text") expect(stderr).toContain("Wri\\u009b31mte\\u202e failed: There is no tool");
    stdouts.push(stdout);
  }
  const [, json = "", stream = ""] = stdouts;
  expect(JSON.stringify(JSON.parse(json))).toContain(name);
  expect(JSON.parse(stream.split("\n")[0] ?? "")).toMatchObject({ type: "block", index: 0, block: { name } });
});
