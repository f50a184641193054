import { Agent, request as send } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { testDatabase } from "../../support/database/database.ts";
import { freePort } from "../../support/free-port.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../../support/samespot.ts";

/** Long enough for a watcher on a busy machine to see it. */
const DRAIN_MS = 4000;

const { url } = await testDatabase({ template: "sample" });
const addresses = await freeAddresses();
const settings = {
  ...{
    ...addresses,
    DATABASE_URL: url,
    ROLES: "app,directory",
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: String(DRAIN_MS / 1000),
  },
  ...{ SESSION_SECRETS: randomToken(), ENCRYPTION_KEYS: randomToken() },
};

const LISTENERS = { APP_PORT: addresses.APP_URL, AUTH_PORT: addresses.AUTH_URL, API_PORT: addresses.BASE_URL };
const [APP, AUTH, API] = ["APP_PORT", "AUTH_PORT", "API_PORT"] as const;
type Listener = keyof typeof LISTENERS;
type Ports = Record<Listener, string>;

/** A process with the public addresses of the others, on ports of its own. */
async function startInstance() {
  const ports: Ports = {
    ...{ [APP]: String(await freePort()), [AUTH]: String(await freePort()), [API]: String(await freePort()) },
  };
  const start = () => spawnSamespot({ env: { ...settings, ...ports }, dataDir: dataFolder() });
  const ready = new Set<Listener>([APP, AUTH, API]);
  const instance = { ports, ready, seen: new Set<string>(), process: await start(), start };
  afterAll(async () => void (await instance.process.kill("SIGKILL")));
  return instance;
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

const instances = await Promise.all([startInstance(), startInstance()]);

interface Answer {
  status: number;
  body: string;
  endsConnection: boolean;
}

/** Milliseconds until the client closes an idle connection: before the server does, which would reset a request on its way. */
const IDLE_MS = 5000;
const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

/** Keeps connections open and never tries twice. */
const ask = (port: string, path: string, host: string) =>
  new Promise<Answer>((resolve, reject) => {
    const options = { agent, host: "127.0.0.1", port, path, headers: { host: new URL(host).host } };
    send(options, async (answer) => {
      let body = "";
      for await (const text of answer.setEncoding("utf8")) body += text;
      resolve({ status: answer.statusCode ?? 0, body, endsConnection: answer.headers.connection === "close" });
    })
      .on("error", reject)
      .end();
  });

/**
 * Asks each listener for /readyz as a load balancer does, until stopped: the next time once the last is answered, so that no late
 * answer hides a newer one. A starting process opens them one after another.
 */
function watch() {
  let isOver = false;
  const look = async ({ ports, ready, seen }: Instance, listener: Listener) => {
    const { status, body } = await ask(ports[listener], "/readyz", LISTENERS[listener]).catch(() => GONE);
    if (status === 200) ready.add(listener);
    else ready.delete(listener);
    seen.add(body);
  };
  const lookOn = async (instance: Instance, listener: Listener) => {
    for (; !isOver; await after(100)) await look(instance, listener);
  };
  for (const instance of instances) for (const listener of [APP, AUTH, API]) void lookOn(instance, listener);
  return () => {
    isOver = true;
  };
}

const GONE: Answer = { status: 0, body: "gone", endsConnection: true };

const REQUESTS: [Listener, string, string][] = [
  [APP, "/", addresses.APP_URL],
  [AUTH, "/login", addresses.AUTH_URL],
  [API, "/reconcile/0.2/suggest/entity?prefix=coffee", addresses.BASE_URL],
];

/** Of each process. */
const RESTARTS = Number(process.env.RESTARTS ?? 1);

/** Limits concurrent requests, so that a busy machine has a lower rate: more than a listener has places are refused for that. */
const AT_ONCE = 8;

it("F33: a client that watches /readyz and never retries loses no request while two processes restart one after the other", async () => {
  const stop = watch();
  const outcomes: (number | string)[] = [];
  let [count, running] = [0, 0];
  const sending = setInterval(async () => {
    if (running === AT_ONCE) return;
    running += 1;
    const [listener, path, host] = REQUESTS[count % REQUESTS.length] ?? [APP, "/", ""];
    const able = instances.filter(({ ready }) => ready.has(listener));
    const instance = able[count++ % able.length];
    const answer = instance ? ask(instance.ports[listener], path, host) : Promise.resolve(GONE);
    outcomes.push(await answer.then(({ status }) => status, String));
    running -= 1;
  }, 20);
  onTestFinished(() => {
    stop();
    clearInterval(sending);
  });
  for (const instance of Array.from({ length: RESTARTS }, () => instances).flat()) {
    await after(300);
    expect(await instance.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    instance.process = await instance.start();
    await expect.poll(() => instance.ready.size).toBe(3);
  }
  clearInterval(sending);
  await expect.poll(() => running).toBe(0);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(100);
  for (const { seen } of instances) expect(seen).toContain('{"status":"stopping","problems":[]}');
});

it("F33: every answer after SIGTERM ends its connection, and the process serves until it has drained", async () => {
  const [{ ports, process }] = instances as [Instance, Instance];
  for (const [port, path, host] of REQUESTS)
    expect(await ask(ports[port], path, host)).toMatchObject({ status: 200, endsConnection: false });
  const begun = performance.now();
  const exited = process.kill("SIGTERM");
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  await expect.poll(() => ask(ports.APP_PORT, "/readyz", addresses.APP_URL)).toMatchObject({ status: 503 });
  for (const [port, path, host] of REQUESTS)
    expect(await ask(ports[port], path, host)).toMatchObject({ status: 200, endsConnection: true });
  expect(isOver).toBe(false);
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeGreaterThan(DRAIN_MS);
});
