// Hostile clients: functions for tests and, in a worker thread (`workerData`), one of them for a benchmark.
import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectSecure } from "node:tls";
import { isMainThread, parentPort, workerData } from "node:worker_threads";

interface Silence {
  url: string;
  connections: number;
  /** Per connection. */
  requests: number;
}

/** Opens connections that send their requests and read no response until `leave`. */
export async function stopReading({ url, connections, requests }: Silence) {
  const { host, pathname } = new URL(url);
  const text = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(requests);
  const sockets: Socket[] = [];
  for (let left = connections; left > 0; left -= 50)
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, left) }, () => open(url)))));
  for (const socket of sockets) socket.pause().write(text);
  return {
    /** Resumes reading, and counts the connections that close within `withinMs`. */
    async closed(withinMs: number): Promise<number> {
      for (const socket of sockets) socket.resume();
      const deadline = performance.now() + withinMs;
      while (sockets.some(({ closed }) => !closed) && performance.now() < deadline) await sleep(50);
      return sockets.filter(({ closed }) => closed).length;
    },
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Connects from an address that other clients here do not use. A refused socket is closed. */
function open(url: string): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const address = { host: hostname, port: Number(port), family: 4, localAddress: "127.0.0.2" };
  const isSecure = protocol === "https:";
  const socket = isSecure ? connectSecure({ ...address, rejectUnauthorized: false }) : connectPlain(address);
  return new Promise((resolve) => {
    socket.on("error", () => {});
    for (const event of [isSecure ? "secureConnect" : "connect", "close"]) socket.once(event, () => resolve(socket));
  });
}

interface Crowd {
  url: string;
  connections: number;
  ms: number;
  headers?: Record<string, string>;
  /** For a POST. `{n}` becomes the number of the request. */
  body?: string;
  /** Gives each connection its own network, in a proxy's header. */
  fromEverywhere?: boolean;
}

export interface Reply {
  status: number;
  retryAfter: string | undefined;
  ms: number;
  /** Node's code of what ended the connection without a response. */
  error?: string | undefined;
}

/** Repeats requests without pause on each connection, for `ms` milliseconds. */
export async function crowd({ url, connections, ms, headers = {}, body, fromEverywhere }: Crowd): Promise<Reply[]> {
  const agent = agentFor(url, connections);
  const end = performance.now() + ms;
  const replies: Reply[] = [];
  let asked = 0;
  const one = async (_: unknown, connection: number) => {
    const from = { "x-forwarded-for": `198.18.${connection >> 8}.${connection & 255}` };
    const all = { ...headers, ...(fromEverywhere && from) };
    while (performance.now() < end)
      replies.push(await ask(url, { agent, headers: all, body: body?.replace("{n}", String(asked++)) }));
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return replies;
}

export function agentFor(url: string, maxSockets: number): PlainAgent {
  if (url.startsWith("https:")) return new SecureAgent({ keepAlive: true, maxSockets, rejectUnauthorized: false });
  return new PlainAgent({ keepAlive: true, maxSockets });
}

interface Asking {
  agent: PlainAgent;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Returns status 0 if the connection was closed without a response. */
export function ask(url: string, { agent, headers = {}, body }: Asking): Promise<Reply> {
  const begun = performance.now();
  const request = url.startsWith("https:") ? secureRequest : plainRequest;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    const done = (status: number, retryAfter?: string, error?: string) =>
      resolve({ status, retryAfter, ms: performance.now() - begun, error });
    request(
      url,
      { agent, method: body === undefined ? "GET" : "POST", headers: { ...headers, ...length } },
      (reply) => {
        reply
          .resume()
          .once("end", () => done(reply.statusCode ?? 0, reply.headers["retry-after"]))
          .once("error", () => done(0));
      },
    )
      .on("error", ({ code }: NodeJS.ErrnoException) => done(0, undefined, code))
      .end(body);
  });
}

if (!isMainThread && parentPort && workerData?.stranger) {
  const { stranger, ms } = workerData as { stranger: "silent" | "crowd"; ms: number };
  if (stranger === "crowd") parentPort.postMessage(await crowd(workerData));
  else {
    const silent = await stopReading(workerData);
    parentPort.postMessage("begun");
    await sleep(ms);
    silent.leave();
    parentPort.postMessage([]);
  }
}
