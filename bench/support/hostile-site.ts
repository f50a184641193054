import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { generate } from "selfsigned";
import { createHttpClient, formFields, type HttpClient } from "../../test/support/http-client.ts";
import { environment, freeAddress, samespot, start, stop } from "./programs.ts";
import type { Scratch } from "./scratch.ts";
import { agentFor, ask } from "./strangers.ts";

export interface HostileSite {
  auth: string;
  api: string;
  /** Headers of a signed-in person. */
  person: Record<string, string>;
  /** Headers of a client at this address. */
  stranger(address: string): Record<string, string>;
  /** Session cookie and token of a log-in form that may be sent any number of times. */
  loginForm: { cookie: string; token: string };
  /** Current memory of the process. */
  megabytes(): number;
  /** Open connections of the API's listener. */
  connections(): number;
}

const PASSWORD = "a password of some length";

/** Adds the person who signs in, once per scratch. */
export const addPerson = (scratch: Scratch) =>
  samespot(scratch, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);

/** Runs `work` with a directory in its own process and a signed-in person. For "proxy" the caller sends a proxy's headers. */
export async function withHostileSite<Result>(
  scratch: Scratch,
  way: "own TLS" | "proxy",
  work: (site: HostileSite) => Promise<Result>,
): Promise<Result> {
  const [auth, api] = [await address(way), await address(way)];
  const settings = way === "proxy" ? behindProxy(auth, api) : { ...(await ownTls(scratch, auth, api)) };
  const env = { ROLES: "directory", SAMPLE_DATA: "off", LOG_LEVEL: "warn", SIGN_UP: "off" };
  const child = start(["src/main.ts"], { ...environment(scratch), ...env, ...settings, ...LOCAL });
  try {
    await untilReady(api);
    const host = way === "proxy" ? { host: "login.example.org" } : {};
    const from = (ip: string) =>
      way === "proxy"
        ? { "x-forwarded-proto": "https", "x-forwarded-for": ip, ...host }
        : ({} as Record<string, string>);
    const person = { ...from("203.0.113.1"), cookie: await signIn(auth, from("203.0.113.1")) };
    const loginForm = await openLogin(auth, from("203.0.113.66"));
    return await work({ auth, api, person, stranger: from, loginForm, ...figuresOf(child, api) });
  } finally {
    await stop(child);
  }
}

async function untilReady(api: string): Promise<void> {
  const agent = agentFor(api, 1);
  for (let tries = 0; tries < 300; tries++) {
    if ((await ask(`${api}/readyz`, { agent })).status === 200) return agent.destroy();
    await sleep(100);
  }
  throw new Error(`No server responds at ${api}.`);
}

const LOCAL = { HOST: "127.0.0.1" };

const address = async (way: "own TLS" | "proxy"): Promise<string> =>
  way === "proxy" ? freeAddress() : (await freeAddress()).replace("http:", "https:");

function behindProxy(auth: string, api: string) {
  return {
    ...{ AUTH_URL: "https://login.example.org", AUTH_PORT: new URL(auth).port },
    ...{ BASE_URL: "https://api.example.org", API_PORT: new URL(api).port, TRUST_PROXY: "127.0.0.1" },
  };
}

async function ownTls({ folder }: Scratch, AUTH_URL: string, BASE_URL: string) {
  const files = { TLS_CERT: path.join(folder, "cert.pem"), TLS_KEY: path.join(folder, "key.pem") };
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
  writeFileSync(files.TLS_CERT, cert);
  writeFileSync(files.TLS_KEY, key);
  return { ...files, AUTH_URL, BASE_URL };
}

async function signIn(auth: string, headers: Record<string, string>): Promise<string> {
  const browser = visitor(auth, headers);
  await browser.submit(await browser.get("/login"), "/login", { handle: "bench", password: PASSWORD });
  return cookieOf(browser);
}

async function openLogin(auth: string, headers: Record<string, string>): Promise<HostileSite["loginForm"]> {
  const browser = visitor(auth, headers);
  const { _csrf: token = "" } = formFields(await browser.get("/login"), "/login");
  return { cookie: cookieOf(browser), token };
}

const visitor = (auth: string, headers: Record<string, string>): HttpClient =>
  createHttpClient(headers.host ? `https://${headers.host}` : auth, through(auth, headers));

const cookieOf = ({ cookies }: HttpClient): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Returns a `fetch` that connects to `address` instead of the URL's host and adds headers. */
function through(address: string, more: Record<string, string>): typeof fetch {
  const agent = agentFor(address, 1);
  return (url, { method = "GET", headers, body } = {}) => {
    const { pathname, search } = new URL(String(url));
    const sent = { ...Object.fromEntries(new Headers(headers)), ...more };
    const type = body ? { "content-type": "application/x-www-form-urlencoded" } : {};
    return send(
      address + pathname + search,
      { agent, method, headers: { ...sent, ...type } },
      body ? String(body) : "",
    );
  };
}

async function send(url: string, options: RequestOptions, body = ""): Promise<Response> {
  const call = (url.startsWith("https:") ? secureRequest : plainRequest)(url, options).end(body);
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  return new Response(await text(reply), { status: reply.statusCode ?? 0, headers });
}

/** From /proc, on Linux only. */
function figuresOf({ pid }: ChildProcess, api: string) {
  const port = Number(new URL(api).port).toString(16).toUpperCase().padStart(4, "0");
  const ours = new RegExp(`^ *\\d+: [0-9A-F]+:${port} [0-9A-F]+:[0-9A-F]{4} 01 `, "gm");
  return {
    megabytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    connections: () => readFileSync("/proc/net/tcp", "utf8").match(ours)?.length ?? 0,
  };
}
