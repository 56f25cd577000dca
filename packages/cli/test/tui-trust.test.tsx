import { expect, it } from "vitest";
import { type TrustAnswer, TrustQuestion } from "../src/tui/trust.tsx";
import { CTRL_C, CTRL_D, DOWN, ENTER, ESCAPE, screenOf } from "./screens.tsx";

it.each<{ what: string; keys: readonly (string | undefined)[]; given: TrustAnswer }>([
  { what: "Enter, which is no", keys: [ENTER], given: "no" },
  { what: "the second choice", keys: [DOWN, ENTER], given: "yes" },
  { what: "y", keys: ["y"], given: "yes" },
  { what: "n", keys: ["n"], given: "no" },
  { what: "escape", keys: [ESCAPE], given: "no" },
  { what: "escape before y", keys: [`${ESCAPE}y`], given: "no" },
  { what: "Ctrl-C", keys: [CTRL_C], given: "leave" },
  { what: "Ctrl-C, held", keys: [`${CTRL_C}${CTRL_C}`], given: "leave" },
  { what: "Ctrl-D", keys: [CTRL_D], given: "leave" },
])("takes $what about trust", async ({ keys, given }) => {
  const seen: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => seen.push(answer)} />);
  await screen.shows("1 No");
  expect(
    screen
      .text()
      .split("\n")
      .slice(1, -1)
      .map((row) => row.slice(2, -2).trimEnd()),
  ).toEqual(["Trust 1 hook?", "❯ 1 No, go on without", "  2 Yes, as it is now"]);
  await screen.press(...keys);
  await expect.poll(() => seen).toEqual([given]);
});

it("does not take the letters of someone who began to type before it was there", async () => {
  const seen: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => seen.push(answer)} />);
  await screen.press(..."really, 2 of my 12 tests", ENTER, DOWN, ENTER);
  expect(seen).toEqual([]);
  await screen.shows("❯ 1 No, go on without");
  await screen.press("y");
  expect(seen).toEqual(["yes"]);
});

it.each<{ key: string | undefined; given: TrustAnswer }>([
  { key: ESCAPE, given: "no" },
  { key: CTRL_C, given: "leave" },
  { key: CTRL_D, given: "leave" },
])("lets someone out who is still typing: $key", async ({ key, given }) => {
  const seen: TrustAnswer[] = [];
  const screen = screenOf(<TrustQuestion title="Trust 1 hook?" answer={(answer) => seen.push(answer)} />);
  await screen.press("w", key);
  expect(seen).toEqual([given]);
});
