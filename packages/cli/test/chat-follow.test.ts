import type { Block, Message } from "@belay/agent";
import { expect, it } from "vitest";
import { followMessages, type Step } from "../src/chat/print.ts";

const words = (content: string): Block => ({ type: "text", content, to: ["user", "agent"] });
const [ONE, TWO, THREE] = [words("one"), words("two"), words("three")];
const message = (id: string, ...blocks: Block[]): Message => ({
  id,
  role: "user",
  source: "prompt",
  time: "",
  blocks,
});
const block = (id: string, index: number, said: Block): Step => ({
  type: "block",
  message: id,
  index,
  role: "user",
  source: "prompt",
  block: said,
});

it.each<{ what: string; before: Message[]; after: Message[]; told: Step[] }>([
  { what: "nothing new", before: [message("a", ONE)], after: [message("a", ONE)], told: [] },
  {
    what: "a message more",
    before: [message("a", ONE)],
    after: [message("a", ONE), message("b", TWO, THREE)],
    told: [block("b", 0, TWO), block("b", 1, THREE)],
  },
  {
    what: "a change of an older message",
    before: [message("a", ONE, TWO), message("b", THREE)],
    after: [message("a", ONE, THREE), message("b", THREE)],
    told: [block("a", 1, THREE)],
  },
  {
    what: "the only message erased",
    before: [message("a", ONE)],
    after: [],
    told: [{ type: "remove", message: "a" }],
  },
  {
    what: "one of several erased",
    before: [message("a", ONE), message("b", TWO), message("c", THREE)],
    after: [message("a", ONE), message("c", THREE)],
    told: [{ type: "remove", message: "b" }],
  },
  {
    what: "a summary in front of what is kept",
    before: [message("a", ONE), message("b", TWO)],
    after: [message("s", THREE), message("a", ONE)],
    told: [{ type: "reset" }, block("s", 0, THREE), block("a", 0, ONE)],
  },
  {
    what: "all cleared",
    before: [message("a", ONE), message("b", TWO)],
    after: [],
    told: [{ type: "reset" }],
  },
])("tells of $what, once", ({ before, after, told }) => {
  const steps: Step[] = [];
  const follow = followMessages(before, (step) => steps.push(step));
  follow(after);
  follow(after);
  expect(steps).toEqual(told);
});
