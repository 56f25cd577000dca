// Run by the build, in a process of its own: fires an event as users do, and keeps what V8 compiled for it.
const { createHash } = require("node:crypto");
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { fileOf, scriptOf, start } = require("../packages/cli/bin/belay.js");

const [, , name = ""] = process.argv;
const BUILT = fileOf(name);
const RUN = ["run", "PreToolUse", "--config", "hooks.json"];
/** The code for both forms of output is compiled. @type {Record<string, string[][]>} */
const FORMS = { main: [RUN, [...RUN, "--json"]], relay: [["hook", "claude-code"]] };

const CONFIG = {
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 0" }] }] },
};

// V8 reads a source of one byte per character sooner.
const ascii = readFileSync(BUILT, "utf8").replaceAll(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
const mark = `\n// ${createHash("sha256").update(ascii).digest("hex")}`;
writeFileSync(BUILT, ascii + mark);

const home = mkdtempSync(join(tmpdir(), "belay-build-"));
process.env.HOME = process.env.USERPROFILE = home;
process.chdir(home);
mkdirSync(".belay");
for (const file of ["hooks.json", ".belay/settings.json"]) writeFileSync(file, JSON.stringify(CONFIG));
const script = scriptOf(BUILT, ascii + mark);
const forms = (FORMS[name] ?? []).values();
const { exit } = process;

function next() {
  const { value: form = [], done } = forms.next();
  if (done) keep();
  process.argv = [process.execPath, "belay", ...form];
  start(BUILT, script);
}

/** @returns {never} */
function keep() {
  writeFileSync(`${BUILT}.cache`, Buffer.concat([script.createCachedData(), Buffer.from(mark)]));
  process.chdir(tmpdir());
  rmSync(home, { recursive: true, force: true });
  return exit(process.exitCode);
}

// The program ends its process when it is done; here it is run again.
process.exit = /** @type {typeof process.exit} */ (next);
next();
