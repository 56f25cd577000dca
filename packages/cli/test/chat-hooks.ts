export const hook = (event: string, command: string, matcher?: string) => ({
  [event]: [{ ...(matcher && { matcher }), hooks: [{ type: "command", command, name: "h" }] }],
});

export const says = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;

export const BYPASS = ["--mode", "bypass"];
