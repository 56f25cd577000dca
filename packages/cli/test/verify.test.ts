import { type Harness, harnessNamed } from "@belay/harness";
import { describe, expect, it } from "vitest";
import { processIo } from "../src/io.ts";
import { type Canary, judge, type Proof, placed } from "../src/verify/canaries.ts";
import { exitCodeFor, report, type Verified } from "../src/verify/report.ts";

/* What `belay verify` makes of what it saw. The real agents are driven by `npm run agents -- verify`. */

const OBEYED: Proof = { result: "obeyed", why: "it did not run" };
const LOST: Proof = { result: "not obeyed", why: "the call ran all the same" };
const OPEN: Proof = { result: "not verified", why: "the session did not come so far" };

describe("a canary", () => {
  const cases: [name: string, Canary, ran: string[], asked: string[], isTold: boolean, string | undefined][] =
    [
      ["denied", "deny", ["control"], ["control", "deny"], false, "obeyed"],
      ["denied, and it ran", "deny", ["control", "deny"], ["control", "deny"], false, "not obeyed"],
      ["that ran unseen", "deny", ["control", "deny"], [], false, "not obeyed"],
      ["that never came", "deny", ["control"], ["control"], false, undefined],
      ["where no call runs at all", "deny", [], ["deny"], false, undefined],
      ["asked about, unanswered", "ask", ["control"], ["ask"], false, "obeyed"],
      ["that ran unasked", "ask", ["control", "ask"], ["ask"], false, "not obeyed"],
      ["rewritten", "rewrite", ["control", "rewritten"], ["rewrite"], false, "obeyed"],
      ["refused in place of a rewrite", "rewrite", ["control"], ["rewrite"], false, "obeyed"],
      [
        "that ran as it was, and rewritten",
        "rewrite",
        ["rewrite", "rewritten"],
        ["rewrite"],
        false,
        "not obeyed",
      ],
      ["with context for the model", "context", ["control", "context"], ["context"], true, "obeyed"],
      [
        "with context that nobody has seen",
        "context",
        ["control", "context"],
        ["context"],
        false,
        "not obeyed",
      ],
      ["that stops", "stop", ["control"], ["stop"], false, "obeyed"],
      ["that stops one call", "stop", ["control", "after"], ["stop"], false, "not obeyed"],
    ];
  it.each(cases)("%s", (_name, canary, ran, asked, isTold, result) => {
    expect(judge(canary, { ran: new Set(ran), asked: new Set(asked), isTold })?.result).toBe(result);
  });

  it("stands where an agent can be told, and nowhere else", () => {
    const eventsOf = (name: string, moments: Parameters<typeof placed>[1]) =>
      placed(harnessNamed(name) as Harness, moments).map(({ canary, event }) => `${canary} ${event}`);
    const calls = ["rewrite", "ask", "deny", "stop"].map((canary) => `${canary} PreToolUse`);
    expect(eventsOf("codex", { pre: "PreToolUse", post: "PostToolUse", prompt: "UserPromptSubmit" })).toEqual(
      ["context PreToolUse", ...calls],
    );
    expect(eventsOf("droid", { pre: "PreToolUse", post: "PostToolUse", prompt: "UserPromptSubmit" })).toEqual(
      ["context PostToolUse", ...calls],
    );
    expect(eventsOf("pi", { pre: "tool_call", post: "tool_result", prompt: "input" })).toEqual(calls);
  });
});

describe("the report", () => {
  const done: Verified = { agent: "one", program: "/bin/one", proofs: { deny: OBEYED, context: OPEN } };
  const lost: Verified = { agent: "two", program: "/bin/two", proofs: { deny: LOST, ask: OBEYED } };
  const none: Verified = {
    agent: "three",
    proofs: {},
    why: "there is no three on the PATH",
    next: "belay doctor",
  };

  it("exits 2 for what is not obeyed, 1 where nothing is proven", () => {
    expect(exitCodeFor([done, none], [])).toBe(0);
    expect(exitCodeFor([done, lost, none], [])).toBe(2);
    expect(exitCodeFor([done, none], ["one", "three"])).toBe(1);
    expect(exitCodeFor([none], [])).toBe(1);
  });

  it("is a table, then what is open", () => {
    expect(report([done, lost, none], processIo()).split("\n")).toEqual([
      "          context  rewrite     ask        deny  stop",
      "one  not verified                       obeyed",
      "two                         obeyed  not obeyed",
      "one: context not verified: the session did not come so far",
      "two: deny not obeyed: the call ran all the same",
      "three: there is no three on the PATH; next: belay doctor",
      "",
    ]);
  });
});
