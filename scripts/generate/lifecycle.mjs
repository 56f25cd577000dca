import { DEFAULT_DIALECT, EVENT_NAMES, ruleFor } from "@belay/core";
import { eventRow, PHASES } from "@belay/core/internal";
import { capabilitiesOf } from "./by-dialect.mjs";
import { fence } from "./markdown.mjs";

/** One vertical line of events, beside each what it can do; then the way to their pages. */
export function lifecycleDrawing() {
  const nameWidth = Math.max(...EVENT_NAMES.map((name) => name.length));
  const phaseWidth = Math.max(...PHASES.map((name) => name.length));
  const blocks = PHASES.map((phase) =>
    EVENT_NAMES.filter((event) => eventRow(event).phase === phase).map((event, index) => {
      const mark = ruleFor(event, DEFAULT_DIALECT).refusal ? "●" : "○";
      const can = capabilitiesOf(event).join(" · ") || "can refuse nothing";
      const left = (index === 0 ? phase : "").padEnd(phaseWidth);
      return `${left}  ${mark} ${event.padEnd(nameWidth)}  ${can}`;
    }),
  );
  const lines = blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
  const between = `\n${" ".repeat(phaseWidth)}  │\n`;
  const inOrder = PHASES.flatMap((phase) => EVENT_NAMES.filter((event) => eventRow(event).phase === phase));
  const pages = inOrder.map((event) => `[${event}](events/${event}.md)`).join(" ·\n");
  return `${fence("text", lines.join(between))}\n\nA page per event, the same five questions on each:\n${pages}`;
}
