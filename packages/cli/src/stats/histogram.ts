/*
 * Quantiles of times without keeping them: values are counted in buckets whose bounds grow by the same factor, so that the
 * middle of a bucket is at most ERROR away from any value in it, as a share of that value.
 */

/** Every quantile is within this share of a value that was really there. */
export const ERROR = 0.01;

const FACTOR = (1 + ERROR) / (1 - ERROR);
/** Milliseconds; what is less counts as this, and as much time as a journal is kept is below the other. */
const LEAST = 0.001;
const MOST = 3_000_000_000;
const BUCKETS = Math.ceil(Math.log(MOST / LEAST) / Math.log(FACTOR)) + 1;

export interface Histogram {
  add(value: number): void;
  readonly count: number;
  /** The value that a share of all values is at or below; 0 when there are none. */
  quantile(share: number): number;
}

export function histogram(): Histogram {
  // Most of them stay empty, and there is a histogram for every hook.
  const buckets = new Map<number, number>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    add: (value) => {
      const at = Math.ceil(Math.log(value / LEAST) / Math.log(FACTOR));
      const bucket = Math.min(BUCKETS - 1, Math.max(0, at || 0));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      count += 1;
    },
    quantile: (share) => {
      let left = Math.max(1, Math.ceil(share * count));
      for (const [bucket, inIt] of [...buckets].sort(([a], [b]) => a - b)) {
        left -= inIt;
        // Between the bounds of a bucket, this is the value with the least error for both.
        if (left <= 0) return (LEAST * FACTOR ** bucket * 2) / (FACTOR + 1);
      }
      return 0;
    },
  };
}
