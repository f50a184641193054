import { Agent, request as send } from "node:http";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { envelope } from "../../../src/contract/envelope.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { roundsOf } from "../../support/rounds.ts";
import { anyRequest, type RandomRequest } from "../random-request.ts";
import { categoryId, runningDirectory, V } from "../running-directory.ts";

const REQUESTS = roundsOf(20_000, 1500);
/** Concurrent requests, each on its own open connection. */
const SIDE_BY_SIDE = 16;
const SLOW_MS = 1000;
const BUSY = 503;

const directory = await runningDirectory();
const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
afterAll(() => agent.destroy());

interface Answer {
  status: number;
  body: string;
  ms: number;
}

let networks = 0;

/** Returns headers with a new client address, because refused calls are counted per network. */
function ownNetwork(): Record<string, string> {
  networks += 1;
  const from = [networks >> 16, networks >> 8, networks].map((part) => part & 255).join(".");
  return { "x-forwarded-for": `10.${from}`, "x-forwarded-proto": "https" };
}

function ask({ method, path, headers, body }: RandomRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const length = { "content-length": String(Buffer.byteLength(body)) };
    // As host and path, because a URL would normalize "/v2/..".
    const to = { host: "127.0.0.1", port: new URL(directory.api).port, path };
    const call = send({ ...to, method, headers: { ...length, ...ownNetwork(), ...headers }, agent }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, body: text, ms: performance.now() - begun }));
    });
    call.on("error", reject).end(body);
  });
}

/** Returns what is wrong with the answer, if anything. */
function complaint({ method }: RandomRequest, { status, body }: Answer): string | undefined {
  if (status >= 500 && status !== BUSY) return `status ${status}`;
  if (method === "HEAD" || status === 304) return body === "" ? undefined : "a body";
  const json = /^[A-Za-z_$][\w$.]*\((.*)\);$/s.exec(body)?.[1] ?? body;
  try {
    const { code } = envelope.parse(JSON.parse(json)).meta;
    return code === status || (json !== body && status === 200) ? undefined : `meta.code ${code} with status ${status}`;
  } catch (error) {
    return `not by contract: ${String(error).slice(0, 200)}`;
  }
}

it(`C27: ${REQUESTS} random requests get only envelopes within a second each, and no 5xx`, async () => {
  const { id: userId } = await directory.user();
  const { clientId, clientSecret } = await directory.application();
  const user = { v: V, oauth_token: await directory.token({ userId, clientId }) };
  const application = { v: V, client_id: clientId, client_secret: clientSecret };
  const { prisma, pool } = directory.deps;
  await prisma.provider.deleteMany({ where: { id: "maps" } });
  await reserveProvider({ pool }, "maps", clientId);
  const spot = { ...user, name: "First Spot", ll: "1,1", primaryCategoryId: categoryId("Bar") };
  const venueId = String((await directory.call("/v2/venues/add", spot)).body.response.venue.id);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const requests = fc.sample(anyRequest({ user, application, nobody: {} }, venueId), { numRuns: REQUESTS, seed });
  const slow: RandomRequest[] = [];
  const statuses = new Map<number, number>();
  const queue = requests.values();
  const work = async () => {
    for (const each of queue) {
      const answer = await ask(each);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect([seed, each, complaint(each, answer)]).toEqual([seed, each, undefined]);
      if (answer.ms >= SLOW_MS || answer.status === BUSY) slow.push(each);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  // A request that was slow or refused under load must be fast alone.
  for (const each of slow.slice(0, 50)) {
    const again = [await ask(each), await ask(each), await ask(each)];
    const isFast = again.some(({ ms, status }) => ms < SLOW_MS && status !== BUSY);
    expect([seed, each, isFast]).toEqual([seed, each, true]);
  }
  for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(REQUESTS / 200);
  expect((await fetch(`${directory.api}/healthz`)).status).toBe(200);
});
