import { TOLD, warning } from "./row.ts";

/** The engine itself. */
export const ENGINE_ROWS = {
  "journal-failed": warning(
    "the journal cannot be written: {detail}; events go on unrecorded",
    "Free some space or fix the permissions of {folder}.",
    TOLD,
  ),
} as const;
