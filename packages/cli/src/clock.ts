/**
 * `performance.now()` in the bundle of the command line: the same clock. Node's own is loaded at its first use, with all
 * that measures performance, and that takes half a millisecond.
 */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
