import type { Row } from "./row.ts";
import { ROWS_000 } from "./rows-000.ts";
import { ROWS_000_BLOCKS } from "./rows-000-blocks.ts";
import { ROWS_001_ANSWERS } from "./rows-001-answers.ts";
import { ROWS_001_BAD } from "./rows-001-bad.ts";
import { ROWS_001_EXIT } from "./rows-001-exit.ts";
import { ROWS_001_JSON } from "./rows-001-json.ts";
import { ROWS_001_SCALE } from "./rows-001-scale.ts";
import { ROWS_002 } from "./rows-002.ts";
import { ROWS_002_HOOKS } from "./rows-002-hooks.ts";
import { ROWS_003 } from "./rows-003.ts";
import { ROWS_004 } from "./rows-004.ts";
import { ROWS_DIALECTS } from "./rows-dialects.ts";
import { ROWS_DIALECTS_STREAMS } from "./rows-dialects-streams.ts";
import { ROWS_FAULTS } from "./rows-faults.ts";
import { ROWS_GROUPS } from "./rows-groups.ts";
import { ROWS_INVALID } from "./rows-invalid.ts";
import { ROWS_MIXED } from "./rows-mixed.ts";
import { ROWS_MODES } from "./rows-modes.ts";
import { ROWS_PLACES } from "./rows-places.ts";
import { ROWS_PRECEDENCE } from "./rows-precedence.ts";
import { ROWS_READING } from "./rows-reading.ts";
import { ROWS_SEVERAL } from "./rows-several.ts";
import { ROWS_UNFINISHED } from "./rows-unfinished.ts";

/** Every row, by the page it comes from. */
export const ROWS: readonly Row[] = [
  ...ROWS_000,
  ...ROWS_000_BLOCKS,
  ...ROWS_001_EXIT,
  ...ROWS_001_JSON,
  ...ROWS_001_ANSWERS,
  ...ROWS_001_BAD,
  ...ROWS_001_SCALE,
  ...ROWS_002,
  ...ROWS_002_HOOKS,
  ...ROWS_003,
  ...ROWS_004,
  ...ROWS_PRECEDENCE,
  ...ROWS_READING,
  ...ROWS_PLACES,
  ...ROWS_INVALID,
  ...ROWS_MIXED,
  ...ROWS_UNFINISHED,
  ...ROWS_FAULTS,
  ...ROWS_SEVERAL,
  ...ROWS_GROUPS,
  ...ROWS_MODES,
  ...ROWS_DIALECTS,
  ...ROWS_DIALECTS_STREAMS,
];
