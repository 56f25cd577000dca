/** A colour sequence. */
const COLOR = /\u001b\[[\d;:]*m/g;

/**
 * Controls that could repaint the screen, and marks that reorder text or cannot be seen: line and paragraph ends,
 * annotations, everything that Unicode lets a screen ignore (bidi, zero width, tags), and the empty Braille sign.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\u2800]|\p{Default_Ignorable_Code_Point}/gu;

/** An emoji with its colour or skin, up to four joined into one, or a keycap. */
const PART = "\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?";
const SIGN = `${PART}(?:\\u200d${PART}){0,3}|[\\d#*]\\ufe0f\\u20e3`;
/** An emoji, or an unsafe character. Built on demand: the classes of Unicode take a millisecond. */
let signOrUnsafe: RegExp | undefined;

/** Safe text, tested without the classes of Unicode. */
const PRINTABLE = /^[\n\x20-\x7e]*$/;

/**
 * Makes untrusted text safe to print. Unsafe characters become visible and are never removed, because the text may be run:
 * to a shell, a `;` in a colour is a `;`.
 */
export function clean(text: string): string {
  const plain = plainly(text);
  return PRINTABLE.test(plain) ? plain : plain.replace(UNSAFE, visible);
}

/** The same for what a hook printed or answered. Nobody runs it, so that its colours are removed. */
export function cleanOutput(text: string): string {
  const plain = plainly(text.replace(COLOR, ""));
  if (PRINTABLE.test(plain)) return plain;
  signOrUnsafe ??= new RegExp(`(${SIGN})|${UNSAFE.source}`, "gu");
  return plain.replace(signOrUnsafe, (found, sign?: string) => sign ?? visible(found));
}

function plainly(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "  ");
}

function visible(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** Untrusted text on one line. */
export function oneLine(text: string): string {
  return joined(clean(text));
}

/** What a hook printed or answered, on one line. */
export function outputLine(text: string): string {
  return joined(cleanOutput(text));
}

function joined(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** A value as JSON that is safe to print: unsafe characters are escaped, and a parser reads the same value. */
export function safeJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  if (PRINTABLE.test(json)) return json;
  return json.replace(UNSAFE, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
