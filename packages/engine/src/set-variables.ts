const PIECE = /\\[\s\S]|\$\{|[{}]|[^\\${}]+|\$/g;
/** A variable with what stands in its place, or stands there because of it. */
const BEGINS = /^(\w+)(?:(:?[-=?])|:?\+)/;

/**
 * A command in which every variable that is set stands by itself. What would stand in its place without it (${DIR:-${PWD}},
 * ${DIR:?"is not set"}) may hold brackets and quotes that end a word too early for whoever reads word by word; what stands
 * there because it is set (${DIR:+…}) stays.
 */
export function withSetVariables(command: string, isSet: (name: string) => boolean): string {
  const open: { readonly before: string; readonly bracket: string }[] = [];
  let text = "";
  for (const [piece] of command.matchAll(PIECE)) {
    if (piece === "{" || piece === "${") {
      open.push({ before: text, bracket: piece });
      text = "";
      continue;
    }
    const { before, bracket } = (piece === "}" && open.pop()) || { before: "", bracket: "" };
    if (bracket === "") text += piece;
    else text = before + (bracket === "{" ? `{${text}}` : expansion(text, isSet));
  }
  return open.reduceRight((rest, { before, bracket }) => before + bracket + rest, text);
}

function expansion(held: string, isSet: (name: string) => boolean): string {
  const [begins = "", name = "", inPlace] = BEGINS.exec(held) ?? [];
  if (begins === "" || !isSet(name)) return `\${${held}}`;
  return inPlace === undefined ? held.slice(begins.length) : `\${${name}}`;
}
