import { error, TOLD, warning } from "./row.ts";

/** The engine itself. */
export const ENGINE_ROWS = {
  "journal-failed": warning(
    "the journal cannot be written: {detail}; events go on unrecorded",
    "Free some space or fix the permissions of {folder}.",
    TOLD,
  ),
  "observer-failed": warning(
    "the host's onHook failed: {detail}; hooks run as if it had not",
    "Mend the onHook of createEngine; this is said once.",
  ),
  "launcher-failed": warning(
    "the process that starts hooks for a large host did not start: {detail}; the host starts them itself",
    'Find out why, or give createEngine `launcher: "off"`; this is said once.',
  ),
  "matcher-untested": error(
    "the payload of {event} has no {field}, so {count} with a matcher did not run",
    "Give {field} as a string when firing {event}: its matchers test that.",
    TOLD,
  ),
  "matcher-gave-up": warning(
    "the matcher {matcher} took too long and was given up, which counts as a match: {hook} ran",
    "Write it without lookaround and back-references, or without repetition in repetition.",
    TOLD,
  ),
} as const;
