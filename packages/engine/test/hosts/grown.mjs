/**
 * Resolves with what an act gives back and by how many MiB this process grew meanwhile. For a host of its own: test files
 * share one process, and another's memory would be measured with it.
 *
 * @template Result
 * @param {() => Promise<Result>} act
 * @returns {Promise<{ result: Result, grownMiB: number }>}
 */
export async function whileGrowing(act) {
  const before = process.memoryUsage.rss();
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 5);
  const result = await act();
  clearInterval(watch);
  highest = Math.max(highest, process.memoryUsage.rss());
  return { result, grownMiB: (highest - before) / 1024 / 1024 };
}
