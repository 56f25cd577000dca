import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { threadCpuMs } from "../src/process/thread-cpu.ts";

it("counts what this thread does, and nothing of what another one of the process does", async () => {
  const before = { thread: threadCpuMs(), process: process.cpuUsage() };
  const other = new Worker("for (const from = process.cpuUsage(); process.cpuUsage(from).user < 4e5; );", {
    eval: true,
  });
  await once(other, "exit");
  const { user } = process.cpuUsage(before.process);
  const used = threadCpuMs() - before.thread;
  expect(used * 2).toBeLessThan(user / 1000);
  for (const from = threadCpuMs(); threadCpuMs() - from < 50; );
});
