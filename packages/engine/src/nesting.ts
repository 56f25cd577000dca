/** No real payload is nested so deep. Beyond some thousands neither we nor hooks could read it, and no guard be asked. */
export const MAX_LEVELS = 1000;

/** Whether a JSON text is nested deeper than this. Counted in the text: it is what hooks have to read. */
export function isDeeper(json: string, levels: number): boolean {
  if (json.length <= 2 * levels) return false;
  let open = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') at = endOfString(json, at);
    else if (char === "{" || char === "[") open += 1;
    else if (char === "}" || char === "]") open -= 1;
    if (open > levels) return true;
  }
  return false;
}

/** The quote that ends the string which begins at `start`; one behind an odd number of backslashes does not. */
function endOfString(json: string, start: number): number {
  for (let end = start + 1; ; end += 1) {
    end = json.indexOf('"', end);
    let before = end - 1;
    while (json[before] === "\\") before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}
