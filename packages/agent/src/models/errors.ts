import { ModelError, type ModelErrorKind } from "./model.ts";

/** Where a request went, for what is said when it fails. */
export interface Where {
  readonly name: string;
  readonly url: string;
  readonly keyName: string;
}

/** What is known of a failure, whoever reported it. */
interface Facts {
  readonly status?: number;
  /** The server's own words, or the system's. */
  readonly detail: string;
  /** All of what the server sent, where that is more. */
  readonly body?: string;
  /** The answer had begun. */
  readonly hasBegun?: boolean;
  /** The server answers, but not in its own language. */
  readonly isNonsense?: boolean;
}

interface Reading {
  readonly kind: ModelErrorKind;
  readonly when: (facts: Facts) => boolean;
  /** What happened, where, what next. */
  readonly tells: (facts: Facts, where: Where) => string;
}

function says({ detail, body = "" }: Facts, words: RegExp): boolean {
  return words.test(detail) || words.test(body.slice(0, 10_000));
}

const TOO_LONG =
  /context[_ ](?:length|window|size)|maximum context|prompt is too long|too many tokens|request_too_large/i;
const NO_MODEL =
  /model_not_found|model\b.{0,80}\b(?:not found|does not exist|not exist)|(?:unknown|invalid) model/i;

/** The first row that fits. */
const READINGS: readonly Reading[] = [
  {
    kind: "server",
    when: ({ isNonsense = false }) => isNonsense,
    tells: ({ detail }, { url }) =>
      `${url} sent an answer that cannot be read (${detail}). Check that --base-url points to the right server, then try again.`,
  },
  {
    kind: "context",
    when: (facts) => facts.status === 413 || (facts.status !== 429 && says(facts, TOO_LONG)),
    tells: ({ detail }, { name }) =>
      `The conversation is too long for ${name} (${detail}). Use /compact, or /clear to begin again.`,
  },
  {
    kind: "key",
    when: ({ status }) => status === 401 || status === 403,
    tells: ({ status, detail }, { url, keyName }) =>
      `${url} refused the key (HTTP ${status}: ${detail}). Check ${keyName} in the environment.`,
  },
  {
    kind: "model",
    when: (facts) => facts.status === 404 || (facts.status === 400 && says(facts, NO_MODEL)),
    tells: ({ status, detail }, { name, url }) =>
      `${url} does not know ${name} (HTTP ${status}: ${detail}). Check the name given to --model, and --base-url if you set it.`,
  },
  {
    kind: "limit",
    when: ({ status }) => status === 429,
    tells: ({ detail }, { url }) =>
      `${url} takes no more requests at the moment (HTTP 429: ${detail}). Wait and try again, or look at your plan's limits.`,
  },
  {
    kind: "server",
    when: ({ status }) => status !== undefined && status >= 500,
    tells: ({ status, detail }, { url }) =>
      `${url} failed (HTTP ${status}: ${detail}). Try again; if it stays so, look at the state of that service.`,
  },
  {
    kind: "server",
    when: ({ status }) => status !== undefined,
    tells: ({ status, detail }, { url }) =>
      `${url} refused the request (HTTP ${status}: ${detail}). Check that --base-url and --model belong together.`,
  },
  {
    kind: "cut",
    when: ({ hasBegun = false }) => hasBegun,
    tells: ({ detail }, { url }) =>
      `The connection to ${url} was cut in the middle of an answer (${detail}). What had come is kept; send your prompt again.`,
  },
  {
    kind: "network",
    when: () => true,
    tells: ({ detail }, { url }) =>
      `No connection to ${url} (${detail}). Check your network and --base-url; --model offline needs neither.`,
  },
];

/** The failure of a request as the agent tells it. */
function modelError(facts: Facts, where: Where, cause?: unknown): ModelError {
  const clean = { ...facts, detail: oneLine(facts.detail) };
  const { kind, tells } = READINGS.find(({ when }) => when(clean)) as Reading;
  return new ModelError(kind, tells(clean, where), { cause });
}

const KEPT = 300;

/** Servers write what they like: a line of it is enough. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return line.length > KEPT ? `${line.slice(0, KEPT)}…` : line || "no reason given";
}

export type Ai = typeof import("ai");

/** A request that failed, and whether sending it again may help. */
export interface Failure {
  readonly error: ModelError;
  readonly isPassing: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly waitMs?: number;
}

/** A stream that ended although the server never said that it was finished. */
export class Unfinished extends Error {}

/** Reads what the AI SDK throws or streams as an error, after some words of the answer or before. */
export function failureOf(ai: Ai, error: unknown, where: Where, hasSaid: boolean): Failure {
  if (ai.APICallError.isInstance(error)) return refused(error, where);
  const isUnfinished = error instanceof Unfinished || isWithoutEnd(ai, error);
  const detail = isUnfinished ? "it ended without an end" : messageOf(error);
  if (isBrokenConnection(error) || (isUnfinished && hasSaid))
    return { error: modelError({ detail, hasBegun: true }, where, error), isPassing: true };
  if (isUnfinished)
    return { error: modelError({ detail: "nothing came", isNonsense: true }, where, error), isPassing: true };
  if (error instanceof Error)
    return { error: modelError({ detail, isNonsense: true }, where, error), isPassing: false };
  // The server reported it in the middle of the stream.
  return { error: modelError({ status: 500, detail, hasBegun: true }, where, error), isPassing: true };
}

function refused(error: InstanceType<Ai["APICallError"]>, where: Where): Failure {
  const { statusCode: status, responseBody: body, responseHeaders = {} } = error;
  const broken = isBrokenConnection(error);
  if (status !== undefined && status < 300 && !broken)
    return {
      error: modelError({ detail: messageOf(error.cause ?? error), isNonsense: true }, where, error),
      isPassing: false,
    };
  const hasBegun = status !== undefined;
  const facts = {
    ...(status !== undefined && status >= 300 && { status }),
    detail: broken || status === undefined ? causeOf(error) : error.message || (body ?? ""),
    ...(body !== undefined && { body }),
    hasBegun,
  };
  const isSpent = /insufficient_quota/.test(body ?? "");
  const wait = waitFrom(responseHeaders);
  return {
    error: modelError(facts, where, error),
    isPassing: !isSpent && (facts.status === undefined || facts.status === 429 || facts.status >= 500),
    ...(wait !== undefined && { waitMs: wait }),
  };
}

function waitFrom(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number.parseFloat(headers["retry-after-ms"] ?? "");
  const seconds = Number.parseFloat(headers["retry-after"] ?? "");
  const wait = Number.isNaN(exact) ? seconds * 1000 : exact;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The same, as one of the providers reports it. */
function isWithoutEnd(ai: Ai, error: unknown): boolean {
  return ai.InvalidResponseDataError.isInstance(error) && /without a finish reason/.test(error.message);
}

const NETWORK = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|UND_ERR_)/;

function isBrokenConnection(error: unknown): boolean {
  return causesOf(error).some(
    (each) => NETWORK.test(codeOf(each)) || (each instanceof TypeError && each.message === "terminated"),
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function causesOf(error: unknown, depth = 5): unknown[] {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined || depth === 0 ? [error] : [error, ...causesOf(cause, depth - 1)];
}

/** The innermost reason, with its code: "ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1" says it once. */
function causeOf(error: Error): string {
  const innermost = causesOf(error).findLast((each) => each instanceof Error) as Error;
  const inner = innermost instanceof AggregateError ? innermost.errors[0] : innermost;
  const code = codeOf(innermost);
  const message = messageOf(inner);
  return message.includes(code) ? message : `${code}: ${message}`;
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null || !("message" in error))
    return JSON.stringify(error) ?? "";
  return String(error.message);
}
