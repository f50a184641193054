import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { sessionOf, startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const { hostname, port, host } = new URL(web.url);

// Clients that send headers as slowly as possible; each yields the milliseconds until it was cut off.
const slow = Array.from({ length: 300 }, async () => {
  const socket = connect({ port: Number(port), host: hostname, family: 4, localAddress: "127.0.0.2" })
    .on("error", () => {})
    .resume();
  const begun = performance.now();
  socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n`);
  const more = setInterval(() => socket.write("x-a: b\r\n"), 500);
  await once(socket, "close");
  clearInterval(more);
  return performance.now() - begun;
});

interface Answer {
  status: number;
  retryAfter: string | undefined;
  milliseconds: number;
}

function get(agent: http.Agent, path: string, cookie = ""): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const call = http.get(web.url + path, { agent, headers: { cookie } }, (reply) => {
      reply.resume().once("end", () => {
        const milliseconds = performance.now() - begun;
        resolve({ status: reply.statusCode ?? 0, retryAfter: reply.headers["retry-after"], milliseconds });
      });
    });
    call.on("error", reject);
  });
}

it("F19: each of 400 concurrent connections gets an answer or a Retry-After, and service is normal afterwards", async () => {
  const cookie = `samespot=${sessionOf(await web.logIn())}`;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });
  const rounds = async () => {
    const answers: Answer[] = [];
    for (let round = 0; round < 3; round++) answers.push(await get(agent, "/settings", cookie));
    return answers;
  };
  const crowd = Promise.all(Array.from({ length: 400 }, rounds));
  const health = await get(http.globalAgent, "/healthz");
  const answers = (await crowd).flat();
  agent.destroy();
  expect(health.status).toBe(200);
  expect(answers).toHaveLength(1200);
  for (const { status, retryAfter } of answers) {
    expect(status).toBeOneOf([200, 503]);
    if (status === 503) expect(retryAfter).toMatch(/^\d+$/);
  }
  expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(15_000);
  expect(await get(http.globalAgent, "/settings", cookie)).toMatchObject({ status: 200 });
});

it("F20: a client that sends headers slowly is cut off without delaying others", async () => {
  const answer = await get(http.globalAgent, "/");
  expect(answer.status).toBe(200);
  expect(answer.milliseconds).toBeLessThan(5000);
  const borne = await Promise.all(slow);
  expect(Math.max(...borne)).toBeLessThan(15_000);
  expect(Math.min(...borne)).toBeGreaterThan(5000);
});
