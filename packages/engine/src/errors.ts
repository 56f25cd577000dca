/** Thrown for mistakes of the caller: an unknown event, a payload that is no object, a closed engine. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
