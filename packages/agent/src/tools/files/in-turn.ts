/** The last task for each file that has one. */
const last = new Map<string, Promise<unknown>>();

/** Tasks on one file run one after another: of two edits called at once, none reads what the other is about to replace. */
export async function inTurn<T>(file: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(file) ?? Promise.resolve();
  const mine = before.then(task);
  const settled = mine.catch(() => {});
  last.set(file, settled);
  try {
    return await mine;
  } finally {
    if (last.get(file) === settled) last.delete(file);
  }
}
