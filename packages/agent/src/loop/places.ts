/** A place among so many: one works while it has it. */
export interface Place {
  /** Waits for it. Who had it before and comes back is the next to have one. */
  take(): Promise<void>;
  /** Gives it to the next, if it is taken. */
  leave(): void;
}

/** Places in the order in which they are asked for, no more than `count` of them taken at once. */
export function createPlaces(count: number): () => Place {
  let free = count;
  const queue: (() => void)[] = [];
  return () => {
    let isTaken = false;
    let add: "push" | "unshift" = "push";
    return {
      take: async () => {
        if (free > 0) free -= 1;
        else await new Promise<void>((resolve) => queue[add](resolve));
        isTaken = true;
        add = "unshift";
      },
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        const next = queue.shift();
        if (next) next();
        else free += 1;
      },
    };
  };
}
