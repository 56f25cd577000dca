// ask-the-team: one server decides for every agent of a team; here: no push to main while it is frozen
// Try: belay run PreToolUse --tool Bash --tool-input '{"command":"git push origin main"}' --config hooks.json
// Expect: deny (exit 2), while `node server.mjs` runs in another terminal.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const server = createServer(async (request, response) => {
  const event = /** @type {{ tool_input: { command?: string } }} */ (await json(request));
  const pushes = /\bgit\s+push\b.*\bmain\b/.test(event.tool_input.command ?? "");
  // 204 without a body is silence: no opinion.
  if (!pushes) return response.writeHead(204).end();
  const answer = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "main is frozen until the release is out. Push a branch instead.",
  };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ hookSpecificOutput: answer }));
});

// A project's hooks may call loopback only, unless the user's own settings allow more (allowedHttpHookUrls).
server.listen(Number(process.argv[2] ?? 8787), "127.0.0.1", () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
