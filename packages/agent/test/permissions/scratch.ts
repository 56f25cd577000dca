import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PermissionRule, parseRule } from "@belay/core";
import { onTestFinished } from "vitest";
import type { RuleSet } from "../../src/permissions/rules.ts";

/** A home and a project of a test's own. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  /** Writes a file below the root. */
  write(name: string, content: string): string;
}

export function scratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-permissions-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const cwd = join(root, "project");
  mkdirSync(home);
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const write = (name: string, content: string) => {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return { root, home, cwd, write };
}

/** Rules as someone would write them in the user's file. */
export function rulesOf(lists: Partial<Record<keyof RuleSet, readonly string[]>>): RuleSet {
  const read = (texts: readonly string[] = []): PermissionRule[] =>
    texts.map((text, index) => {
      const rule = parseRule(text, { file: "s.json", layer: "user", line: index + 1, path: "" });
      if (!rule) throw new Error(`${text} is no rule`);
      return rule;
    });
  return { allow: read(lists.allow), deny: read(lists.deny), ask: read(lists.ask) };
}
