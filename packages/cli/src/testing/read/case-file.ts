import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { EventName } from "@belay/core";
import { brief, isObject, messageOf, nearest, shorten } from "@belay/core/internal";
import {
  CASE_FIELDS,
  CASE_FILE_FIELDS,
  type CaseData,
  type CaseFileData,
  caseFileSchema,
  EXPECT_FIELDS,
  type Expectation,
  SHARED_FIELDS,
} from "@belay/core/schema";
import { UsageError } from "@belay/engine";
import { readText } from "@belay/engine/internal";
import { harnessNamed, harnessNames } from "@belay/harness";
import * as v from "valibot";
import { BELAY } from "../../args/flags.ts";
import { doubtsAbout } from "../../args/payload.ts";
import { homeOfConfig, homeOfScript, sayMisread } from "../../hooks/dialect-hint.ts";
import { type FoundHooks, findHooks, LOOKUP } from "./hooks.ts";
import { meantFile, notesOn } from "./how-to-run.ts";
import { type Path, parseSource, type Source } from "./source.ts";

export interface CaseProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** A file or folder that is not there, and should be. */
  readonly missing?: string;
}

export interface TestCase {
  readonly file: CaseFile;
  readonly index: number;
  readonly line: number;
  readonly name: string;
  /** Absent where a record says it. */
  readonly event: EventName | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly record: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | null>>;
  readonly git: boolean;
  readonly expect: Expectation | undefined;
  /** What happens to the step in other agents, by their names. */
  readonly as: Readonly<Record<string, "runs" | "refused" | "asks">>;
  readonly only: boolean;
  readonly skip: string | undefined;
}

export interface CaseFile {
  readonly file: string;
  readonly text: string;
  readonly folder: string;
  readonly data: CaseFileData;
  readonly cases: readonly TestCase[];
  readonly hooks: FoundHooks;
  readonly warnings: readonly FileWarning[];
}

/** Cases may hold files and payloads, and are still written by hand. */
export const MAX_BYTES = 16 * 1024 * 1024;
/** A file that is not YAML at all has an error in every line. */
const MAX_ERRORS = 10;
const MAX_DETAIL = 200;

export async function readCaseFile(
  file: string,
): Promise<{ readonly read?: CaseFile; readonly problems: readonly CaseProblem[] }> {
  let source: Source;
  try {
    source = await parseSource(file, readText(file, { max: MAX_BYTES }));
  } catch (error) {
    return { problems: [{ file, line: 1, message: `it cannot be read: ${messageOf(error)}` }] };
  }
  if (source.errors.length > 0)
    return {
      problems: source.errors
        .slice(0, MAX_ERRORS)
        .map(({ line, detail }) => ({ file, line, message: shorten(detail, MAX_DETAIL) })),
    };
  if (!isObject(source.value))
    return {
      problems: [
        { file, line: 1, message: `the file is ${brief(source.value)}, where an object is expected` },
      ],
    };
  const parsed = v.safeParse(caseFileSchema, source.value);
  if (!parsed.success) {
    const found = parsed.issues.map((issue) => problemOf(file, issue, source));
    return { problems: found.sort((a, b) => a.line - b.line) };
  }
  const hooks = hooksIn(parsed.output, dirname(file));
  const isFound = !(hooks instanceof UsageError);
  const read = caseFile(file, parsed.output, isFound ? hooks : {}, source);
  const problems = [...(isFound ? [] : [noHooks(read, hooks, source)]), ...doubtful(read, source)];
  return problems.length > 0 ? { problems } : { read, problems };
}

function hooksIn(data: CaseFileData, folder: string): FoundHooks | UsageError {
  try {
    return findHooks(data, folder);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function noHooks(
  { file, folder, data }: CaseFile,
  { message, next }: UsageError,
  source: Source,
): CaseProblem {
  const where = data.hook === undefined ? "" : "hook: ";
  return {
    file,
    line: source.lineAt(["hook"]),
    message: `${where}${message}${next ? `; ${next}` : ""}`,
    ...(data.hook !== undefined && { missing: resolve(folder, data.hook) }),
  };
}

function caseFile(file: string, data: CaseFileData, hooks: FoundHooks, source: Source): CaseFile {
  const cases: TestCase[] = [];
  const warnings: FileWarning[] = [];
  const read = { file, text: source.text, folder: dirname(file), data, cases, hooks, warnings };
  cases.push(...data.cases.map((one, index) => caseOf(read, one, index, source)));
  warnings.push(...warningsIn(read, source));
  return read;
}

function caseOf(file: CaseFile, data: CaseData, index: number, source: Source): TestCase {
  const { defaults = {} } = file.data;
  const folder = data.folder ?? defaults.folder;
  return {
    file,
    index,
    // Worked out where it is needed: most cases pass, and nobody asks where they stand.
    get line() {
      return source.lineAt(["cases", index]);
    },
    name: data.name,
    event: data.event ?? (data.record === undefined ? defaults.event : undefined),
    payload: { ...defaults.payload, ...data.payload },
    record: data.record,
    files: { ...defaults.files, ...data.files },
    folder: folder === undefined ? undefined : resolve(file.folder, folder),
    env: { ...defaults.env, ...data.env },
    git: data.git ?? defaults.git ?? false,
    expect: data.expect,
    as: data.as ?? {},
    only: data.only ?? false,
    skip: data.skip,
  };
}

function doubtful({ file, folder, data, cases }: CaseFile, source: Source): CaseProblem[] {
  const at = (path: Path, message: string) => ({ file, line: source.lineAt(path), message });
  const problems: CaseProblem[] = [];
  if (data.hook !== undefined && (data.config !== undefined || data.plugin !== undefined))
    problems.push(at(["hook"], "hook stands beside config or plugin; keep one of them"));
  for (const name of ["config", "plugin"] as const)
    for (const path of [data[name] ?? []].flat())
      if (!existsSync(resolve(folder, path)))
        problems.push({
          ...at([name], `${name}: there is no ${path}; ${meantFile(path, folder) ?? LOOKUP}`),
          missing: resolve(folder, path),
        });
  const seen = new Map<string, TestCase>();
  for (const one of cases) {
    const twin = seen.get(one.name);
    seen.set(one.name, one);
    const here = ["cases", one.index] as const;
    const of = `case ${JSON.stringify(one.name)}`;
    if (twin) problems.push(at([...here, "name"], `${of} stands in line ${twin.line} as well; rename one`));
    if (one.event === undefined && one.record === undefined)
      problems.push(at(here, `${of} has no event; add event, here or in defaults, or record`));
    if (one.folder !== undefined && !existsSync(one.folder))
      problems.push({
        ...at([...here, "folder"], `${of}: folder: there is no ${one.folder}`),
        missing: one.folder,
      });
    for (const agent of Object.keys(one.as))
      if (harnessNamed(agent) === undefined)
        problems.push(
          at([...here, "as", agent], `${of}: as knows no agent ${agent}${guess(agent, harnessNames)}`),
        );
    problems.push(
      ...badPatterns(one).map(({ path, detail }) => at([...here, "expect", ...path], `${of}: ${detail}`)),
    );
  }
  return problems;
}

function badPatterns({ expect = {} }: TestCase): { path: Path; detail: string }[] {
  const found: { path: Path; detail: string }[] = [];
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === "string") {
      try {
        patternOf(value);
      } catch (error) {
        found.push({ path, detail: `expect.${path.join(".")}: ${messageOf(error)}` });
      }
    } else if (Array.isArray(value)) value.forEach((item, index) => void walk(item, [...path, index]));
    else if (path[0] === "files" && value !== null && typeof value === "object")
      for (const [name, item] of Object.entries(value)) if (name !== "exact") walk(item, [...path, name]);
  };
  for (const name of ["reason", "by", "user", "agent", "updatedPrompt", "files"] as const)
    walk(expect[name], [name]);
  return found;
}

/** The pattern in /…/, with its flags; undefined for other text. Throws where it is none. */
export function patternOf(text: string): RegExp | undefined {
  const [, source, flags = ""] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags.replaceAll(/[gy]/g, ""));
}

type Issue = v.InferIssue<typeof caseFileSchema>;

function problemOf(file: string, issue: Issue, source: Source): CaseProblem {
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  const line = source.lineAt(path);
  const name = String(path.at(-1) ?? "");
  const where = shownPath(path, source.value);
  if (issue.expected === "never")
    return { file, line, message: `${where}: there is no such field${guess(name, fieldsAt(path))}` };
  if (issue.type === "strict_object" && issue.received === "undefined")
    return { file, line, message: `${where} is missing; ${BELAY} schema --cases says what a file holds` };
  const options = issue.type === "picklist" ? [...(issue.expected ?? "").matchAll(/"([^"]+)"/g)] : [];
  const known = options.map(([, word = ""]) => word);
  const got = brief(issue.input);
  const message =
    known.length > 0
      ? `${where} is ${got}${guess(String(issue.input), known) || `; one of: ${known.join(", ")}`}`
      : `${where} is ${got}, where ${inWords(issue)} is expected`;
  return { file, line, message };
}

function guess(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

function fieldsAt(path: Path): string[] {
  const [, index, inside] = path;
  if (path.length === 1) return Object.keys(CASE_FILE_FIELDS);
  if (path[0] === "defaults") return Object.keys(SHARED_FIELDS);
  if (path.length === 3 && typeof index === "number") return Object.keys(CASE_FIELDS);
  return inside === "expect" && path.length === 4 ? Object.keys(EXPECT_FIELDS) : ["exact"];
}

function shownPath(path: Path, value: unknown): string {
  const [list, index, ...rest] = path;
  if (path.length === 0) return "the file";
  if (list !== "cases" || typeof index !== "number") return path.join(".");
  const cases = (value as { cases: readonly unknown[] }).cases;
  const { name } = Object(cases[index]) as { name?: unknown };
  const of = typeof name === "string" ? `case ${JSON.stringify(name)}` : `case ${index + 1}`;
  return rest.length === 0 ? of : `${of}: ${rest.join(".")}`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  Object: "an object",
  Array: "a list",
  "(string | Object)": "text or { exact: text }",
  "(string | Array)": "text or a list of texts",
  "(string | null)": "text or null",
};

function inWords({ expected, message, kind }: Issue): string {
  return kind === "validation" ? message : (WORDS[expected ?? ""] ?? expected ?? "something else");
}

export interface FileWarning {
  readonly line: number;
  readonly message: string;
  readonly fix?: string;
}

export function warningsIn(read: CaseFile, source: Source): FileWarning[] {
  const { data, cases, hooks } = read;
  const notes = "runnable" in hooks ? notesOn(hooks.runnable) : [];
  const { defaults = {} } = data;
  const payloads = [
    { of: "defaults", path: ["defaults"], payload: defaults.payload, event: defaults.event },
    ...cases.map(({ name, event, index }) => ({
      of: `case ${JSON.stringify(name)}`,
      path: ["cases", index],
      payload: data.cases[index]?.payload,
      event,
    })),
  ];
  return [
    ...notes.map(({ message, fix }) => ({ line: source.lineAt(["hook"]), message, fix })),
    ...misread(read, source),
    ...cases.filter(({ only }) => only).map(({ name, index }) => forgotten(name, index, source)),
    ...payloads.flatMap(({ of, path, payload, event }) => slips(of, path, payload, event, source)),
  ];
}

/** Warns of files of another system that are read by the default dialect, where the case file names none. */
function misread({ data, hooks, folder }: CaseFile, source: Source): FileWarning[] {
  if (data.dialect !== undefined) return [];
  const [at, files, homeOf] =
    "runnable" in hooks
      ? (["hook", [hooks.runnable.script?.file ?? []].flat(), homeOfScript] as const)
      : (["config", hooks.configFiles ?? [], homeOfConfig] as const);
  return files.flatMap((file) => {
    const home = homeOf(file);
    if (home === undefined) return [];
    return {
      line: source.lineAt([at]),
      message: sayMisread(relative(folder, file), home),
      fix: `add dialect: ${home} to read it as there`,
    };
  });
}

/** Warns of `only`: a suite in which it was forgotten is green, whatever the other cases would say. */
function forgotten(name: string, index: number, source: Source): FileWarning {
  return {
    line: source.lineAt(["cases", index, "only"]),
    message: `case ${JSON.stringify(name)} says only: cases without it are skipped, in every file`,
    fix: "take `only` out before you commit",
  };
}

function slips(
  of: string,
  path: Path,
  payload: Readonly<Record<string, unknown>> | undefined,
  event: EventName | undefined,
  source: Source,
): FileWarning[] {
  if (payload === undefined || event === undefined) return [];
  return doubtsAbout(event, payload).map((doubt) => ({
    line: source.lineAt([...path, "payload"]),
    message: `${of}: ${doubt}`,
  }));
}
