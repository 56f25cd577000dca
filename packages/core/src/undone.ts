import { isObject } from "./json-object.ts";
import { beyond, isSame, own, sameJson } from "./same.ts";

/**
 * Whether something that was made another than what came is what came again: whole, or a part of it at any depth. What was
 * added to it and is gone counts as well; another change in its place does not. White space makes no other text of one that
 * was another.
 */
export function isUndone(was: unknown, is: unknown, came: unknown): boolean {
  if (isSame(was, came)) return false;
  if (isSame(is, came)) return true;
  if (typeof is === "string" && typeof came === "string")
    return words(is) === words(came) && words(was) !== words(came);
  if (Array.isArray(is) && Array.isArray(came)) return isListUndone(Array.isArray(was) ? was : [], is, came);
  if (!isObject(is) || !isObject(came)) return false;
  const before = isObject(was) ? was : {};
  return Object.keys({ ...came, ...before }).some((name) =>
    isUndone(own(before, name), own(is, name), own(came, name)),
  );
}

/** Things of a list move when one before them goes: where they stand counts only in lists of one length. */
function isListUndone(was: readonly unknown[], is: readonly unknown[], came: readonly unknown[]): boolean {
  const more = (some: readonly unknown[], others: readonly unknown[]) => beyond(some, others, sameJson);
  const [removed, removedNow] = [more(came, was), more(came, is)];
  if (more(removed, removedNow).length > 0) return true;
  const [added, addedNow] = [more(was, came), more(is, came)];
  if (more(added, addedNow).length > 0 && more(addedNow, added).length === 0) return true;
  const isInPlace = was.length === came.length && is.length === came.length;
  return isInPlace && came.some((thing, index) => isUndone(was[index], is[index], thing));
}

function words(text: unknown): unknown {
  return typeof text === "string" ? text.trim().replaceAll(/\s+/g, " ") : text;
}
