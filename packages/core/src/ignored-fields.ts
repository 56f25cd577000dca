/** What a field that is not read leaves undone, and what to do about it. */
interface Ignored {
  /** Values that change nothing here; `false` if absent. */
  readonly unless?: readonly unknown[];
  readonly instead: string;
  readonly advice: string;
}

const IN_THE_BACKGROUND: Ignored = {
  instead: "work waits for the hook, and its answer counts",
  advice: "Let the command start what takes long in the background.",
};

/** Fields of other systems that change when, where or how a hook runs. Here they do not, and that is never silent. */
const IGNORED_FIELDS: Readonly<Record<string, Ignored>> = {
  if: {
    instead: "the hook runs whenever its matcher fits",
    advice: "Narrow the matcher, and let the hook look at its input.",
  },
  async: IN_THE_BACKGROUND,
  asyncRewake: IN_THE_BACKGROUND,
  once: { instead: "the hook runs every time", advice: "Let the hook remember that it has run." },
  shell: {
    unless: ["sh", "bash"],
    instead: "`sh -c` runs the command",
    advice: "Call that shell in the command.",
  },
  cwd: { instead: "the hook runs in the event's working folder", advice: "Begin the command with a cd." },
  env: { instead: "the hook runs without these variables", advice: "Set them in the command." },
  failClosed: { instead: "a fault lets work go on", advice: 'Write "onFailure": "block".' },
  model: { instead: "the agent's own model is asked", advice: "Remove it, unless another agent reads it." },
  continueOnBlock: {
    instead: "a no is read as exit 2",
    advice: "Remove it, unless another agent reads it.",
  },
};

export const OTHERS_FIELDS: readonly string[] = Object.keys(IGNORED_FIELDS);

/** The fields of an entry that are not read and would change how it runs. */
export function ignoredIn(entry: Record<string, unknown>): string[] {
  return OTHERS_FIELDS.filter((name) => {
    const { unless = [false] } = IGNORED_FIELDS[name] ?? {};
    return Object.hasOwn(entry, name) && !unless.includes(entry[name]);
  });
}

/** The values of its diagnostic. */
export function ignoredValues(field: string): { field: string; instead: string; advice: string } {
  const { instead = "", advice = "" } = IGNORED_FIELDS[field] ?? {};
  return { field, instead, advice };
}
