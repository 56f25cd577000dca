import { expect, it } from "vitest";
import { processIo } from "../src/io.ts";

it("what is said on a terminal is broken between words, and elsewhere a line stays a line", () => {
  const text = "belay: no path of 4 case files has that in it; look elsewhere\n";
  const written = (isTTY: boolean) => {
    let all = "";
    const write = (part: string) => {
      all += part;
    };
    const stream = { isTTY, columns: 30, write };
    processIo({ stdout: stream, stderr: stream, env: {} }).err(text);
    return all;
  };
  expect(written(false)).toBe(text);
  expect(written(true)).toBe("belay: no path of 4 case files\nhas that in it; look elsewhere\n");
});
