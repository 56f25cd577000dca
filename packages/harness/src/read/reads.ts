import type { FailClosed, HookRun } from "../harness.ts";
import type { FieldType } from "./fields.ts";
import { wholeObject } from "./form.ts";

/** One way to say something in JSON: a field, by its path, and the values that say it. */
export interface Saying {
  readonly at: string;
  readonly is: readonly unknown[];
  /** Where its words stand. */
  readonly words?: string;
  /** Without words it does not count. */
  readonly needsWords?: true;
  /** Where anything stands at this path, this is not read. */
  readonly unless?: string;
  /** It also ends the turn. */
  readonly ends?: true;
}

/** What a hook can answer at one event of one harness. What is absent is not read there. */
export interface Answers {
  /** When exit 2 refuses: always, with words on stderr, with words on either stream, or where no JSON stands beside it. */
  readonly exit2?: "always" | "stderr" | "words" | "alone";
  /** Another exit code that refuses, without words, and ends the turn. */
  readonly endingExit?: number;
  /** What further fields must hold here. */
  readonly fields?: Reads["fields"];
  readonly deny?: readonly Saying[];
  readonly ask?: readonly Saying[];
  readonly allow?: readonly Saying[];
  /** Who reads the words of a refusal; the agent if absent. */
  readonly wordsTo?: "user" | "nobody";
  /** A refusal also ends the turn. */
  readonly refusalEnds?: true;
  /** The field of a denial that ends the turn. */
  readonly interrupt?: string;
  /** The input to use instead. `needs`: it counts with an allow alone, or with anything but an ask. */
  readonly rewrite?: { readonly at: string; readonly needs?: "allow" | "no-ask" };
  readonly prompt?: string;
  readonly context?: readonly string[];
  /** Context is a refusal: the agent goes on with it. */
  readonly contextRefuses?: true;
  /** The tool's output to use instead: the field, and what it must hold. */
  readonly output?: { readonly at: string; readonly is: "object" | "any" };
  /** Who reads plain stdout. */
  readonly plain?: "agent" | "user";
  /** JSON is plain text as well. */
  readonly readsNoJson?: true;
  /** What is plain text for the agent may be a JSON answer besides. */
  readonly plainBesides?: true;
  /** Of several hooks that decide the first to finish counts, however strict the others are. */
  readonly firstDecides?: true;
  /** The setting by which a failed hook refuses has no effect here. */
  readonly failsOpen?: true;
  /** Who reads stderr of an exit 2 that refuses nothing; nobody if absent. */
  readonly notice?: "agent" | "user";
  /** What `continue: false` does. "passes": it only undoes a refusal. "told": the agent reads its reason, and no context. */
  readonly stop?: "ends" | "refuses" | "refuses-and-ends" | "told" | "passes";
  /** Where the words of such a stop stand; nobody reads any if absent. */
  readonly stopWords?: string;
  /** The user reads the systemMessage. */
  readonly message?: true;
}

/** Why a harness sets a whole answer aside, and what to write instead. */
export interface Flaw {
  readonly why: string;
  readonly fix: string;
}

/** What stdout is to a harness. */
export type Form =
  | { readonly answer: Readonly<Record<string, unknown>> }
  /** `failed`: it counts as a failure of the hook, not as text. */
  | { readonly text: string; readonly flaw?: Flaw; readonly failed?: true };

/** How a harness reads what hooks print, and how it folds several hooks. */
export interface Reads {
  readonly form: (stdout: string) => Form;
  /** What fields must hold, by their paths: another value voids the whole answer. */
  readonly fields?: Readonly<Record<string, FieldType>>;
  /** Why a JSON answer as a whole does not count. */
  readonly flaw?: (answer: Readonly<Record<string, unknown>>, native: string) => Flaw | undefined;
  /** At which exit codes JSON is read besides 0: any, any but 2, or none. "first": it goes before an exit 2. */
  readonly json: "exit-0" | "any" | "first";
  /** A deny in JSON goes before an exit 2: its words are read, not stderr. */
  readonly denyBeforeExit2?: true;
  /** Exit codes besides 0 and 2 that refuse where exit 2 does: all, or those from 3 on. */
  readonly otherExits?: "refuse" | "refuse-from-3";
  /** Nobody reads the stderr of an exit code that refuses. JSON beside an exit 2 is read. */
  readonly losesStderr?: true;
  /** The agent reads stderr of exit code 1. */
  readonly exit1Stderr?: "agent";
  /** Output that is no answer and not empty refuses. */
  readonly strict?: true;
  /** A failed http hook refuses. A time limit that is reached refuses nowhere by itself. */
  readonly httpFailureRefuses?: true;
  /** Types of hooks that it runs besides commands. Others have no say there. */
  readonly types?: readonly HookRun["type"][];
  /** The setting by which a failed hook refuses. */
  readonly failClosed?: FailClosed;
  /** An ask is put to the user; false: the step runs, whatever the hook asked. */
  readonly asks: boolean;
  readonly fold: Fold;
}

/** How several hooks become one answer. */
export interface Fold {
  /** "strictest"; or whose decision in JSON counts, while an exit 2 refuses ("first") or yields to an allow ("last"). */
  readonly decision: "strictest" | "first" | "last";
  /** Whose words of several refusals are read. */
  readonly words: "first" | "last" | "all";
  /** A hook that fails otherwise than by exit 2 undoes what the hooks beside it deny in JSON. */
  readonly failureUndoesDeny?: true;
  /** A denied call carries no context. */
  readonly denyDropsContext?: true;
  readonly rewrite: "last-finished" | "last-configured" | "first-configured";
  /** The new input is laid over the old one. */
  readonly merges?: true;
}

/** What most harnesses have in common. */
export const USUAL = {
  form: wholeObject,
  fold: { decision: "strictest", words: "first", rewrite: "last-configured" },
} as const satisfies Partial<Reads>;
