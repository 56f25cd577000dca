import { DIAGNOSTICS } from "@belay/core";
import { code, GENERATED, table } from "./markdown.mjs";

/** Codes are grouped by what comes before the first dash; the last group takes the rest. */
const GROUPS = [
  { title: "What a hook printed", test: /^(output|exit)-/ },
  { title: "How a hook ran", test: /^run-/ },
  { title: "Configuration and trust", test: /^(config|hook|http)-/ },
  { title: "Permissions", test: /^permission-/ },
  { title: "Scripts and modules, as `belay check` reads them", test: /^(script|module)-/ },
  { title: "Several hooks together, and the engine", test: /./ },
];

export function diagnosticsPage() {
  const rows = Object.entries(DIAGNOSTICS);
  const groupOf = (/** @type {string} */ name) => GROUPS.find(({ test }) => test.test(name));
  const groups = GROUPS.map((group) => ({
    ...group,
    rows: rows.filter(([name]) => groupOf(name) === group),
  }));
  const filled = groups.filter((group) => group.rows.length > 0);
  return `${[
    GENERATED,
    "# Diagnostics",
    INTRO,
    ...filled.flatMap((group) => [
      `## ${group.title}`,
      table(
        ["Code", "Severity"],
        group.rows.map(([name, row]) => [`[${name}](#${name})`, row.severity]),
      ),
      ...group.rows.map(([name, row]) => section(name, row)),
    ]),
  ].join("\n\n")}\n`;
}

const INTRO = `Something the author of a hook should know: a stable code, what happened, where, and how to fix it. \`belay run\`, \`belay why\` and
\`belay check\` print the code; \`Outcome.diagnostics\` carries all of them. Words in braces are filled in.`;

/** @param {string} name @param {{ severity: string, told: boolean, message: string, fix: string }} row */
function section(name, row) {
  return [
    `### ${name}`,
    "",
    `- **Meaning** (${row.severity}): ${row.message}.`,
    `- **Fix**: ${row.fix}`,
    `- **Shown to the user**: ${shown(name, row)}.`,
  ].join("\n");
}

/** @param {string} name @param {{ severity: string, told: boolean }} row */
function shown(name, { severity, told }) {
  if (told) return "yes, as a warning, when an event fires";
  const isFault = name.startsWith("run-") || (name.startsWith("output-") && severity === "error");
  if (isFault) return "yes, as an error that names the hook and the fault";
  return `no; it is in ${code("Outcome.diagnostics")} or in what ${code("belay check")} prints`;
}
