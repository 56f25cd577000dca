import type { Command } from "../commands/command.ts";
import { commandLines, hang, wrap } from "../render/text.ts";

/** What `belay <command> --help` prints. */
export function helpFor({ usage, summary, flags, events, examples }: Command, columns: number): string {
  const options = Object.entries(flags).map(([name, { value, help, short }]) => ({
    option: `  ${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
    help,
  }));
  const widest = Math.max(0, ...options.map(({ option }) => option.length)) + 2;
  const rows = options.flatMap(({ option, help }) => hang(option.padEnd(widest), help, columns));
  return `${[
    ...wrap(summary, columns),
    "",
    ...hang("Usage: ", usage, columns),
    ...(events ? ["", ...hang("Events: ", events.join(", "), columns)] : []),
    ...(rows.length > 0 ? ["", "Options:", ...rows] : []),
    "",
    "Examples:",
    ...examples.flatMap((line) => commandLines(line, columns)),
  ].join("\n")}\n`;
}
