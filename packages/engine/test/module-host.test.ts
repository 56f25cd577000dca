import { describe, expect, it } from "vitest";
import { scratch } from "./scratch.ts";

/** A module hook is anyone's code: whatever it does in its thread, the host gets a Run and goes on. */

const DENY = `{ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }`;
/** What stands for an answer to the first call, and for one that came too early. */
const FORGED = `{ id: 1, output: "", printed: "", files: [], unusable: false }`;

async function fired(text: string) {
  const room = scratch();
  room.write("guard.mjs", text);
  const hooks = await room.engineFor("PreToolUse", [{ type: "module", module: "./guard.mjs" }]);
  return hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
}

describe("a module that talks to its host answers by what it returns", () => {
  const said = [`"ready"`, "null", "7", "[]", "{}", `{ id: 1 }`, `{ id: "started" }`, FORGED];
  const posts = (port: string) =>
    [...said, `{ id: 1, output: 7, printed: null, files: "x" }`].map(
      (message) => `${port}.postMessage(${message});`,
    );
  const rows: [name: string, text: string][] = [
    [
      "when it is loaded",
      `import { parentPort } from "node:worker_threads";
      ${posts("parentPort").join("\n")}
      export default () => (${DENY});`,
    ],
    [
      "when it is called",
      `import { parentPort } from "node:worker_threads";
      export default async () => {
        ${posts("parentPort").join("\n")}
        await new Promise((resolve) => setTimeout(resolve, 50));
        return ${DENY};
      };`,
    ],
    [
      "and listens",
      `import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => parentPort.postMessage(${FORGED}));
      export default async () => { await new Promise((resolve) => setTimeout(resolve, 50)); return ${DENY}; };`,
    ],
    [
      "on every port there is",
      `import { MessagePort } from "node:worker_threads";
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (...given) {
        for (const message of ["ready", null, 7, [], {}, { id: 1 }, { id: 1, output: 7, printed: null, files: "x" }])
          postMessage.call(this, message);
        return postMessage.apply(this, given);
      };
      export default () => (${DENY});`,
    ],
  ];
  it.each(rows)("%s", async (_name, text) => {
    expect((await fired(text)).decision.kind).toBe("deny");
  });

  it("and is given no port of ours", async () => {
    const { runs } = await fired(
      `import { workerData } from "node:worker_threads";
      export default () => ({ systemMessage: Object.keys(workerData).join() });`,
    );
    expect(runs[0]?.stdout).toBe(`{"systemMessage":"file,timeoutMs,maxError"}`);
  });
});

describe("what a module throws outside the call is a fault, whatever it is", () => {
  const rows: [thrown: string, detail: string][] = [
    [`new Error("loose")`, "loose"],
    [`Object.assign(new Error(), { message: { a: 1 } })`, "{ a: 1 }"],
    [`"words"`, "words"],
    ["null", "null"],
    ["undefined", "undefined"],
    ["{ toString: 1, valueOf: 1 }", "{ toString: 1, valueOf: 1 }"],
    [`new Error("x".repeat(20_000_000))`, "x".repeat(10_000)],
  ];
  it.each(rows)("%s", async (thrown, detail) => {
    const { runs } = await fired(
      `export default () => new Promise(() => setTimeout(() => { throw ${thrown}; }));`,
    );
    expect(runs[0]?.failure).toEqual({ kind: "throw", detail });
  });
});

it("an answer that was sent before the thread ended counts", async () => {
  const { decision } = await fired(
    `export default () => { setImmediate(() => process.exit()); return ${DENY}; };`,
  );
  expect(decision.kind).toBe("deny");
});
