const PIECE = /\\[\s\S]?|\$\{|[{}]|[^\\${}]+|\$/y;
/** Inside of ${…} a quoted text is that, whatever the whole stands in. */
const PIECE_WITHIN = /"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]?|\$\{|[{}]|[^\\${}"]+|[$"]/y;
/** A variable with what stands in its place, or stands there because of it. */
const BEGINS = /^(\w+)(?:(:?[-=?])|:?\+)/;

/**
 * A command in which every variable that is set stands by itself. What would stand in its place without it (${DIR:-${PWD}},
 * ${DIR:?"is not set"}) may hold brackets and quotes that end a word too early for whoever reads word by word; what stands
 * there because it is set (${DIR:+…}) stays.
 */
export function withSetVariables(command: string, isSet: (name: string) => boolean): string {
  const open: { readonly before: string; readonly bracket: string }[] = [];
  let variables = 0; // that are open
  let text = "";
  for (let at = 0; at < command.length; ) {
    const piece = pieceAt(command, at, variables > 0);
    at += piece.length;
    if (piece === "{" || piece === "${") {
      open.push({ before: text, bracket: piece });
      if (piece === "${") variables += 1;
      text = "";
      continue;
    }
    const last = piece === "}" ? open.pop() : undefined;
    if (last === undefined) {
      text += piece;
      continue;
    }
    if (last.bracket === "${") variables -= 1;
    text = last.before + (last.bracket === "{" ? `{${text}}` : expansion(text, isSet));
  }
  return open.reduceRight((rest, { before, bracket }) => before + bracket + rest, text);
}

function pieceAt(command: string, at: number, isWithin: boolean): string {
  const pattern = isWithin ? PIECE_WITHIN : PIECE;
  pattern.lastIndex = at;
  return (pattern.exec(command) as RegExpExecArray)[0]; // every character is one of its pieces
}

function expansion(held: string, isSet: (name: string) => boolean): string {
  const [begins = "", name = "", inPlace] = BEGINS.exec(held) ?? [];
  if (begins === "" || !isSet(name)) return `\${${held}}`;
  return inPlace === undefined ? held.slice(begins.length) : `\${${name}}`;
}
