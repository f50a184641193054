import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import net from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type Behaviour, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../../support/fake-directory/fake-directory.ts";
import { freePort } from "../../support/free-port.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { PRODUCTION } from "../../support/production.ts";
import { dataFolder, spawnSamespot } from "../../support/samespot.ts";

const { url, database } = await testDatabase();
const directory = await startFakeDirectory();
afterAll(directory.close);
const APP_URL = `http://localhost:${await freePort()}`;
const settings = {
  ...{ APP_URL, DATABASE_URL: url, AUTH_URL: directory.authUrl, BASE_URL: directory.baseUrl, ROLES: "app,worker" },
  ...{ CLIENT_ID: directory.client.id, CLIENT_SECRET: directory.client.secret },
  ...{ SESSION_SECRETS: randomToken(), ENCRYPTION_KEYS: randomToken(), LOG_LEVEL: "info" },
};
const slow: Behaviour = (call) => void setTimeout(() => usual(call), 600);

beforeEach(async () => {
  directory.reset();
  await database.prisma.harmonization.deleteMany();
});

type Started = Pick<Awaited<ReturnType<typeof spawnSamespot>>, "kill">;
/** What a test has left running for the next, as each start takes seconds. */
let kept: Started | undefined;
afterAll(endKept);

async function endKept(): Promise<void> {
  await kept?.kill("SIGKILL");
  kept = undefined;
}

/** Starts app and worker in their own process at the fake directory. It ends with the test, unless it is kept. */
async function start(env: Record<string, string> = {}) {
  await endKept();
  const samespot = await spawnSamespot({ env: { ...settings, ...env }, dataDir: dataFolder() });
  endsWithTest(samespot);
  return samespot;
}

function endsWithTest(samespot: Started): void {
  onTestFinished(async () => {
    if (kept !== samespot) await samespot.kill("SIGKILL");
  });
}

/** Takes over what the test before has kept, or starts one. */
async function takeOver(): Promise<Started> {
  const samespot = kept;
  kept = undefined;
  if (!samespot) return start();
  endsWithTest(samespot);
  return samespot;
}

async function logIn() {
  const browser = createHttpClient(APP_URL);
  const begun = await browser.get("/login");
  const reply = await fetch(begun.location, { redirect: "manual" });
  await browser.get(reply.headers.get("location") ?? "");
  return browser;
}

/** Creates a run without an owner for the worker. */
async function makeRun() {
  const pending = Array.from({ length: 40 }, (_, at) => ({ name: `Shop ${at}`, more: { status: "pending" as const } }));
  const more = { directory: directory.baseUrl, state: "matching" as const };
  const { id } = await makeHarmonization(database, null, pending, more);
  return {
    state: async () => (await database.prisma.harmonization.findUniqueOrThrow({ where: { id } })).state,
    statuses: async () => {
      const rows = await database.prisma.listing.findMany({ where: { harmonizationId: id } });
      return rows.map(({ status }) => status);
    },
    /** Attempts of workers on each unfinished portion. */
    tries: async () => {
      const portions = await database.prisma.portion.findMany({ where: { harmonizationId: id } });
      return portions.map(({ tries }) => tries);
    },
  };
}

/** Returns calls of runs, without those of pages. */
const asked = () => directory.requests.filter(({ params }) => params.intent === "match").length;

/** A thrown error and an unhandled rejection. */
const FAULTS = ["setImmediate(()=>{throw(new(Error)('injected'))})", "Promise.reject(new(Error)('injected'))"];

it("F21: F02: an unexpected error is logged, the process exits cleanly, and the next one completes the run, even if one is killed in between", async () => {
  directory.behave("/v2/venues/search", slow);
  const run = await makeRun();
  for (const fault of FAULTS) {
    const onSignal = `data:text/javascript,process.on('SIGWINCH',()=>{${fault}})`;
    const faulty = await start({ NODE_OPTIONS: `--import=${onSignal}` });
    directory.requests.length = 0;
    await expect.poll(asked).toBeGreaterThan(0);
    expect(await faulty.kill("SIGWINCH")).toEqual({ code: 1, signal: null });
    await expect.poll(faulty.output).toMatch(/"level":60.*"message":"injected".*ending after an unexpected error/);
    expect(await run.tries(), "the claim is given back").toEqual([0]);
  }
  directory.behave("/v2/venues/search", hangs());
  directory.requests.length = 0;
  const killed = await start();
  await expect.poll(asked).toBeGreaterThan(0);
  await killed.kill("SIGKILL");
  directory.reset();
  const next = await start(); // at the lease that operators have
  await expect.poll(run.state).toBe("ready");
  expect(await run.statuses()).toEqual(Array(40).fill("asked"));
  kept = next;
});

it("F16: SIGTERM completes open answers, closes idle connections, releases unfinished work, and exits with 0 within 10 s", async () => {
  const samespot = await takeOver();
  const browser = await logIn();
  directory.behave("/v2/venues/search", slow);
  const run = await makeRun();
  await expect.poll(asked).toBeGreaterThan(0);
  const idle = net.connect(Number(new URL(APP_URL).port), "localhost");
  idle.resume().write(`GET /healthz HTTP/1.1\r\nhost: ${new URL(APP_URL).host}\r\n\r\n`);
  const dropped = new Promise((resolve) => idle.on("error", () => {}).once("close", resolve));

  const answers: Promise<number | string>[] = [];
  const sending = setInterval(() => {
    const answer = browser.get("/venues?query=coffee&ll=41.8,-71.4");
    answers.push(answer.then(({ status }) => status, String));
  }, 50);
  await after(1000);
  clearInterval(sending);
  await after(100); // what has been sent has arrived
  // A shutdown that takes longer than 10 s has another exit code.
  expect(await samespot.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(answers.length).toBeGreaterThan(10);
  for (const status of await Promise.all(answers)) expect(status).toBeOneOf([200, 503]);
  await dropped;
  for (const status of await run.statuses()) expect(status).toBeOneOf(["pending", "asked"]);
  for (const tries of await run.tries()) expect(tries, "claims are given back").toBe(0);
});

it.runIf(existsSync("/dev/full"))("F14: a full log disk stops neither the start nor an answer", async () => {
  await endKept();
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["src/main.ts"], {
    env: { PATH, ...PRODUCTION, ...settings, DATA_DIR: dataFolder(), LOG_LEVEL: "trace" },
    stdio: ["ignore", openSync("/dev/full", "w"), "ignore"],
  });
  const ended = once(child, "exit").then(([code, signal]: (number | string | null)[]) => ({ code, signal }));
  const kill: Started["kill"] = (signal) => {
    child.kill(signal);
    return ended;
  };
  const samespot = { kill };
  endsWithTest(samespot);
  const isReady = () => fetch(`${APP_URL}/readyz`).then(({ ok }) => ok, () => false); // biome-ignore format: short
  await expect.poll(isReady).toBe(true);
  const browser = await logIn();
  for (let count = 0; count < 20; count++) expect((await browser.get("/settings")).status).toBe(200);
  expect(child.exitCode).toBeNull();
  kept = samespot;
});

it("F16: a second signal after a second ends the process at once", async () => {
  const samespot = await takeOver();
  const browser = await logIn();
  directory.behave("/v2/venues/search", hangs());
  browser.get("/venues?query=coffee&ll=41.8,-71.4").catch(() => "cut");
  await expect.poll(() => directory.calls("/v2/venues/search")).toBe(1);
  const first = samespot.kill("SIGTERM");
  expect(await Promise.race([first, after(1100, "it waits")])).toBe("it waits");
  expect((await samespot.kill("SIGTERM")).code).toBe(1); // the directory never answers: only force ends that so soon
});
