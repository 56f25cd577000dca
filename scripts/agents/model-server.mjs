// A model that says what a script says: a server on loopback for every wire format, which keeps what it was asked.
import { createServer } from "node:http";
import { WIRES } from "./wires.mjs";

/** @typedef {import("./wires.mjs").Turn} Turn */
/** A script: turns by the word that the conversation's messages hold; the turns of "" are for all others. @typedef {Record<string, Turn[]>} Script */
/** What an http hook is answered. @typedef {{ status: number, body: string }} HttpAnswer */
/** One request of the agent for a turn. @typedef {{ script: string, said: string }} Asked */
/** @typedef {{ url: string, asked: Asked[], other: string[], close: () => void }} ModelServer */

const MAX_TURNS = 60;

/**
 * `others` answers paths that are no model's, by a part of the path. A request whose messages match `aside` is no turn.
 * @param {Script} script @param {HttpAnswer[]} [http] @param {Record<string, unknown>} [others] @param {RegExp} [aside]
 * @returns {Promise<ModelServer>}
 */
export function startModel(script, http = [], others = {}, aside) {
  /** @type {Asked[]} */
  const asked = [];
  /** @type {string[]} */
  const other = [];
  /** @type {Record<string, number>} */
  const said = {};
  let number = 0;

  /** @param {string} path @param {string} text */
  function answer(path, text) {
    const hook = /^\/hook\/(\d+)$/.exec(path);
    if (hook) {
      const { status, body } = http[Number(hook[1])] ?? { status: 404, body: "" };
      return { status, type: "application/json", body };
    }
    const wire = Object.values(WIRES).find(({ asks }) => asks.test(path));
    if (!wire) {
      other.push(path);
      const known = Object.entries(others).find(([part]) => path.includes(part))?.[1];
      return { status: known ? 200 : 404, type: "application/json", body: JSON.stringify(known ?? {}) };
    }
    const body = JSON.parse(text);
    number += 1;
    const messages = JSON.stringify(wire.said(body));
    if (!wire.withTools(body) || aside?.test(messages)) {
      other.push(`${path} (aside)`);
      return { status: 200, ...wire.say({ text: "A title" }, number, body) };
    }
    const name = Object.keys(script).find((word) => word !== "" && messages.includes(word)) ?? "";
    asked.push({ script: name, said: messages });
    const at = said[name] ?? 0;
    said[name] = at + 1;
    const turn = (asked.length < MAX_TURNS && script[name]?.[at]) || { text: "Done." };
    return { status: 200, ...wire.say(turn, number, body) };
  }

  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "/";
      let reply;
      try {
        reply = answer(path, Buffer.concat(chunks).toString("utf8"));
      } catch (error) {
        other.push(`${path} ${error}`);
        reply = { status: 400, type: "application/json", body: "{}" };
      }
      response.writeHead(reply.status, { "content-type": reply.type }).end(reply.body);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${port}`, asked, other, close });
    });
  });
}
