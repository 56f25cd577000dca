import { DEFAULT_DIALECT, EVENT_NAMES, ruleFor } from "@belay/core";
import { COMMON_EVENT_NAMES, eventRow, PHASES } from "@belay/core/internal";
import { capabilitiesOf } from "./by-dialect.mjs";
import { fence } from "./markdown.mjs";

/** @typedef {import("@belay/core").EventName} EventName */

/** The events that nearly every agent has, as one vertical line, then the way to their pages. */
export function lifecycleDrawing() {
  return `${drawing(COMMON_EVENT_NAMES)}\n\nA page per event, the same five questions on each:\n${pages(COMMON_EVENT_NAMES)}`;
}

/** All other events, drawn alike. */
export function furtherEvents() {
  const common = /** @type {readonly EventName[]} */ (COMMON_EVENT_NAMES);
  const further = EVENT_NAMES.filter((event) => !common.includes(event));
  return `${drawing(further)}\n\n${pages(further)}`;
}

/** @param {readonly EventName[]} events */
function drawing(events) {
  const nameWidth = Math.max(...events.map((name) => name.length));
  const phaseWidth = Math.max(...PHASES.map((name) => name.length));
  const blocks = byPhase(events).map((inPhase) =>
    inPhase.map((event, index) => {
      const mark = ruleFor(event, DEFAULT_DIALECT).refusal ? "●" : "○";
      const can = capabilitiesOf(event).join(" · ") || "can refuse nothing";
      const left = (index === 0 ? eventRow(event).phase : "").padEnd(phaseWidth);
      return `${left}  ${mark} ${event.padEnd(nameWidth)}  ${can}`;
    }),
  );
  return fence("text", blocks.map((lines) => lines.join("\n")).join(`\n${" ".repeat(phaseWidth)}  │\n`));
}

/** @param {readonly EventName[]} events */
function pages(events) {
  return byPhase(events)
    .flat()
    .map((event) => `[${event}](events/${event}.md)`)
    .join(" ·\n");
}

/** The events of each phase that has some. @param {readonly EventName[]} events */
function byPhase(events) {
  return PHASES.map((phase) => events.filter((event) => eventRow(event).phase === phase)).filter(
    (inPhase) => inPhase.length > 0,
  );
}
