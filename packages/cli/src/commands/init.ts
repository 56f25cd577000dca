import { BadUsage } from "../args.ts";
import type { Command } from "./command.ts";
export const command: Command = {
  usage: "belay init",
  summary: "",
  flags: {},
  examples: [],
  run: async () => {
    throw new BadUsage("not yet");
  },
};
