import { messageOf } from "@belay/core/internal";
import { type Answer, answerCall, type Call, REFUSED, refusedBy } from "./answer.ts";
import { ownSender } from "./sent.ts";
import { write } from "./streams.ts";

/** How the script `belay-hook` calls: `--after ask` where it cannot ask the resident itself, else the seconds that it has waited for one. */
const AFTER = "--after";

/** `belay hook`, with what stands behind it. Returns the exit code. */
export async function relay(args: readonly string[]): Promise<number> {
  const [first, after = "", ...rest] = args;
  try {
    return await (first === AFTER ? relayAfter(after, rest) : answerHere({ args, waitedMs: 0 }));
  } catch (error) {
    return say(refusedBy(messageOf(error)));
  }
}

/** Where the resident gives no answer, this process does, and the next call finds a resident. */
async function relayAfter(after: string, args: readonly string[]): Promise<number> {
  const { startResident } = await import("../resident/start.ts");
  if (after !== "ask") return answerHere({ args, waitedMs: Number(after) * 1000 || 0 }, startResident);
  const [{ askResident }, { placeFor }] = await Promise.all([
    import("../resident/client.ts"),
    import("../resident/place.ts"),
  ]);
  const { read, cwd } = ownSender();
  const payload = await read();
  const answer = await askResident(placeFor(), { args, cwd, env: ownVariables(), payload });
  if (typeof answer !== "number") return say(answer);
  return answerHere({ args, waitedMs: answer, read: async () => payload }, startResident);
}

function ownVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).map(([name, value = ""]) => [name, value]));
}

async function answerHere(
  call: Pick<Call, "args" | "waitedMs"> & Partial<Call>,
  meanwhile = () => {},
): Promise<number> {
  const { close, ...answer } = await answerCall({ ...ownSender(), ...call });
  const code = say(answer);
  meanwhile();
  await close();
  return code;
}

/** An agent reads these bytes: nothing is wrapped or escaped in them. An answer that is lost may have been a refusal. */
function say({ stream, text, exitCode }: Answer): number {
  return write(stream, text) ? exitCode : REFUSED;
}
