import { readdirSync } from "node:fs";

const counts = () => ({
  newDescriptors: readdirSync("/proc/self/fd").length,
  newHandles: process.getActiveResourcesInfo().filter((name) => name !== "TTYWrap").length,
  newListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

/**
 * Fires four events at a time until so many answers have come, and prints what is left over afterwards.
 *
 * @param {() => Promise<number>} fire the number of its answers
 * @param {number} times
 */
export async function leftOver(fire, times) {
  await fire();
  await settled();
  const [before, rss] = [counts(), process.memoryUsage.rss()];
  let answers = 0;
  while (answers < times) {
    const given = await Promise.all([fire(), fire(), fire(), fire()]);
    answers += given.reduce((sum, count) => sum + count, 0);
  }
  await settled();
  const after = counts();
  return {
    answers: Math.min(answers, times),
    newDescriptors: after.newDescriptors - before.newDescriptors,
    newHandles: after.newHandles - before.newHandles,
    newListeners: after.newListeners - before.newListeners,
    rssGrowth: process.memoryUsage.rss() - rss,
  };
}
