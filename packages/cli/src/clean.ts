/** A colour: the one sequence that holds no text and can go. */
const COLOR = /\u001b\[[\d;:]*m/g;

/** Controls that could repaint the screen, and marks that could reorder or hide what is read (bidi, zero width). */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u00ad\u3164]|\udb40[\udc00-\udc7f]/g;

/**
 * Text of a hook, a file or a payload, made safe to print: it is untrusted. Controls become visible and are never taken
 * out, because what stands between them may be run.
 */
export function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").replace(COLOR, "").replace(UNSAFE, visible);
}

function visible(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Untrusted text on one line. */
export function oneLine(text: string): string {
  return clean(text).replaceAll(/\s+/g, " ").trim();
}
