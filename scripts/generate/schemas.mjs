import { EVENT_NAMES } from "@belay/core";
import {
  configSchema,
  inputSchema,
  outcomeJsonSchema,
  outputSchema,
  testCasesSchema,
} from "@belay/core/schema";

/** @returns {[file: string, content: string][]} */
export function schemaFiles() {
  return [
    ["schema/config.json", print(configSchema())],
    ["schema/outcome.json", print(outcomeJsonSchema())],
    ["schema/test-cases.json", print(testCasesSchema())],
    ...EVENT_NAMES.flatMap(
      (event) =>
        /** @type {[string, string][]} */ ([
          [`schema/events/${event}.input.json`, print(inputSchema(event))],
          [`schema/events/${event}.output.json`, print(outputSchema(event))],
        ]),
    ),
  ];
}

/** @param {unknown} schema */
function print(schema) {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
