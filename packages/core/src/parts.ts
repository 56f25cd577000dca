import type { Address } from "./event-row.ts";
import type { Heard } from "./hear.ts";
import { type Output, withoutBlankLines } from "./output.ts";
import type { Reading } from "./reading.ts";
import type { Rule } from "./rules.ts";
import { isRestriction } from "./strict.ts";
import type { Part } from "./types.ts";
import { AMONG_OTHER } from "./unfinished.ts";
import type { Said } from "./weigh.ts";

/** Every text of a verdict by what it is, in the order in which it is read: decision, context, message, transcript. */
export function partsOf(said: Said, answer: Heard, output: Output, reading: Reading): Part[] {
  return [
    ...decisionParts(said, answer, output, reading),
    ...contextParts(said, answer, output, reading),
    ...systemParts(said, answer, reading),
    ...said.parts,
    ...transcriptParts(answer, output, reading),
  ];
}

/** A systemMessage that is a refusal's reason is not told again to who has read it so. */
function systemParts(said: Said, { systemMessage, restrictOnly }: Heard, { rule }: Reading): Part[] {
  if (systemMessage === undefined) return [];
  const { refusal, dialect } = rule;
  const isReason = dialect.systemMessageIsReason && said.reason === undefined && said.kind === refusal;
  const { to } = addressOf(said, rule);
  if (isReason && !restrictOnly && dialect.systemMessage.every((reader) => reader === to)) return [];
  return [{ kind: "system", text: systemMessage, ...(restrictOnly && { userOnly: true }) }];
}

/** The words of a decision: the hook's own, else the best stand-in (DESIGN §4.2, §6). */
export function wordsOf(said: Said, answer: Heard, { hook, rule }: Reading): { reason?: string } {
  if (said.reason !== undefined) return { reason: said.reason };
  const { kind } = said;
  if (!isRestriction(kind)) return {};
  const borrows = kind === "ask" || rule.dialect.systemMessageIsReason;
  if (borrows && answer.systemMessage !== undefined) return { reason: answer.systemMessage };
  const verb = kind === "ask" ? "confirmation asked" : kind === "stop" ? "stopped" : "blocked";
  return { reason: `${verb} by hook ${hook.name}: no reason given` };
}

/** Who reads the words of a refusal. */
function addressOf({ source }: Said, { stderr, reason }: Rule): Address {
  return source === "exit" ? stderr : reason;
}

function decisionParts(said: Said, answer: Heard, output: Output, reading: Reading): Part[] {
  const { reason } = wordsOf(said, answer, reading);
  const { rule } = reading;
  const { name: hook } = reading.hook;
  if (reason === undefined || said.kind === "abstain") return [];
  if (said.kind === "stop") return [{ kind: "stop-reason", text: reason }];
  if (said.kind === "allow") return [{ kind: "permission-reason", text: reason }];
  if (said.kind === "ask") {
    const alreadyShown = said.reason === undefined && rule.dialect.systemMessage.includes("user");
    return alreadyShown && answer.systemMessage !== undefined
      ? []
      : [{ kind: "permission-reason", text: reason }];
  }
  const isStderr = said.source === "exit";
  const words = { kind: isStderr ? "refusal-stderr" : "refusal-reason", text: reason } as const;
  const isBorrowed = said.reason === undefined && reason === answer.systemMessage;
  const isFromJson = isBorrowed || (!isStderr && said.reason !== undefined);
  const { to } = addressOf(said, rule);
  if (!answer.restrictOnly || !isFromJson || to === "user") return [words];
  const { withheld } = output.form === "mixed" ? output.hedge : AMONG_OTHER;
  const instead = `blocked by hook ${hook}; its words went to the user only, because ${withheld}`;
  return [
    { ...words, text: instead },
    { kind: "withheld", text: `hook ${hook} says: ${reason}` },
  ];
}

function contextParts(said: Said, answer: Heard, output: Output, { run, rule }: Reading): Part[] {
  const parts: Part[] = [];
  const isSound = output.form === "plain" || (output.form === "mixed" && output.problem === undefined);
  const plain = isSound ? output.text : "";
  const isDone = run.exitCode === 0 && run.failure === undefined;
  if (plain !== "" && isDone && rule.stdoutIsContext) {
    parts.push({ kind: "plain-context", text: plain });
  }
  if (answer.context !== undefined && !answer.restrictOnly && !said.saysContext)
    parts.push({ kind: "context", text: answer.context });
  return parts;
}

/** Raw stdout of exit 0, for dialects that show it. */
function transcriptParts(answer: Heard, output: Output, { run, rule }: Reading): Part[] {
  if (rule.dialect.otherStdout !== "transcript" || answer.suppressOutput || run.exitCode !== 0) return [];
  const isContext = rule.stdoutIsContext && output.form !== "json";
  const isSilence = output.form === "json" && Object.keys(output.object).length === 0;
  if (output.form === "empty" || isSilence || isContext) return [];
  return [{ kind: "transcript", text: withoutBlankLines(run.stdout) }];
}
