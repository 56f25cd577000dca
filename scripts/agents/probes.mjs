// What each agent is asked: about sixty outputs of a hook, in the agent's own words. A row on disk is a probe too, and wins over the
// one of the same name here: so rows stay comparable, and a question for one agent is asked by writing its row.

import { CLAUDE_WORDS } from "./words.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */
/** @typedef {import("./rows.mjs").RowHook} RowHook */
/** @typedef {{ id: string, event: string, hooks: RowHook[], approval?: "asks" }} Probe */

/** The project of every run, as rows write it. */
export const PROJECT = "/home/you/project";

const out = (/** @type {unknown} */ value, /** @type {RowHook} */ more = {}) => ({
  stdout: JSON.stringify(value),
  ...more,
});

/** Claude Code's words in the wrong place. @param {string} pre @returns {[string, string, RowHook[]][]} */
function misplaced(pre) {
  const fields = { permissionDecision: "deny", permissionDecisionReason: "REASON_TOK" };
  return [
    ["pre-wrong-level", pre, [out(fields)]],
    ["pre-no-hookEventName", pre, [out({ hookSpecificOutput: fields })]],
  ];
}

/** The probes of an agent: those whose moment it has. @param {Driver} driver @returns {Probe[]} */
export function probesFor({ events, tools, words, http, settings = [], unit, probes: own }) {
  if (own) return own.map(([id, event, hooks]) => ({ id, event, hooks }));
  const { pre, permission, post, prompt, start = "", stop = "" } = events;
  const call = (/** @type {import("./words.mjs").Said} */ said) => words.call(pre, said);
  const touch = (/** @type {string} */ name) =>
    (tools.rewritten ?? ((command) => tools.shell(command).input))(`touch ${PROJECT}/${name}`);
  const deny = call({ decision: "deny", reason: "REASON_TOK" });
  const allow = call({ decision: "allow" });
  const ifAllows = Object.keys(allow).length > 0 ? pre : undefined;
  const text = JSON.stringify(deny);
  const stopIt = { continue: false, stopReason: "STOP_TOK" };
  const error = { stderr: "ERR_TOK" };
  /** @type {[id: string, event: string | undefined, hooks: RowHook[], approval?: "asks"][]} */
  const probes = [
    ["pre-none", pre, [{}]],
    ["pre-exit2-stderr", pre, [{ stderr: "ERR_TOK no", exit: 2 }]],
    ["pre-exit2-silent", pre, [{ exit: 2 }]],
    ["pre-exit2-stdout-text", pre, [{ stdout: "OUT_TOK", exit: 2 }]],
    ["pre-exit1-stderr", pre, [{ ...error, exit: 1 }]],
    ["pre-exit3", pre, [{ ...error, exit: 3 }]],
    ["pre-exit4", pre, [{ ...error, exit: 4 }]],
    ["pre-exit1-jsondeny", pre, [out(deny, { exit: 1 })]],
    ["pre-exit2-jsonallow", pre, [out(allow, { ...error, exit: 2 })]],
    ["pre-allow", ifAllows, [out(call({ decision: "allow", reason: "REASON_TOK" }))]],
    ["pre-deny", pre, [out(deny)]],
    ["pre-deny-noreason", pre, [out(call({ decision: "deny" }))]],
    ["pre-deny-systemMessage", pre, [out({ systemMessage: "SYS_TOK", ...deny })]],
    ["pre-ask", pre, [out(call({ decision: "ask", reason: "REASON_TOK" }))]],
    ["pre-updatedInput-allow", pre, [out(call({ decision: "allow", input: touch("rewritten.txt") }))]],
    ["pre-updatedInput-nodecision", pre, [out(call({ input: touch("rewritten.txt") }))]],
    [
      "pre-updatedInput-partial",
      pre,
      [out(call({ decision: "allow", input: { description: "only this" } }))],
    ],
    ["pre-updatedInput-ask", pre, [out(call({ decision: "ask", input: touch("rewritten.txt") }))]],
    ["pre-additionalContext", pre, [out(call({ context: "CTX_TOK" }))]],
    [
      "pre-additionalContext-deny",
      pre,
      [out(call({ decision: "deny", reason: "REASON_TOK", context: "CTX_TOK" }))],
    ],
    ["pre-continue-false", pre, [out(stopIt)]],
    ["pre-systemMessage", pre, [out({ systemMessage: "SYS_TOK" })]],
    ["pre-plain-stdout", pre, [{ stdout: "OUT_TOK hello" }]],
    ["pre-malformed-open", pre, [{ stdout: text.slice(0, -2) }]],
    ["pre-malformed-closed", pre, [{ stdout: text.replaceAll('"deny"', "deny") }]],
    ["pre-text-before-json", pre, [{ stdout: `note OUT_TOK\n${text}` }]],
    ["pre-text-after-json", pre, [{ stdout: `${text}\nnote OUT_TOK` }]],
    ["pre-two-json-lines", pre, [{ stdout: `${JSON.stringify({ systemMessage: "SYS_TOK" })}\n${text}` }]],
    ["pre-pretty-json", pre, [{ stdout: `${JSON.stringify(deny, null, 2)}\n` }]],
    ["pre-stderr-and-deny", pre, [out(deny, error)]],
    ...(words === CLAUDE_WORDS ? misplaced(pre) : []),
    ["pre-legacy-block", pre, [out({ decision: "block", reason: "REASON_TOK" })]],
    ["pre-decision-deny", pre, [out({ decision: "deny", reason: "REASON_TOK" })]],
    ["pre-unknown-decision", pre, [{ stdout: text.replaceAll('"deny"', '"forbid"') }]],
    [
      "pre-union",
      pre,
      [out({ decision: "deny", permission: "deny", cancel: true, reason: "REASON_TOK", ...deny })],
    ],
    ["pre-extra-fields", pre, [out({ belay: { x: 1 }, ...deny })]],
    ["pre-timeout", unit && pre, [out(deny, { sleep: 4000, timedOut: true })]],
    ["pre-notfound", pre, [{ notFound: true }]],
    ...settings.flatMap((setting) => [
      /** @type {[string, string, RowHook[]]} */ ([
        `pre-timeout-${setting}`,
        pre,
        [out(deny, { sleep: 4000, timedOut: true, setting })],
      ]),
      /** @type {[string, string, RowHook[]]} */ ([
        `pre-exit1-${setting}`,
        pre,
        [{ ...error, exit: 1, setting }],
      ]),
      /** @type {[string, string, RowHook[]]} */ ([
        `pre-notfound-${setting}`,
        pre,
        [{ notFound: true, setting }],
      ]),
    ]),
    ["noallow-none", pre, [{}], "asks"],
    ["noallow-pre-allow", ifAllows, [out(call({ decision: "allow", reason: "REASON_TOK" }))], "asks"],
    ["permreq-allow", permission, [out(words.permission?.("allow"))], "asks"],
    ["permreq-deny", permission, [out(words.permission?.("deny", "REASON_TOK"))], "asks"],
    ["permreq-exit2", permission, [{ ...error, exit: 2 }], "asks"],
    ["two-allow-deny", pre, [out(allow), out(deny, { sleep: 300 })]],
    ["two-deny-allowslow", pre, [out(deny), out(allow, { sleep: 500 })]],
    ["two-exit2-allow", pre, [{ ...error, exit: 2 }, out(allow, { sleep: 300 })]],
    ["two-allow-exit2", pre, [out(allow), { ...error, exit: 2, sleep: 300 }]],
    ["two-ask-allow", pre, [out(call({ decision: "ask", reason: "ASK_TOK" })), out(allow, { sleep: 300 })]],
    [
      "two-deny-deny",
      pre,
      ["REASON_TOK1", "REASON_TOK2"].map((reason, at) =>
        out(call({ decision: "deny", reason }), at === 0 ? { sleep: 300 } : {}),
      ),
    ],
    [
      "two-context",
      pre,
      ["CTX_TOK1", "CTX_TOK2"].map((context, at) => out(call({ context }), at === 0 ? { sleep: 300 } : {})),
    ],
    ...["first", "second"].map(
      (slow) =>
        /** @type {[string, string, RowHook[]]} */ ([
          `two-updatedInput-${slow}slow`,
          pre,
          ["first", "second"].map((name) =>
            out(
              call({ decision: "allow", input: touch(`${name}.txt`) }),
              name === slow ? { sleep: 500 } : {},
            ),
          ),
        ]),
    ),
    ["two-parallel", pre, [{ sleep: 1000 }, { sleep: 1000 }]],
    ["http-deny", http && pre, [{ ...http, type: "http", status: 200, stdout: text }]],
    ["http-500", http && pre, [{ ...http, type: "http", status: 500, stdout: "oops" }]],
    ["http-500-deny", http && pre, [{ ...http, type: "http", status: 500, stdout: text }]],
    ["http-403-deny", http && pre, [{ ...http, type: "http", status: 403, stdout: text }]],
    ["post-exit2", post, [{ ...error, exit: 2 }]],
    ["post-block", post, [out(words.block(post, "REASON_TOK"))]],
    ["post-context", post, [out(words.context(post, "CTX_TOK"))]],
    ["post-continue-false", post, [out(stopIt)]],
    ["prompt-exit2", prompt, [{ ...error, exit: 2 }]],
    ["prompt-block", prompt, [out(words.block(prompt, "REASON_TOK"))]],
    ["prompt-context", prompt, [out(words.context(prompt, "CTX_TOK"))]],
    ["prompt-plain", prompt, [{ stdout: "OUT_TOK" }]],
    ["prompt-continue-false", prompt, [out(stopIt)]],
    ["start-context", start, [out(words.context(start, "CTX_TOK"))]],
    ["start-plain", start, [{ stdout: "OUT_TOK" }]],
    ["start-exit2", start, [{ ...error, exit: 2 }]],
    ["start-continue-false", start, [out(stopIt)]],
    ["stop-block-once", stop, [out(words.block(stop, "REASON_TOK"))]],
    ["stop-block-always", stop, [out(words.block(stop, "REASON_TOK"))]],
    ["stop-exit2-once", stop, [{ ...error, exit: 2 }]],
    ["stop-exit2-silent", stop, [{ exit: 2 }]],
    ["stop-continue-false", stop, [out({ ...stopIt, ...words.block(stop, "REASON_TOK") })]],
    ["stop-context", stop, [out(words.context(stop, "CTX_TOK"))]],
  ];
  return probes.flatMap(([id, event, hooks, approval]) =>
    event ? [{ id, event, hooks, ...(approval ? { approval } : {}) }] : [],
  );
}
