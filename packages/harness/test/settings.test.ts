import { closedEntry, entryEvent, HARNESSES, installable } from "@belay/harness";
import { describe, expect, it } from "vitest";

describe("where an entry of ours stands", () => {
  for (const harness of HARNESSES) {
    const { title, files, settings, events } = harness;

    it(`is a file that ${title} reads`, () => {
      const patterns = files.map(
        (file) =>
          new RegExp(`^${file.replaceAll(/[.~]/g, "\\$&").replaceAll(/\*|<event>/g, "[^/]+")}(?:\\.sh)?$`),
      );
      for (const file of [settings.project, settings.user])
        if (file !== undefined) expect(patterns.filter((pattern) => pattern.test(file))).toHaveLength(1);
    });

    it(`is an event of ${title}'s, one name for each of ours`, () => {
      const ours = new Set(Object.values(events).map(({ event }) => event));
      expect(new Set(installable(harness))).toEqual(ours);
      for (const event of ours) expect(events[entryEvent(harness, event) ?? ""]?.event).toBe(event);
    });
  }

  it("closes the door where the agent has a setting for it", () => {
    const closed = HARNESSES.flatMap((harness) => {
      const fields = closedEntry(harness);
      return fields ? [[harness.name, fields]] : [];
    });
    expect(closed).toEqual([
      ["claude-code", { onFailure: "block" }],
      ["cursor", { failClosed: true }],
    ]);
  });
});
