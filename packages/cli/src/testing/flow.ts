/** A value on one line, as JSON with spaces; `scalar` says how words and numbers are written. */
export function flow(value: unknown, scalar: (value: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, scalar)).join(", ")}]`;
  if (value === null || typeof value !== "object") return scalar(value);
  const entries = Object.entries(value).map(([key, item]) => `${scalar(key)}: ${flow(item, scalar)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
