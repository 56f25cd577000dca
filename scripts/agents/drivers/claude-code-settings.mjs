// Settings files that are not as they should be, for Claude Code: whose hooks still run. `mark NAME` writes NAME down.

/** @typedef {Record<string, unknown>} Json */

const EVENTS = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre",
  PostToolUse: "post",
  Stop: "stop",
};

/** @param {string} name */
const mark = (name) => ({ type: "command", command: `mark ${name}` });
/** @param {Json} more @param {Json} [group] */
const hook = (more, group = {}) => ({ ...group, hooks: [{ ...mark("bad"), ...more }, mark("sibling")] });

/** A hook on each of the events, and what is added to them. @param {Json} [hooks] @param {Json} [others] */
function file(hooks = {}, others = {}) {
  const good = Object.fromEntries(
    Object.entries(EVENTS).map(([event, name]) => [event, [{ hooks: [mark(name)] }]]),
  );
  return JSON.stringify({ hooks: { ...good, ...hooks }, ...others });
}

/** @param {string} event @param {unknown} group */
const added = (event, group) =>
  file({
    [event]: [...(event in EVENTS ? [{ hooks: [mark(EVENTS[/** @type {"Stop"} */ (event)])] }] : []), group],
  });

/** What is wrong with a group or with one of its hooks. @type {Record<string, unknown>} */
const GROUPS = {
  flat: mark("bad"),
  "flat-matcher": { matcher: "Bash", ...mark("bad") },
  "matcher-list": { matcher: ["Bash"], hooks: [mark("bad")] },
  "matcher-null": { matcher: null, hooks: [mark("bad")] },
  "matcher-no-regex": { matcher: "Bash(", hooks: [mark("bad")] },
  "hooks-missing": { matcher: "Bash" },
  "hooks-object": { hooks: mark("bad") },
  "hooks-empty": { hooks: [] },
  string: "mark bad",
  null: null,
  "type-unknown": hook({ type: "shell" }),
  "type-missing": hook({ type: undefined }),
  "command-missing": hook({ command: undefined }),
  "command-empty": hook({ command: "" }),
  "timeout-text": hook({ timeout: "5" }),
  "timeout-0": hook({ timeout: 0 }),
  "timeout-negative": hook({ timeout: -1 }),
  "timeout-null": hook({ timeout: null }),
  "timeout-fraction": hook({ timeout: 1.5 }),
  "onFailure-unknown": hook({ onFailure: "explode" }),
  "async-text": hook({ async: "yes" }),
  "shell-unknown": hook({ shell: "fish" }),
  "http-no-url": hook({ type: "http", url: "not a url" }),
  "unknown-field": hook({ colour: "red" }, { colour: "red" }),
  "if-number": hook({ if: 5 }),
  "if-no-rule": hook({ if: "Bash(((" }),
  "if-words": hook({ if: "no rule at all" }),
  "if-star": hook({ if: "*" }),
  "if-two-rules": hook({ if: "Write|Bash(touch *)" }),
  "if-empty": hook({ if: "" }),
  "if-tool": hook({ if: "Bash" }),
  "if-matches": hook({ if: "Bash(touch *)" }),
  "if-prefix": hook({ if: "Bash(touch:*)" }),
  "if-other": hook({ if: "Bash(git *)" }),
};

const GOOD = file();
const DENIED = { permissions: { deny: ["Bash(touch *)"] } };

/** Settings files of a project by name. @type {[id: string, text: string][]} */
export const CLAUDE_SETTINGS = [
  ["good", GOOD],
  ["comment", `// a comment\n${GOOD}`],
  ["block-comment", `{ /* a comment */ ${GOOD.slice(1)}`],
  ["trailing-comma", GOOD.replace(/\}$/, ",}")],
  ["byte-order-mark", `\uFEFF${GOOD}`],
  ["empty", ""],
  ["torn", GOOD.slice(0, -3)],
  ["list", "[]"],
  [
    "hooks-twice",
    GOOD.replace(/\}$/, `,"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mark bad"}]}]}}`),
  ],
  ["hooks-list", JSON.stringify({ hooks: [], ...DENIED })],
  ["hooks-null", JSON.stringify({ hooks: null })],
  ["unknown-setting", file({}, { nonsense: 1 })],
  ["permissions-wrong-type", file({}, { permissions: { allow: "Bash" } })],
  ["permission-no-rule", file({}, { permissions: { allow: ["Bash((("] } })],
  ["cleanup-wrong-type", file({}, { cleanupPeriodDays: "x" })],
  ["disableAllHooks", file({}, { disableAllHooks: true })],
  ["disableAllHooks-text", file({}, { disableAllHooks: "yes" })],
  ["denied", file({}, DENIED)],
  ["denied-pre-flat", file({ PreToolUse: [mark("bad")] }, DENIED)],
  ["denied-post-flat", file({ PostToolUse: [mark("bad")] }, DENIED)],
  ["event-unknown", added("BeforeEverything", { hooks: [mark("bad")] })],
  ["event-unknown-flat", added("BeforeEverything", mark("bad"))],
  ["event-lower-case", added("pretooluse", { hooks: [mark("bad")] })],
  ...["PreToolUse", "PermissionRequest", "PostToolUse"].flatMap((event) =>
    Object.entries({ null: null, object: {}, string: "x", empty: [] }).map(
      ([name, value]) => /** @type {[string, string]} */ ([`${event}-is-${name}`, file({ [event]: value })]),
    ),
  ),
  ...["PreToolUse", "PostToolUse", "Stop"].flatMap((event) =>
    Object.entries(GROUPS).map(
      ([name, group]) => /** @type {[string, string]} */ ([`${event}-${name}`, added(event, group)]),
    ),
  ),
  ...["PermissionRequest", "PermissionDenied", "SubagentStop", "Notification"].flatMap((event) =>
    ["flat", "type-unknown", "timeout-text"].map(
      (name) => /** @type {[string, string]} */ ([`${event}-${name}`, added(event, GROUPS[name])]),
    ),
  ),
];
