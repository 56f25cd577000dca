import type { PendingPermission } from "@belay/core";
import { describe, expect, test } from "vitest";
import { createPermissionQueue } from "../../src/permissions/queue.ts";

const question = (id: string, toolName = "Bash"): PendingPermission => ({
  id,
  toolName,
  toolInput: { command: "ls" },
  timestamp: 1,
});

const denied = (reason: string, toolName = "Bash") => ({
  decision: "deny",
  toolName,
  reason,
  timestamp: expect.any(Number),
  shouldContinueRecursion: false,
});

/** Whether a promise is still open once everything that could settle it now has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol();
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, open])) === open;
}

describe("the queue of questions", () => {
  test("keeps the order, waits, and gives each its own decision", async () => {
    const queue = createPermissionQueue();
    const before = Date.now();
    const asked = ["1", "2", "3"].map((id) => queue.ask(question(id)));
    expect(queue.pending.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(await isOpen(Promise.race(asked))).toBe(true);
    expect(queue.decide("2", { decision: "deny", reason: "not now" })).toBeUndefined();
    expect(queue.decide("1", { decision: "allow" })).toBeUndefined();
    expect(queue.pending.map(({ id }) => id)).toEqual(["3"]);
    expect(await asked[1]).toEqual(denied("not now"));
    const allowed = await asked[0];
    expect(allowed).toEqual({
      decision: "allow",
      toolName: "Bash",
      timestamp: expect.any(Number),
      shouldContinueRecursion: true,
    });
    expect(allowed?.timestamp).toBeGreaterThanOrEqual(before);
    expect(await isOpen(asked[2] as Promise<unknown>)).toBe(true);
  });

  test("a full queue denies at once, and has room again after a decision", async () => {
    const queue = createPermissionQueue({ max: 2 });
    const first = queue.ask(question("1"));
    void queue.ask(question("2"));
    expect(await queue.ask(question("3", "Write"))).toEqual(
      denied("2 questions are open already: answer them first", "Write"),
    );
    queue.decide("1", { decision: "allow" });
    await first;
    const fourth = queue.ask(question("4"));
    expect(queue.pending.map(({ id }) => id)).toEqual(["2", "4"]);
    queue.decide("4", { decision: "allow" });
    expect((await fourth).decision).toBe("allow");
  });

  test("refuses decisions on unknown questions and on decided ones", async () => {
    const queue = createPermissionQueue();
    const asked = queue.ask(question("1"));
    expect(queue.decide("2", { decision: "allow" })).toBe("no question 2 is open");
    expect(await isOpen(asked)).toBe(true);
    expect(queue.decide("1", { decision: "allow" })).toBeUndefined();
    expect(queue.decide("1", { decision: "deny" })).toBe("no question 1 is open");
    expect((await asked).decision).toBe("allow");
  });

  test("one question is asked once", async () => {
    const queue = createPermissionQueue();
    const asked = queue.ask(question("1"));
    expect(await queue.ask(question("1"))).toEqual(denied("the question 1 is already open"));
    queue.decide("1", { decision: "allow" });
    expect((await asked).decision).toBe("allow");
  });

  test("an abort denies what it is about, before and after it was asked", async () => {
    const queue = createPermissionQueue();
    const turn = new AbortController();
    const [mine, other] = [queue.ask(question("1"), turn.signal), queue.ask(question("2"))];
    turn.abort();
    const reason = "the turn was ended before the question was answered";
    expect(await mine).toEqual(denied(reason));
    expect(await queue.ask(question("3"), turn.signal)).toEqual(denied(reason));
    expect(queue.pending.map(({ id }) => id)).toEqual(["2"]);
    expect(await isOpen(other)).toBe(true);
  });

  test("an abort after the decision changes nothing", async () => {
    const queue = createPermissionQueue();
    const turn = new AbortController();
    const asked = queue.ask(question("1"), turn.signal);
    queue.decide("1", { decision: "allow" });
    const again = queue.ask(question("1"));
    turn.abort();
    expect((await asked).decision).toBe("allow");
    expect(await isOpen(again)).toBe(true);
  });

  test("closing denies what is pending and what comes after", async () => {
    const queue = createPermissionQueue();
    const asked = [queue.ask(question("1")), queue.ask(question("2", "Write"))];
    queue.close();
    const reason = "the session was closed before the question was answered";
    expect(await Promise.all(asked)).toEqual([denied(reason), denied(reason, "Write")]);
    expect(await queue.ask(question("3"))).toEqual(denied(reason));
    expect(queue.pending).toEqual([]);
  });

  test("listeners hear of each change until they leave; the list is a new one each time", () => {
    const queue = createPermissionQueue();
    const seen: (readonly PendingPermission[])[] = [];
    const leave = queue.subscribe(() => seen.push(queue.pending));
    void queue.ask(question("1"));
    void queue.ask(question("2"));
    queue.decide("1", { decision: "allow" });
    leave();
    queue.close();
    expect(seen.map((list) => list.map(({ id }) => id))).toEqual([["1"], ["1", "2"], ["2"]]);
  });
});
