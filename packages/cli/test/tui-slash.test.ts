import { expect, it } from "vitest";
import { slashCommand } from "../src/tui/handle-input.ts";

it.each([
  { typed: "/hooks", is: { kind: "panel", panel: "hooks" } },
  { typed: "/compact", is: { kind: "compact" } },
  { typed: "/compact the names", is: { kind: "compact", instructions: "the names" } },
  { typed: "/clear", is: { kind: "clear" } },
  { typed: "/quit", is: { kind: "exit" } },
  {
    typed: "/hoks",
    is: { kind: "unknown", message: "there is no command /hoks (did you mean hooks?); /help lists them" },
  },
  { typed: "/etc/hosts is a file", is: undefined },
  { typed: "run /bin/ls", is: undefined },
])("reads $typed", ({ typed, is }) => {
  expect(slashCommand(typed)).toEqual(is);
});
