/** Light on dark for dark on light: no colour, so it is there under NO_COLOR too, where Ink would leave it out. */
export function inverted(text: string): string {
  return `\u001b[7m${text}\u001b[27m`;
}
