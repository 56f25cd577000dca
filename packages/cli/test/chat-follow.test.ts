import type { Block, Message } from "@belay/agent";
import { expect, it } from "vitest";
import { followMessages, type Step } from "../src/chat/print.ts";

const words = (content: string): Block => ({ type: "text", content, to: ["user", "agent"] });
const [ONE, TWO, THREE] = [words("one"), words("two"), words("three")];
const BY = { role: "user", source: "prompt" } as const;
const message = (id: string, ...blocks: Block[]): Message => ({ id, ...BY, time: "", blocks });
const block = (message: string, index: number, said: Block): Step => {
  return { type: "block", message, index, ...BY, block: said };
};

it.each<[what: string, before: Message[], after: Message[], told: Step[]]>([
  ["nothing new", [message("a", ONE)], [message("a", ONE)], []],
  [
    "a message more",
    [message("a", ONE)],
    [message("a", ONE), message("b", TWO, THREE)],
    [block("b", 0, TWO), block("b", 1, THREE)],
  ],
  [
    "a change of an older message",
    [message("a", ONE, TWO), message("b", THREE)],
    [message("a", ONE, THREE), message("b", THREE)],
    [block("a", 1, THREE)],
  ],
  ["the only message erased", [message("a", ONE)], [], [{ type: "remove", message: "a" }]],
  [
    "one of several erased",
    [message("a", ONE), message("b", TWO), message("c", THREE)],
    [message("a", ONE), message("c", THREE)],
    [{ type: "remove", message: "b" }],
  ],
  [
    "a summary in front of what is kept",
    [message("a", ONE), message("b", TWO)],
    [message("s", THREE), message("a", ONE)],
    [{ type: "reset" }, block("s", 0, THREE), block("a", 0, ONE)],
  ],
  ["all cleared", [message("a", ONE), message("b", TWO)], [], [{ type: "reset" }]],
])("tells of %s, once", (_, before, after, told) => {
  const steps: Step[] = [];
  const follow = followMessages(before, (step) => steps.push(step));
  follow(after);
  follow(after);
  expect(steps).toEqual(told);
});
