// Which hooks run when a settings file is not as it should be: the file's text, and the names that its hooks wrote down.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */
/** The hooks that ran, in the order of the alphabet: "other" is that of another settings file. @typedef {{ id: string, settings: string, ran: string[], call: "runs" | "refused", version: string }} SettingsRow */

const MARKED = "marked.txt";

/** @param {Driver} driver @param {{ installed: string, node: string }} where @param {{ id: string, settings: string }} probe @returns {Promise<SettingsRow>} */
export async function measureSettings(driver, where, { id, settings }) {
  const { file, other } = /** @type {NonNullable<Driver["settingsFiles"]>} */ (driver.settingsFiles);
  const ran = await run(
    {
      ...driver,
      files: ({ home }) => {
        const mark = join(home, "hooks", "mark");
        const runnable = (/** @type {string} */ text) => text.replaceAll('"mark ', `"${mark} `);
        return {
          "hooks/mark": `#!/bin/sh\necho "$1" >> "${join(home, MARKED)}"\n`,
          [file]: runnable(settings),
          [other]: runnable(
            JSON.stringify({
              hooks: { [driver.events.prompt]: [{ hooks: [{ type: "command", command: "mark other" }] }] },
            }),
          ),
        };
      },
    },
    where,
    {
      hooks: [],
      prompt: "do it",
      approves: true,
      script: (tools, project) => ({
        "": [{ calls: [tools.shell(`touch ${project}/ran.txt`)] }, { text: "It is done." }],
      }),
    },
  );
  const marked = join(ran.home, MARKED);
  const names = existsSync(marked) ? readFileSync(marked, "utf8").trim().split("\n") : [];
  const called = existsSync(join(ran.project, "ran.txt"));
  ran.forget();
  if (ran.asked.length === 0) throw new Error(`the model was never asked (exit ${ran.exit})`);
  const call = called ? "runs" : "refused";
  return { id, settings, ran: [...new Set(names)].sort(), call, version: driver.version };
}
