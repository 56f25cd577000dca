const DEFAULT = String.raw`\bexport\s+default\b|\bexport\s*=|\bmodule\.exports\b|\bexports\.(?:default|hook)\b`;
const NAMED = String.raw`\bexport\s+(?:const|let|var|(?:async\s+)?function)\s+hook\b`;
/** Of another file, too: a star brings what is called hook there. */
const PASSED_ON = String.raw`\bexport\s*\{[^}]*\b(?:default|hook)\b|\bexport\s*\*`;

const EXPORTS = new RegExp([DEFAULT, NAMED, PASSED_ON].join("|"));

/** Whether a module may export a hook, by its text: where it does not, loading it would run a script and find none. */
export function exportsHook(text: string): boolean {
  return EXPORTS.test(text);
}

export const NO_EXPORT = "exports no function (export default …)";
