import type { Row } from "./row.ts";
import { ROWS_000 } from "./rows-000.ts";
import { ROWS_001, ROWS_001_BAD } from "./rows-001.ts";
import { ROWS_002 } from "./rows-002.ts";
import { ROWS_003 } from "./rows-003.ts";
import { ROWS_004 } from "./rows-004.ts";
import { ROWS_DIALECTS } from "./rows-dialects.ts";
import { ROWS_FAULTS } from "./rows-faults.ts";
import { ROWS_INVALID } from "./rows-invalid.ts";
import { ROWS_MODES } from "./rows-modes.ts";
import { ROWS_PLACES } from "./rows-places.ts";
import { ROWS_MIXED, ROWS_PRECEDENCE, ROWS_READING } from "./rows-reading.ts";
import { ROWS_GROUPS, ROWS_SEVERAL } from "./rows-several.ts";

/** Every row, by the page it comes from. */
export const ROWS: readonly Row[] = [
  ...ROWS_000,
  ...ROWS_001,
  ...ROWS_001_BAD,
  ...ROWS_002,
  ...ROWS_003,
  ...ROWS_004,
  ...ROWS_PRECEDENCE,
  ...ROWS_READING,
  ...ROWS_PLACES,
  ...ROWS_INVALID,
  ...ROWS_MIXED,
  ...ROWS_FAULTS,
  ...ROWS_SEVERAL,
  ...ROWS_GROUPS,
  ...ROWS_MODES,
  ...ROWS_DIALECTS,
];
