import { spawn } from "node:child_process";
import { request } from "node:http";
import { onTestFinished } from "vitest";
import type { LiveEvent } from "../../../inspector/src/api.ts";
import { BIN, PLAIN, type Scratch } from "../cli.ts";

/** A page that is served as users start it, and its port and secret. */
export interface Served {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Without the cookie unless it is among the headers. */
  ask(path: string, options?: Asking): Promise<Answer>;
  /** As Ctrl-C does. */
  end(): Promise<void>;
  /** A header with the cookie. */
  signIn(): Promise<{ Cookie: string }>;
  /** The answer of the API as the page gets it: a POST where there is a body. */
  api<T>(path: string, body?: object): Promise<T>;
  /** Reads events of the stream until `enough` says so. */
  listen(path: string, enough: (events: readonly Heard[]) => boolean, headers?: Headers): Promise<Heard[]>;
}

type Headers = Readonly<Record<string, string>>;

interface Asking {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: unknown;
}

export interface Heard {
  readonly id: string;
  readonly data: LiveEvent;
}

type Start = [room: Pick<Scratch, "project" | "home">, args?: readonly string[], env?: NodeJS.ProcessEnv];

/** A server that ends with its test. */
export async function serve(...start: Start): Promise<Served> {
  const served = await launch(...start);
  onTestFinished(served.end);
  return served;
}

/** A server for several tests: whoever starts it ends it. */
export async function launch(...[room, args = [], env = {}]: Start): Promise<Served> {
  const child = spawn(process.execPath, [BIN, "inspect", ...args], {
    cwd: room.project,
    env: { ...process.env, ...PLAIN, HOME: room.home, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const end = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (out.includes("\n")) resolve(out.trim());
    });
    child.once("close", () => reject(new Error(`belay inspect ended: ${out}`)));
  });
  const { port, hash } = new URL(url);
  const token = hash.replace("#token=", "");
  const own = { Origin: `http://127.0.0.1:${port}`, "Content-Type": "application/json" };

  const ask = (path: string, { method = "GET", headers = {}, body }: Asking = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const asking = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: jsonIn(text) }),
        );
      });
      asking.once("error", reject);
      asking.end(body);
    });
  const signIn = async () => {
    const body = JSON.stringify({ token });
    const { headers } = await ask("/api/session", { method: "POST", headers: own, body });
    return { Cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
  };
  let signedIn: ReturnType<typeof signIn> | undefined;
  return {
    url,
    port: Number(port),
    token,
    ask,
    end,
    signIn,
    api: async <T>(path: string, body?: object) => {
      signedIn ??= signIn();
      const cookie = await signedIn;
      const posted = { method: "POST", headers: { ...own, ...cookie }, body: JSON.stringify(body) };
      return (await ask(path, body ? posted : { headers: cookie })).json as T;
    },
    listen: (path, enough, headers = {}) =>
      new Promise((resolve, reject) => {
        const heard: Heard[] = [];
        const asking = request({ host: "127.0.0.1", port, path, headers }, (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => {
            text += part;
            const [rest = "", ...whole] = text.split("\n\n").reverse();
            text = rest;
            for (const one of whole.reverse()) {
              const id = /^id: (.*)$/m.exec(one)?.[1];
              const data = /^data: (.*)$/m.exec(one)?.[1];
              if (id !== undefined && data !== undefined) heard.push({ id, data: JSON.parse(data) });
            }
            if (!enough(heard)) return;
            asking.destroy();
            resolve(heard);
          });
          answer.on("end", () => reject(new Error(`the stream ended: ${answer.statusCode}`)));
        });
        asking.once("error", (error) => reject(error));
        asking.end();
      }),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The ids of the records that came, in order. */
export function idsIn(heard: readonly Heard[]): string[] {
  return heard.flatMap(({ data }) => (data.type === "rows" ? data.rows : [])).map(({ id }) => id);
}
