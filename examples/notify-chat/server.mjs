// notify-chat: send the agent's notifications to a chat, with a token that is not in the config
// Try: CHAT_TOKEN=secret belay run Notification --config hooks.json
// Expect: none (exit 0), while `CHAT_TOKEN=secret node server.mjs` runs in another terminal and prints the message.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

// Stands for the webhook of a chat. Only variables in "allowedEnvVars" are ever put into a header.
const server = createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env.CHAT_TOKEN}`) {
    return response.writeHead(401).end();
  }
  const { title, message } = /** @type {{ title?: string; message: string }} */ (await json(request));
  console.log(`${title ?? "agent"}: ${message}`);
  response.writeHead(204).end();
});

server.listen(Number(process.argv[2] ?? 8788), "127.0.0.1", () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
