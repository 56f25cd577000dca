export const shell = (command: string, more: object = {}) => ({
  hooks: [{ type: "command", command, name: "guard", ...more }],
});

export const json = (output: object) => ({ hooks: [{ type: "json", json: output, name: "guard" }] });

export const permission = (permissionDecision: string) =>
  json({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: "because",
    },
  });
