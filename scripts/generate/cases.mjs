import { testCasesSchema } from "@belay/core/schema";

/** @typedef {{ description?: string, properties?: Record<string, Schema>, items?: Schema, enum?: unknown[] }} Schema */

/** What a case file may say, as tables: the file, a case, its expectations. */
export function caseTables() {
  const file = /** @type {Schema} */ (testCasesSchema());
  const one = file.properties?.cases?.items;
  return {
    "case-file": tableOf(file),
    "case-fields": tableOf(one),
    "case-expect": tableOf(one?.properties?.expect),
  };
}

/** Longer lists of words are left to the schema. */
const MAX_WORDS = 10;

/** @param {Schema | undefined} schema */
function tableOf(schema) {
  const rows = Object.entries(schema?.properties ?? {}).map(
    ([name, { description = "", enum: words = [] }]) => {
      const known = words.length > 0 && words.length <= MAX_WORDS ? ` One of: ${words.join(", ")}.` : "";
      return `| \`${name}\` | ${(description + known).replaceAll("|", "\\|")} |`;
    },
  );
  return ["| Field | |", "|---|---|", ...rows].join("\n");
}
