import { modelError, nonsense, type Where } from "./errors.ts";
import type { ModelError } from "./model.ts";

type Ai = typeof import("ai");

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
  if (isUnfinished) return { error: nonsense("nothing came", where, error), isPassing: true };
  if (error instanceof Error) return { error: nonsense(detail, where, error), isPassing: false };
  // The server reported it in the middle of the stream.
  return { error: modelError({ status: 500, detail, hasBegun: true }, where, error), isPassing: true };
}

function refused(error: InstanceType<Ai["APICallError"]>, where: Where): Failure {
  const { statusCode: status, responseBody: body, responseHeaders = {} } = error;
  const broken = isBrokenConnection(error);
  if (status !== undefined && status < 300 && !broken)
    return { error: nonsense(messageOf(error.cause ?? error), where, error), isPassing: false };
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
