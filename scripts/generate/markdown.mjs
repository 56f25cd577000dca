/** The first line of every generated page. */
export const GENERATED =
  "<!-- Generated from the tables in packages/core/src by npm run generate. Do not edit: edit the table. -->";

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
export function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** @param {string} text */
export const code = (text) => `\`${text}\``;

/** "a, b and c" @param {readonly string[]} words */
export function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** @param {string} text */
export const sentence = (text) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

/** @param {string} info @param {string} content */
export const fence = (info, content) => `\`\`\`${info}\n${content}\n\`\`\``;

/**
 * Puts content between `<!-- begin: marker -->` and `<!-- end: marker -->`; the rest of the page is written by hand.
 * @param {string} file @param {string} page @param {string} marker @param {string} content
 */
export function replaceMarked(file, page, marker, content) {
  const [begin, end] = [`<!-- begin: ${marker} -->`, `<!-- end: ${marker} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`${file} needs the lines "${begin}" and "${end}", in this order`);
  return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`;
}
