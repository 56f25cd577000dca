/*
 * Secrets that stand at some distance from what gives them away: the password of an address ends at a host, that of a
 * command is one of its options. A pattern would read the distance again from every beginning; here what is looked for is
 * remembered until the reading has passed it.
 */

/** What takes the place of a secret: `whole` without `kept`, which it begins with. */
export type Hide = (whole: string, kept: string) => string;

const NOWHERE = Number.POSITIVE_INFINITY;

/** The first place of one character, at a place or behind it. Places must not fall: every part of the text is searched once. */
function searcher(text: string, character: RegExp): (from: number) => number {
  let at = -1;
  return (from) => {
    if (at >= from) return at;
    character.lastIndex = from;
    at = character.test(text) ? character.lastIndex - 1 : NOWHERE;
    return at;
  };
}

/** Collects the pieces of a text in which some are hidden, in their order. */
function hider(text: string, hide: Hide) {
  const pieces: string[] = [];
  let copied = 0;
  return {
    hide: (at: number, kept: string, end: number) => {
      pieces.push(text.slice(copied, at), hide(text.slice(at, end), kept));
      copied = end;
    },
    copied: () => copied,
    result: () => (copied === 0 ? text : pieces.join("") + text.slice(copied)),
  };
}

/**
 * Of an address, up to its password; some write a slash in JSON as `\/`. What stands behind a colon may also be a port, or a
 * part of an IPv6 host.
 */
const USER = /:(?:\/\/|\\\/\\\/)[^\s:/@"'\\]*:/g;
const PORT = /\d{1,5}(?:[/?#,]|$)/y;

/** Ends a password with any sign in it; without a host, only one without a slash and an `@` ends there. */
const HOST = /@(?=[\w.-]{1,255}(?::\d{1,5})?(?:[/?#,;)\s"'\\]|$))/g;
const MAX_PASSWORD = 256;

/** Hides the passwords of addresses. */
export function redactAddresses(text: string, hide: Hide): string {
  const hidden = hider(text, hide);
  const nextAt = searcher(text, /@/g);
  const nextHost = searcher(text, HOST);
  const nextSlash = searcher(text, /\//g);
  const nextEnd = searcher(text, /[\s"'\\{}]/g);
  const addressFrom = (place: number) => {
    USER.lastIndex = place;
    return USER.exec(text);
  };
  for (let found = addressFrom(0); found; found = addressFrom(Math.max(found.index + 1, hidden.copied()))) {
    const { index: at, 0: kept } = found;
    const from = at + kept.length;
    const last = nextEnd(from);
    const sign = nextAt(from);
    if (sign > last || sign === NOWHERE) continue;
    const isPlain = sign > from && sign < nextSlash(from);
    PORT.lastIndex = from;
    const mayHoldSlash = !kept.includes("[") && (isPlain || !PORT.test(text));
    const host = mayHoldSlash ? nextHost(from + 1) : NOWHERE;
    if (host <= Math.min(last, (isPlain ? sign : from) + MAX_PASSWORD)) hidden.hide(at, kept, host);
    else if (isPlain) hidden.hide(at, kept, sign);
  }
  return hidden.result();
}

/** An option of a command is looked for this far behind the command's name. */
const MAX_DISTANCE = 200;

/**
 * Hides what an option of a command holds; only the first, as in `sshpass -p … ssh -p 2222` the next has another's.
 *
 * @param command its name
 * @param stops after these, the options are those of another
 * @param option the option with its value; its first or second group is kept
 */
export function redactOptions(command: RegExp, stops: RegExp, option: RegExp) {
  return (text: string, hide: Hide): string => {
    const hidden = hider(text, hide);
    const nextStop = searcher(text, stops);
    option.lastIndex = 0;
    let found = option.exec(text);
    command.lastIndex = 0;
    while (found && command.test(text)) {
      const from = command.lastIndex;
      if (found.index < from) {
        option.lastIndex = from;
        found = option.exec(text);
      }
      if (!found || found.index > Math.min(nextStop(from), from + MAX_DISTANCE)) continue;
      hidden.hide(found.index, found[1] ?? found[2] ?? "", option.lastIndex);
      command.lastIndex = option.lastIndex;
      found = option.exec(text);
    }
    return hidden.result();
  };
}
