import type { CaseResult } from "../run/run-cases.ts";
import { githubReport } from "./github.ts";
import { junitReport } from "./junit.ts";
import { tapReport } from "./tap.ts";

type Reporter = (results: readonly CaseResult[], cwd: string) => string;

/** Besides the text that people read. */
export const REPORTERS = { junit: junitReport, tap: tapReport, github: githubReport } satisfies Record<
  string,
  Reporter
>;
export const REPORTER_NAMES = ["text", ...(Object.keys(REPORTERS) as (keyof typeof REPORTERS)[])] as const;
