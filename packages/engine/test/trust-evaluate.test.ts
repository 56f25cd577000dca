import { checkConfig } from "@belay/engine/internal";
import { expect, it } from "vitest";
import { codes, said, scratch } from "./scratch.ts";

/* What runs, what refuses because it was edited, what is not trusted: fire, explain and checkConfig say the same. */

const SCRIPT = { type: "command", command: '"$BELAY_PROJECT_DIR"/guard.sh', name: "guard" };
const GUARD = { ...SCRIPT, onFailure: "block" };
const file = (event: string, matcher: string, hook: object) => ({
  hooks: { [event]: [{ matcher, hooks: [hook] }] },
});

interface Row {
  readonly what: string;
  readonly event?: "PreToolUse" | "SessionStart";
  /** Written, then trusted, then the script is edited. */
  readonly edited?: object;
  /** Written, then trusted. */
  readonly trusted?: object;
  /** Written without being trusted. */
  readonly added?: object;
  readonly blocked?: true;
  readonly told?: string[];
  readonly explained: [fires: boolean, trusted: boolean, because: string][];
  readonly checked?: string[];
}

/** What is said of a hook that does not run. */
const NOT_RUN: Pick<Row, "told" | "explained" | "checked"> = {
  told: ["hook-untrusted", "hook-skipped"],
  explained: [[false, false, "untrusted"]],
  checked: ["config-untrusted"],
};

const ROWS: Row[] = [
  {
    what: "a trusted guard runs",
    trusted: file("PreToolUse", "Bash", GUARD),
    blocked: true,
    explained: [[true, true, "fires"]],
  },
  {
    what: "an edited guard refuses",
    edited: file("PreToolUse", "Bash", GUARD),
    blocked: true,
    told: ["hook-edited", "run-failure-blocks"],
    explained: [[true, false, "edited"]],
    checked: ["hook-edited"],
  },
  {
    what: "an edited guard that does not match refuses nothing",
    edited: file("PreToolUse", "Edit", GUARD),
    explained: [[false, false, "matcher"]],
    checked: ["hook-edited"],
  },
  {
    what: "an edited hook that may fail is not run",
    edited: file("PreToolUse", "Bash", SCRIPT),
    ...NOT_RUN,
  },
  {
    what: "an edited guard that only observes is not run",
    edited: file("PreToolUse", "Bash", { ...GUARD, mode: "observe" }),
    ...NOT_RUN,
    told: ["hook-untrusted"],
  },
  {
    what: "an edited guard of an event that refuses nothing is not run",
    event: "SessionStart",
    edited: file("SessionStart", "startup", GUARD),
    ...NOT_RUN,
    checked: ["config-no-effect", "config-untrusted"],
  },
  {
    what: "a guard never trusted refuses nothing",
    added: file("PreToolUse", "Bash", GUARD),
    ...NOT_RUN,
  },
  {
    what: "a double that is not trusted does not hide the one that is",
    trusted: file("PreToolUse", "Bash|Edit", SCRIPT),
    added: file("PreToolUse", "Bash", SCRIPT),
    blocked: true,
    told: ["hook-untrusted"],
    explained: [
      [false, false, "untrusted"],
      [true, true, "fires"],
    ],
    checked: ["config-duplicate", "config-untrusted"],
  },
];

it.each(ROWS)("fire, explain and check agree: $what", async (row) => {
  const { event = "PreToolUse", edited, trusted = edited, added, blocked = false } = row;
  const room = scratch();
  room.write("project/guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  if (trusted) room.write("project/.belay/settings.local.json", trusted);
  await room.trustAll();
  if (added) room.write("project/.belay/settings.json", added);
  if (edited) room.write("project/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
  const engine = await room.engine();
  const payload = { tool_name: "Bash", source: "startup" };
  const { matches } = await engine.explain(event, payload);
  const outcome = await engine.fire(event, payload);
  const { problems } = await checkConfig({ cwd: room.project, home: room.home });
  expect({
    blocked: outcome.blocked,
    told: codes(outcome),
    explained: matches.map(({ fires, trusted: isTrusted, because }) => [fires, isTrusted, because]),
    checked: problems.map(({ code }) => code).sort(),
  }).toEqual({ blocked, told: row.told ?? [], explained: row.explained, checked: row.checked ?? [] });
  expect(outcome.runs).toHaveLength(matches.filter(({ fires }) => fires).length);
});

it("the agent reads that a guard was edited, the user how to trust it", async () => {
  const room = scratch();
  room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
  room.write("project/.belay/settings.json", file("PreToolUse", "Bash", GUARD));
  await room.trustAll();
  room.write("project/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
  const engine = await room.engine({ program: "npx belay" });
  for (let time = 0; time < 2; time += 1) {
    const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect(said(outcome, "agent")).toEqual([
      "hook guard failed and must not (onFailure: block): it was edited since it was trusted, and is not run",
    ]);
    expect(said(outcome).at(-1)).toMatch(
      /^guard changed since you trusted it.*Look at the edit and trust it: npx belay trust --cwd /,
    );
    expect(JSON.stringify(outcome.runs)).not.toContain("belay trust");
  }
});
