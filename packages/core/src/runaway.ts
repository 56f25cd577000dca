/** More repeats than this, one after another, are too many ways to cut even a short name into pieces. */
const MAX_REPEATS = 5;

const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|[()|]|[*+]|\{\d+(?:,\d*)?\}/gs;

/**
 * Whether a backtracking engine might try a pattern for longer than anyone waits: a repeated group that itself repeats
 * or chooses, or many repeats in a row. A guess on the safe side, for the few patterns that the linear engine cannot run.
 */
export function mayRunAway(pattern: string): boolean {
  /** For each open group, the whole pattern first: whether it repeats or chooses inside. */
  const open = [false];
  let closed: { readonly branches: boolean; readonly end: number } | undefined;
  let repeats = 0;
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const inner = open.length - 1;
    if (token === "(") open.push(false);
    else if (token === ")" && inner > 0) {
      const branches = open.pop() === true;
      closed = { branches, end: index + 1 };
      open[inner - 1] ||= branches;
    } else if (token === "|") open[inner] = true;
    else if (/^[*+{]/.test(token)) {
      if (closed?.end === index && closed.branches) return true;
      repeats += 1;
      open[inner] = true;
    }
  }
  return repeats > MAX_REPEATS;
}
