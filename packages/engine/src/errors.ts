/** Thrown for mistakes of the caller: an unknown event, a payload that is no object, a closed engine. One clear sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(
    message: string,
    /** What to do about it, if the message does not say so. */
    readonly next?: string,
  ) {
    super(message);
  }
}
