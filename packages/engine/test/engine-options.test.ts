import { join } from "node:path";
import { createEngine, UsageError } from "@belay/engine";
import { expect, it } from "vitest";
import { scratch } from "./scratch.ts";

const options: [name: string, options: (root: string) => object, message: RegExp][] = [
  ["an unknown dialect", () => ({ dialect: "claud-code" }), /no dialect claud-code.*claude-code/],
  ["no dialect at all", () => ({ dialect: "" }), /no dialect/],
  [
    "a misspelt option",
    () => ({ confgFiles: ["x.json"] }),
    /^there is no option confgFiles \(did you mean configFiles\?\)$/,
  ],
  ["an option like no other", () => ({ zzzz: undefined }), /^there is no option zzzz; there are cwd, /],
  [
    "a misspelt limit",
    () => ({ limits: { stopcap: 1 } }),
    /^there is no limit stopcap \(did you mean stopCap\?\)$/,
  ],
  ["a word for a flag", () => ({ reload: "no" }), /^reload must be true or false, not "no"$/],
  ["a number for a folder", () => ({ cwd: 5 }), /^cwd must be a string, not 5$/],
  ["a number for a name", () => ({ sessionId: 7 }), /^sessionId must be a string, not 7$/],
  [
    "one file for a list",
    () => ({ configFiles: "a" }),
    /^configFiles must be an array with nothing but strings in it, not "a"$/,
  ],
  [
    "a list of other things",
    () => ({ pluginDirs: [7] }),
    /^pluginDirs must be an array with nothing but strings in it, not an array$/,
  ],
  [
    "no journal by another word",
    () => ({ journal: null }),
    /^journal must be true, false or a folder, not null$/,
  ],
  ["a journal in no folder", () => ({ journal: "" }), /^journal must be true, false or a folder, not ""$/],
  ["limits that are none", () => ({ limits: 5 }), /^limits must be an object, not 5$/],
  ["an observer that is none", () => ({ onHook: {} }), /^onHook must be a function, not an object$/],
  ["a launcher like no other", () => ({ launcher: "maybe" }), /^launcher must be one of .*, not maybe$/],
  ["a dialect that is no name", () => ({ dialect: 7 }), /^dialect must be a string, not 7$/],
  ["a folder that is not there", (root) => ({ cwd: join(root, "gone") }), /gone is no folder/],
  ["a file as a folder", (root) => ({ cwd: join(root, "file") }), /file is no folder/],
];
it.each([null, 5, "here", []])("an engine for %j", async (wrong) => {
  const opening = createEngine(wrong as never);
  await expect(opening).rejects.toThrow(/^options must be an object, not /);
  await expect(opening).rejects.toBeInstanceOf(UsageError);
});

it.each(options)("an engine for %s", async (_name, wrong, message) => {
  const { root, engine, write } = scratch();
  write("file", "");
  const opening = engine(wrong(root));
  await expect(opening).rejects.toThrow(message);
  await expect(opening).rejects.toBeInstanceOf(UsageError);
});
