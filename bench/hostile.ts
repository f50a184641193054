// npm run bench -- hostile [--only silent|crowd] [--part WORDS]: what clients that do not read, and 400 connections that request
// without pause, do to a directory's memory and to other users' response times. Linux only (/proc).
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { addPerson, type HostileSite, withHostileSite } from "./support/hostile-site.ts";
import { lasting } from "./support/lasting.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";
import { agentFor, ask, type Reply } from "./support/strangers.ts";

const STRANGERS = new URL("support/strangers.ts", import.meta.url);
/** Durations in milliseconds. */
const [QUIET, SILENCE, CROWD] = [4000, 18_000, 10_000];
/** Connections to the API that we open ourselves. */
const OUR_OWN = 3;

export const SMALLEST = ["--part", "page"];

export async function run(args: string[]): Promise<Tables> {
  const { values } = parseArgs({ args, options: { only: { type: "string" }, part: { type: "string", default: "" } } });
  const tables: Tables = {};
  await withScratch(async (scratch) => {
    await addPerson(scratch);
    if (values.only !== "crowd") tables["Clients that do not read, own TLS"] = await silent(scratch, values.part);
    if (values.only !== "silent")
      tables["400 connections, behind a proxy"] = await withHostileSite(scratch, "proxy", (site) =>
        crowds(site, values.part),
      );
  });
  return tables;
}

/** Each case has its own process, because a process does not return memory. */
async function silent(scratch: Scratch, part: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, { path, ...options }] of SILENT.filter(([what]) => what.includes(part)))
    await withHostileSite(scratch, "own TLS", async (site) => {
      const quiet = await measure(site, "nobody");
      if (rows.length === 0) rows.push({ ...quiet, "all cut after s": "" });
      rows.push(await measure(site, what, { stranger: "silent", url: site.api + path, ...options }));
    });
  return rows;
}

async function crowds(site: HostileSite, part: string): Promise<Row[]> {
  const rows = [await measure(site, "nobody")];
  for (const [what, options] of CROWDS.filter(([what]) => what.includes(part)))
    rows.push(await measure(site, what, crowdOf(site, options)), await measure(site, "just afterwards"));
  return rows;
}

const SILENT: [what: string, { path: string; connections: number; requests: number }][] = [
  ["1 connection, 800 requests", { path: "/docs/openapi.json", connections: 1, requests: 800 }],
  ["8 connections, 800 requests each", { path: "/docs/openapi.json", connections: 8, requests: 800 }],
  ["1,000 connections, none", { path: "/docs/openapi.json", connections: 1000, requests: 0 }],
  ["1,000 connections, a request each", { path: "/docs/openapi.json", connections: 1000, requests: 1 }],
  ["1,000 connections, 12 requests each", { path: "/docs/openapi.json", connections: 1000, requests: 12 }],
  ["1,000 connections, the largest page", { path: "/docs", connections: 1000, requests: 1 }],
];

interface CrowdOptions {
  host: "auth" | "api";
  path: string;
  /** Uses the person's session from another address. */
  signedIn?: boolean;
  /** Wrong passwords, each for another handle, because one handle is soon locked. */
  guesses?: boolean;
  fromEverywhere?: boolean;
  address?: string;
}

const CROWDS: [what: string, CrowdOptions][] = [
  ["log-in page", { host: "auth", path: "/login" }],
  ["page of a person, from elsewhere", { host: "auth", path: "/settings", signedIn: true }],
  [
    "page of a person, from the same network",
    { host: "auth", path: "/settings", signedIn: true, address: "203.0.113.1" },
  ],
  ["wrong passwords", { host: "auth", path: "/login", guesses: true }],
  ["wrong passwords, from 400 networks", { host: "auth", path: "/login", guesses: true, fromEverywhere: true }],
  ["documentation", { host: "api", path: "/docs/openapi.json" }],
];

function crowdOf(
  { auth, api, person, stranger, loginForm }: HostileSite,
  { host, path, signedIn, guesses, fromEverywhere, address }: CrowdOptions,
) {
  const { cookie = "" } = person;
  const headers = {
    ...stranger(address ?? "203.0.113.66"),
    ...(host === "api" && { host: "api.example.org" }),
    ...(signedIn && { cookie }),
    ...(guesses && { cookie: loginForm.cookie, "content-type": "application/x-www-form-urlencoded" }),
  };
  const body = guesses ? `_csrf=${encodeURIComponent(loginForm.token)}&handle=guess-{n}&password=wrong` : undefined;
  return {
    stranger: "crowd",
    url: (host === "api" ? api : auth) + path,
    connections: 400,
    headers,
    body,
    fromEverywhere,
  };
}

/** Measures response times of a person and of the health check under load, and the responses to the strangers. */
async function measure(site: HostileSite, what: string, stranger?: object): Promise<Row> {
  say(`${what}…`);
  const isSilent = stranger !== undefined && "requests" in stranger;
  const before = site.megabytes();
  let [isOver, begun, most, openFor] = [false, performance.now(), before, Number.NaN];
  const watch = setInterval(() => {
    most = Math.max(most, site.megabytes());
    if (site.connections() > OUR_OWN) openFor = (performance.now() - begun) / 1000;
  }, 100);
  const begin = () => {
    begun = performance.now();
  };
  const ms = lasting(isSilent ? SILENCE : CROWD);
  const ended = (stranger ? visit({ ...stranger, ms }, begin) : sleep(lasting(QUIET), [])).finally(() => {
    isOver = true;
  });
  const [pages, health] = await Promise.all([
    probe(`${site.auth}/settings`, site.person, () => isOver),
    probe(`${site.auth}/healthz`, {}, () => isOver),
  ]);
  const replies = await ended;
  clearInterval(watch);
  return {
    strangers: what,
    "page p50 ms": percentile(pages, 0.5),
    "page p99": percentile(pages, 0.99),
    "pages refused": share(pages.filter(({ status }) => status !== 200).length, pages.length),
    "health p99": percentile(health, 0.99),
    "peak MB added": Math.round(most - before),
    "MB kept": Math.round(site.megabytes() - before),
    ...(isSilent ? { "all cut after s": openFor } : ofCrowd(replies)),
  };
}

function ofCrowd(replies: Reply[]): Row {
  const refused = replies.filter(({ status }) => status === 503);
  const answered = replies.filter(({ status }) => status !== 503 && status !== 0);
  if (replies.length === 0)
    return { answered: "", as: "", "p99 ms": "", refused: "", "refused p50": "", "refused p99": "" };
  return {
    answered: answered.length,
    as: [...new Set(answered.map(({ status }) => status))].sort().join(" "),
    "p99 ms": percentile(answered, 0.99),
    refused: share(refused.length, replies.length),
    "refused p50": percentile(refused, 0.5),
    "refused p99": percentile(refused, 0.99),
  };
}

/** `begin` is called when silent clients have sent their requests. */
function visit(workerData: object, begin: () => void): Promise<Reply[]> {
  return new Promise((resolve, reject) => {
    new Worker(STRANGERS, { workerData })
      .on("message", (message) => (message === "begun" ? begin() : resolve(message)))
      .once("error", reject);
  });
}

/** Repeats a request, one at a time. */
async function probe(url: string, headers: Record<string, string>, isOver: () => boolean): Promise<Reply[]> {
  const agent = agentFor(url, 1);
  const replies: Reply[] = [];
  while (!isOver()) {
    replies.push(await ask(url, { agent, headers }));
    await sleep(20);
  }
  agent.destroy();
  return replies;
}

const share = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(0)} %`;

function percentile(replies: Reply[], of: number): number {
  const sorted = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(of * sorted.length))] ?? Number.NaN;
}
