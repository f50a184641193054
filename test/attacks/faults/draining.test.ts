import { Agent, request as send } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { testDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../../support/samespot.ts";

const { url } = await testDatabase({ template: "sample" });
const addresses = await freeAddresses();
const settings = {
  ...{ ...addresses, DATABASE_URL: url, ROLES: "app,directory", LOG_LEVEL: "warn", DRAIN_SECONDS: "8" },
  ...{ SESSION_SECRETS: randomToken(), ENCRYPTION_KEYS: randomToken() },
};

const [APP, AUTH, API] = ["APP_PORT", "AUTH_PORT", "API_PORT"] as const;
type Ports = Record<typeof APP | typeof AUTH | typeof API, string>;

/** A process with the public addresses of the others, on ports of its own. */
async function startInstance() {
  const ports: Ports = {
    ...{ [APP]: String(await freePort()), [AUTH]: String(await freePort()), [API]: String(await freePort()) },
  };
  const start = () => spawnSamespot({ env: { ...settings, ...ports }, dataDir: dataFolder() });
  const instance = { ports, isReady: true, seen: new Set<string>(), process: await start(), start };
  onTestFinished(async () => void (await instance.process.kill("SIGKILL")));
  return instance;
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

interface Answer {
  status: number;
  body: string;
  endsConnection: boolean;
}

/** Milliseconds after which the client lets an idle connection go: before the server does, lest a request meets that. */
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

/** Asks /readyz as a load balancer does, until stopped. */
function watch(instances: Instance[]) {
  const look = async (instance: Instance) => {
    const { status, body } = await ask(instance.ports.API_PORT, "/readyz", addresses.BASE_URL).catch(() => GONE);
    instance.isReady = status === 200;
    instance.seen.add(body);
  };
  const timer = setInterval(() => instances.forEach((each) => void look(each)), 100);
  return () => clearInterval(timer);
}

const GONE: Answer = { status: 0, body: "gone", endsConnection: true };

const REQUESTS: [keyof Ports, string, string][] = [
  [APP, "/", addresses.APP_URL],
  [AUTH, "/login", addresses.AUTH_URL],
  [API, "/reconcile/0.2/suggest/entity?prefix=coffee", addresses.BASE_URL],
];

/** Of each process. */
const RESTARTS = Number(process.env.RESTARTS ?? 1);

it("F33: a client that watches /readyz and repeats nothing loses no request while two processes restart in turn", async () => {
  const instances = await Promise.all([startInstance(), startInstance()]);
  const stop = watch(instances);
  const answers: Promise<Answer>[] = [];
  const sending = setInterval(() => {
    const ready = instances.filter(({ isReady }) => isReady);
    const instance = ready[answers.length % ready.length];
    const [port, path, host] = REQUESTS[answers.length % REQUESTS.length] ?? [APP, "/", ""];
    const answer = instance ? ask(instance.ports[port], path, host) : Promise.resolve(GONE);
    answer.catch(() => {}); // awaited at the end
    answers.push(answer);
  }, 20);
  onTestFinished(() => {
    stop();
    clearInterval(sending);
  });
  for (const instance of Array.from({ length: RESTARTS }, () => instances).flat()) {
    await after(300);
    expect(await instance.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    instance.process = await instance.start();
    await expect.poll(() => instance.isReady).toBe(true);
  }
  clearInterval(sending);
  const outcomes = await Promise.all(answers.map((answer) => answer.then(({ status }) => status, String)));
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(100);
  for (const { seen } of instances) expect(seen).toContain('{"status":"stopping","problems":[]}');
});

it("F33: every answer after SIGTERM ends its connection, and the process serves until it has drained", async () => {
  const instance = await startInstance();
  const { ports, process } = instance;
  for (const [port, path, host] of REQUESTS)
    expect(await ask(ports[port], path, host)).toMatchObject({ status: 200, endsConnection: false });
  const begun = performance.now();
  const exited = process.kill("SIGTERM");
  await expect.poll(() => ask(ports.APP_PORT, "/readyz", addresses.APP_URL)).toMatchObject({ status: 503 });
  for (const [port, path, host] of REQUESTS)
    expect(await ask(ports[port], path, host)).toMatchObject({ status: 200, endsConnection: true });
  expect(performance.now() - begun, "the checks came in time").toBeLessThan(8000);
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeGreaterThan(8000);
});
