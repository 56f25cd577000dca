import { expect, it } from "vitest";
import { run } from "./case-files.ts";

/** Refuses what its session was seen with before; it keeps that beside itself, as a hook does that has no home. */
const SEEN = `#!/bin/sh
id=$(sed 's/.*"session_id":"\\([^"]*\\)".*/\\1/')
seen="$(dirname "$0")/seen-$id"
[ -e "$seen" ] && { echo "$id again" >&2; exit 2; }
touch "$seen"
`;
const NONE = "{ decision: none, agent: [] }";
const CASES = `hook: ./seen.sh
defaults: { event: Stop }
cases:
  - { name: a, expect: ${NONE} }
  - { name: b, expect: ${NONE} }
`;

it("no two cases have the same session, in no file and in no run", async () => {
  const files = { "a.hooks.yaml": CASES, "b.hooks.yaml": CASES };
  const { code, stdout, project } = await run(files, [], ({ file }) => file("seen.sh", SEEN, 0o755));
  expect([code, stdout]).toEqual([0, expect.stringContaining("4 passed")]);
  const again = await project.belay(["test"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("4 passed")]);
});

it("a case may name its session, and is told of it by name", async () => {
  const mine = `hook: "sed 's/.*\\"session_id\\":\\"\\\\([^\\"]*\\\\).*/\\\\1/' >&2; exit 2"
defaults: { event: Stop }
cases:
  - { name: a, expect: { reason: "/^case-1-[0-9a-f]{8}$/" } }
  - { name: b, payload: { session_id: mine }, expect: { reason: mine } }
`;
  const { code, stdout } = await run({ "a.hooks.yaml": mine });
  expect([code, stdout]).toEqual([0, expect.stringContaining("2 passed")]);
});
