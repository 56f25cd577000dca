import { UsageError } from "@belay/engine";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import { allowByCode } from "../questions/denied.ts";
import { refuseInsideAgent } from "../questions/inside-agent.ts";
import { oneLine, shorten } from "../render/text.ts";

const USAGE = "belay allow <code>";

export const command: Command = {
  usage: USAGE,
  summary:
    "Lets a call through that another agent was denied because nobody answered: the same call, once, within ten minutes. belay questions shows the code.",
  flags: {},
  examples: ["belay allow K7QM-3DXR-WB9T"],
  run: async (args, io) => {
    const { positionals } = readFlags(args, {});
    const [code, ...more] = positionals;
    if (code === undefined) throw new UsageError("a code is needed", `${BELAY} questions shows it`);
    noArguments(more, `usage: ${USAGE}`);
    refuseInsideAgent("allow");
    const call = allowByCode(code);
    if (!call)
      throw new UsageError(
        "no denied call has this code: a code counts once, for ten minutes",
        `${BELAY} questions shows what can be allowed`,
      );
    const { title, tool, event, input, project } = call;
    const what = shorten(oneLine(JSON.stringify(input)), 200);
    io.out(
      `Allowed once, within ten minutes: ${oneLine(`${title}, ${tool || event}`)} ${what} in ${oneLine(project)}\n`,
    );
    return 0;
  },
};
