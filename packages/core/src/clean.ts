/** A colour: a sequence that says nothing. */
const COLOR = /\u001b\[[\d;:]*m/g;

/**
 * Controls that could repaint the screen, and marks that could reorder what is read or cannot be seen in it: line and
 * paragraph ends, annotations, all that Unicode lets a screen ignore (bidi, zero width, tags), and the empty Braille sign.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\u2800]|\p{Default_Ignorable_Code_Point}/gu;

/** A sign that may ask for its coloured form or a skin, up to four joined into one; or a key. No sign has more parts. */
const PART = "\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?";
const SIGN = `${PART}(?:\\u200d${PART}){0,3}|[\\d#*]\\ufe0f\\u20e3`;
/** What is unsafe, and before it what may stand. Made when it is needed: the classes of Unicode take a millisecond to build. */
let signOrUnsafe: RegExp | undefined;

/** Nothing of it is unsafe, and finding so takes no classes of Unicode. */
const PRINTABLE = /^[\n\x20-\x7e]*$/;

/**
 * Text of a hook, a file or a payload, made safe to print: it is untrusted. What is unsafe becomes visible and is never
 * taken out, because it may be run with what stands around it: to a shell a `;` in a colour is a `;`.
 */
export function clean(text: string): string {
  const plain = plainly(text);
  return PRINTABLE.test(plain) ? plain : plain.replace(UNSAFE, visible);
}

/** What a hook printed or answered: nobody runs it, so its colours go. */
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

/** A value as JSON that a terminal can show: what is unsafe in its strings is escaped, and still the same to a parser. */
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
