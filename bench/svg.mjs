// A growth curve as a picture: both axes in powers of ten, a line per series, readable on a light and on a dark page.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ name: string, points: Point[] }} Series */
/**
 * @typedef {object} Plot
 * @property {string} title
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {Series[]} series
 * @property {Record<string, string>} [xNames] what stands at a place of the x axis, by its value
 */

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 66;
const RIGHT = 186;
const TOP = 44;
const BOTTOM = 58;
/** How far apart the names of two lines are at least. */
const NAME_HEIGHT = 16;

/** The page's own colours would leave one of the two themes unreadable: the picture brings its ground along. */
const LIGHT = { ground: "#ffffff", ink: "#1f2328", faint: "#59636e", grid: "#d1d9e0" };
const LIGHT_LINES = ["#0969da", "#bc4c00", "#8250df", "#1a7f37"];
const DARK = { ground: "#0d1117", ink: "#f0f6fc", faint: "#9198a1", grid: "#3d444d" };
const DARK_LINES = ["#58a6ff", "#f0883e", "#bc8cff", "#3fb950"];

/** Plain rules, not variables, which few programs but browsers read. @param {typeof LIGHT} page @param {readonly string[]} lines */
function coloursOf({ ground, ink, faint, grid }, lines) {
  const rules = [
    `.ground { fill: ${ground} }`,
    `text { fill: ${faint} }`,
    `.title { fill: ${ink} }`,
    `.grid { stroke: ${grid} }`,
    ...lines.flatMap((colour, index) => [
      `.line${index} { stroke: ${colour} }`,
      `.of${index} { fill: ${colour} }`,
    ]),
  ];
  return rules.join("\n");
}

const STYLE = `
text { font: 12px system-ui, sans-serif }
.title { font-size: 15px; font-weight: 600 }
polyline { fill: none; stroke-width: 2 }
${coloursOf(LIGHT, LIGHT_LINES)}
@media (prefers-color-scheme: dark) {
${coloursOf(DARK, DARK_LINES)}
}
`;
const DASHES = ["none", "7 4", "2 4", "10 3 2 3"];

/** @param {Plot} plot */
export function svgOf({ title, xLabel, yLabel, series, xNames = {} }) {
  const shown = series.filter(({ points }) => points.length > 0);
  const all = shown.flatMap(({ points }) => points);
  const x = scale(
    all.map((point) => point.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = scale(
    all.map((point) => point.y),
    HEIGHT - BOTTOM,
    TOP,
    true,
  );
  const places =
    Object.keys(xNames).length > 0 ? Object.keys(xNames).map(Number) : powersWithin(x.from, x.to);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="6" class="ground"/>`,
    text(LEFT, 26, title.replaceAll("`", ""), 'class="title"'),
    ...powersWithin(y.from, y.to).flatMap((value) => [
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(value)}" y2="${y.at(value)}"/>`,
      text(LEFT - 8, y.at(value) + 4, plain(value), 'text-anchor="end"'),
    ]),
    ...places.flatMap((value) => [
      `<line class="grid" x1="${x.at(value)}" x2="${x.at(value)}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM + 5}"/>`,
      text(x.at(value), HEIGHT - BOTTOM + 20, xNames[value] ?? plain(value), 'text-anchor="middle"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, xLabel, 'text-anchor="middle"'),
    text(
      16,
      (TOP + HEIGHT - BOTTOM) / 2,
      yLabel,
      `text-anchor="middle" transform="rotate(-90 16 ${(TOP + HEIGHT - BOTTOM) / 2})"`,
    ),
    ...shown.map((one, index) => lineOf(one, index, x.at, y.at)),
    ...namesOf(shown, y.at),
    "</svg>\n",
  ];
  return parts.join("\n");
}

/** @param {Series} series @param {number} index @param {(value: number) => number} x @param {(value: number) => number} y */
function lineOf({ points }, index, x, y) {
  const nth = index % DASHES.length;
  const path = points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ");
  const dots = points.map(
    (point) => `<circle class="of${nth}" cx="${x(point.x)}" cy="${y(point.y)}" r="3"/>`,
  );
  return `<polyline class="line${nth}" points="${path}" stroke-dasharray="${DASHES[nth]}"/>${dots.join("")}`;
}

/** The name of each line at its end, moved apart where ends lie together. @param {Series[]} series @param {(value: number) => number} y */
function namesOf(series, y) {
  let free = TOP;
  return series
    .map(({ name, points }, index) => ({ name, index, wanted: y(points.at(-1)?.y ?? 0) + 4 }))
    .sort((a, b) => a.wanted - b.wanted)
    .map(({ name, index, wanted }) => {
      const at = Math.max(wanted, free);
      free = at + NAME_HEIGHT;
      return text(WIDTH - RIGHT + 10, at, name, `class="of${index % DASHES.length}"`);
    });
}

/** @param {readonly number[]} values @param {number} start @param {number} end @param {boolean} isWhole from a power of ten to the next */
function scale(values, start, end, isWhole = false) {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const from = isWhole ? Math.floor(low) : low;
  const to = isWhole ? Math.max(Math.ceil(high), from + 1) : Math.max(high, low + 0.1);
  /** @param {number} value */
  const at = (value) => round(start + ((Math.log10(value) - from) / (to - from)) * (end - start));
  return { at, from, to };
}

/** @param {number} from @param {number} to both as powers of ten */
function powersWithin(from, to) {
  const first = Math.ceil(from - 1e-9);
  return Array.from({ length: Math.floor(to + 1e-9) - first + 1 }, (_, index) => 10 ** (first + index));
}

/** @param {number} x @param {number} y @param {string} content */
function text(x, y, content, attributes = "") {
  return `<text x="${x}" y="${round(y)}" ${attributes}>${escaped(content)}</text>`;
}

/** @param {number} value */
const plain = (value) => (value >= 1 ? value.toLocaleString("en-GB") : String(Number(value.toPrecision(3))));
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {string} content */
const escaped = (content) =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
