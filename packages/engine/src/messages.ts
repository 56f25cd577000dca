import { type Token, tokensOf } from "./shell-tokens.ts";
import { LAST_ARGUMENT, unquote } from "./shell-words.ts";

/*
 * What a hook says names nothing: the words of an echo or a printf whose output is the hook's own, and comments. Where a
 * pipe, a redirection or a substitution may give it to a program, or echo may be another one, it counts as ever.
 */

interface Word {
  readonly token: Token;
  /** As it is written, and without its quotes. */
  readonly raw: string;
  readonly bare: string;
}

/** What stands between two operators. */
interface Part {
  readonly words: readonly Word[];
  readonly redirections: readonly string[];
  readonly before: string;
  readonly behind: string;
}

/** In an answer, which may be said in parts: what the agent is to run in place of its own command. */
const REWRITES = /(?:command|updated\w*)\\?"\s*:/;

/** A command of a POSIX shell without what it says. */
export function withoutMessages(command: string): string {
  const isGivenOn = LAST_ARGUMENT.test(command) || REWRITES.test(command);
  const tokens = isGivenOn ? undefined : tokensOf(command);
  if (tokens === undefined) return command;
  const parts = partsOf(command, tokens);
  if (parts.some(mayChangeOthers)) return command;
  const later = parts.slice(parts.findLastIndex(isEndOfTakenGroup) + 1);
  const said = later.filter((part) => !isTaken(part)).flatMap(wordsSaid);
  const comments = tokens.filter(({ kind }) => kind === "comment");
  return without(command, [...said.map(({ token }) => token), ...comments]);
}

function partsOf(command: string, tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let words: Word[] = [];
  let redirections: string[] = [];
  let before = "";
  const end = (behind: string) => {
    parts.push({ words, redirections, before, behind });
    [words, redirections, before] = [[], [], behind];
  };
  for (const token of tokens) {
    const raw = command.slice(token.start, token.end);
    if (token.kind === "operator") end(raw);
    if (token.kind === "redirection") redirections.push(raw);
    if (token.kind === "word") words.push({ token, raw, bare: unquote(raw) });
  }
  end("");
  return parts;
}

const KEYWORD = /^(?:[!{]|if|then|elif|else|while|until|do|time)$/;
const ENDS_GROUP = /^(?:\}|fi|done|esac)$/;
/** It leads to where hooks speak, or nowhere; or it only reads. */
const HARMLESS = /^(?:[12]?>(?:>?[ \t]*\/dev\/(?:null|stdout|stderr)|&[ \t]*[12-])|<(?![<>&]).*)$/;
const BEFORE_PROGRAM = /^(?:\w+=|(?:builtin|command)$)/;
/** What may make another program of echo. */
const REDEFINES = /^(?:alias|coproc|enable|eval|function)$/;

/** The program and what it is given. */
function givenIn({ words }: Part): readonly Word[] {
  const start = words.findIndex(({ bare }) => !KEYWORD.test(bare));
  return start === -1 ? [] : words.slice(start);
}

/** Whether a part may give others another meaning or output: also by a bracket that begins a function, f(), or a list, a=(…). */
function mayChangeOthers(part: Part): boolean {
  const given = givenIn(part);
  if (part.behind === "(" && (given.length > 0 || part.redirections.length > 0)) return true;
  const program = given.find(({ bare }) => !BEFORE_PROGRAM.test(bare));
  if (program?.bare === "." || program?.bare === "source") return true;
  return part.words.some(({ bare }) => REDEFINES.test(bare) || (bare === "exec" && isRedirected(part)));
}

function isRedirected({ redirections }: Part): boolean {
  return redirections.some((redirection) => !HARMLESS.test(redirection));
}

function isTaken(part: Part): boolean {
  return /^\|&?$/.test(part.behind) || isRedirected(part);
}

/** Which of the parts before it stand in that group is not asked. */
function isEndOfTakenGroup(part: Part): boolean {
  const isBehindBracket = part.before === ")" && part.words.length === 0;
  return isTaken(part) && (isBehindBracket || part.words.some(({ bare }) => ENDS_GROUP.test(bare)));
}

const SINGLE_QUOTED = /^'[^']*'$/;
/** A substitution, or a variable that it may set. */
const HOLDS_MORE = /`|\$\(|\$\{(?!\w+\})/;

/** `printf -v` sets a variable. */
function wordsSaid(part: Part): readonly Word[] {
  const [program, ...words] = givenIn(part);
  const isOutput =
    program?.bare === "echo" || (program?.bare === "printf" && !words[0]?.bare.startsWith("-"));
  if (!isOutput) return [];
  return words.filter(
    ({ raw }) => SINGLE_QUOTED.test(raw) || !HOLDS_MORE.test(raw.replaceAll(/\\[\s\S]/g, "")),
  );
}

function without(text: string, left: readonly Token[]): string {
  let kept = "";
  let from = 0;
  for (const { start, end } of [...left].sort((a, b) => a.start - b.start)) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}
