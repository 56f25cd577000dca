// A whole session, for its log: several tools, hooks of different speed, denials, failures and a subagent.

/** @typedef {import("./driver.mjs").Driver} Driver */
/** @typedef {import("./run.mjs").RunHook} RunHook */

/** The word by which the main conversation is told from that of a subagent. */
const MAIN = "Tidy the notes";

export const SESSION_PROMPT = `${MAIN}, then say what you did.`;

/** @param {import("./driver.mjs").Tools} tools @param {string} project @returns {import("./model-server.mjs").Script} */
export function sessionScript(tools, project) {
  const at = (/** @type {string} */ name) => `${project}/${name}`;
  /** @param {import("./wires.mjs").Call | undefined} call @param {string} text */
  const turn = (call, text) => (call ? [{ text, calls: [call] }] : []);
  return {
    [MAIN]: [
      ...turn(tools.shell("printf 'one\\ntwo\\n' > notes.txt && wc -l notes.txt"), "I write the notes."),
      ...turn(tools.read?.(at("notes.txt")), "I read them."),
      ...turn(tools.write?.(at("list.md"), "# List\n\n- one\n"), "I write a list."),
      ...turn(tools.edit?.(at("notes.txt"), "two", "three"), "I mend a line."),
      ...turn(tools.shell("echo FORBIDDEN-BY-JSON"), "I try something."),
      ...turn(tools.shell("echo FORBIDDEN-BY-EXIT"), "I try another way."),
      ...turn(tools.shell("ls no-such-file"), "I look for a file."),
      ...turn(tools.read?.(at("no-such-file.txt")), "I read a file that is not there."),
      {
        text: "Two things at once.",
        calls: [tools.shell("sleep 0.2; echo first"), tools.shell("echo REWRITE-ME")],
      },
      ...turn(tools.subagent?.("List the files in this folder."), "Somebody else looks around."),
      { text: "I tidied the notes." },
    ],
    "": [{ text: "I list the files.", calls: [tools.shell("ls")] }, { text: "There are two files." }],
  };
}

/** Hooks of different speed and luck, which answer in the agent's words. @param {Driver} driver @returns {RunHook[]} */
export function sessionHooks({ events, tools, words, functions }) {
  const say = (/** @type {object} */ value) => (functions ? value : { stdout: JSON.stringify(value) });
  const rewritten = (tools.rewritten ?? ((command) => tools.shell(command).input))("echo rewritten");
  const { start, stop, end } = events;
  return [
    ...(start
      ? [{ event: start, name: "greet", answers: [say(words.context(start, "The notes are notes.txt."))] }]
      : []),
    { event: events.prompt, name: "prompts", answers: [{ sleep: 60 }] },
    {
      event: events.pre,
      name: "guard",
      answers: [
        {
          when: "FORBIDDEN-BY-JSON",
          ...say(words.call(events.pre, { decision: "deny", reason: "This is forbidden." })),
        },
        {
          when: "FORBIDDEN-BY-EXIT",
          ...(functions
            ? { throw: "This is forbidden too." }
            : { exit: 2, stderr: "This is forbidden too." }),
        },
        { when: "REWRITE-ME", ...say(words.call(events.pre, { decision: "allow", input: rewritten })) },
      ],
    },
    {
      event: events.pre,
      name: "slow-look",
      answers: [{ sleep: 180, ...say(words.call(events.pre, { context: "It was looked at." })) }],
    },
    {
      event: events.post,
      name: "format",
      answers: [{ when: "list.md", exit: 1, stderr: "The formatter is not there." }, { sleep: 90 }],
    },
    ...(stop
      ? [
          {
            event: stop,
            name: "finish",
            answers: [{ once: true, ...say(words.block(stop, "Say it in one line.")) }],
          },
        ]
      : []),
    ...(end ? [{ event: end, name: "goodbye" }] : []),
  ];
}
