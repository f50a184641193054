import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { rateLimits } from "../../support/fake-directory/behaviours.ts";
import { askAbout, DEADLINE_MS, startAtDirectories } from "../misbehaving.ts";

const { fake, begin, listings, tries, row, clientOf, matchAt } = await startAtDirectories();

beforeEach(() => fake.reset());

describe("a directory that returns 429", () => {
  const YEARS = new Date(Date.now() + 10 * 365 * 86_400_000).toUTCString();
  const ASKED: [header: string | undefined, seconds: number][] = [
    ...(
      [
        ["7", 7],
        ["315360000", 3600],
        [YEARS, 3600],
        ["soon", 60],
        ["-5", 60],
        [undefined, 60],
      ] as const
    ).map(([header, seconds]): [string | undefined, number] => [header, seconds]),
  ];
  it.each(ASKED)("F08: with Retry-After %s gets no further call for %i seconds", async (header, seconds) => {
    fake.behave("/v2/*", rateLimits(header));
    const directory = clientOf(fake.baseUrl);
    const { id } = await begin(40);
    await matchAt(directory, id);
    const calls = fake.requests.length;
    // Two calls may be running when the first is refused.
    expect(fake.requests.filter(({ path }) => path.startsWith("/v2/")).length).toBeLessThanOrEqual(2);
    const left = (Number((await row(id)).retryAt) - Date.now()) / 1000;
    expect([left > seconds - 5, left <= seconds]).toEqual([true, true]);
    await matchAt(directory, id);
    expect(fake.requests.length).toBe(calls);
    expect((await listings(id)).map(({ status }) => status)).toEqual(Array(40).fill("pending"));
    expect(await tries(id)).toEqual([0]);
  });
});

/** Starts a raw TCP server; `sent` collects the received bytes. */
async function startRaw(act: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let sent = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => act(socket));
    socket.once("close", () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

/** Writes endlessly, as fast as the client reads. */
function pour(socket: Socket, chunk: Buffer): void {
  while (!socket.destroyed && socket.write(chunk));
  if (!socket.destroyed) socket.once("drain", () => pour(socket, chunk));
}

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const BAD: [what: string, act: (socket: Socket) => void][] = [
  ["headers that trickle", (socket) => void setInterval(() => socket.write("x-a: b\r\n"), 50).unref()],
  ["headers without end", (socket) => pour(socket.write(HEAD) ? socket : socket, Buffer.alloc(65_536, "x-a: b\r\n"))],
  [
    "a body that trickles",
    (socket) => {
      socket.write(`${HEAD}content-length: 1000000\r\n\r\n`);
      setInterval(() => socket.write(" "), 50).unref();
    },
  ],
  [
    "a body of a gigabyte",
    (socket) => {
      socket.write(`${HEAD}content-length: 1073741824\r\n\r\n`);
      pour(socket, Buffer.alloc(65_536, " "));
    },
  ],
  [
    "a gigabyte in a megabyte",
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(1024 * 1024, " "));
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length * 1024}\r\n\r\n`);
      for (let times = 0; times < 1024; times++) socket.write(bomb);
    },
  ],
  [
    "lists in lists",
    (socket) => {
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      socket.end(`${HEAD}content-length: ${deep.length}\r\n\r\n${deep}`);
    },
  ],
];

describe("a response", () => {
  it.each(BAD)("F09: with %s fails in time without using much memory", async (_, act) => {
    const { url, sent } = await startRaw(act);
    const directory = clientOf(url);
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 10);
    const begun = performance.now();
    const error = await askAbout(directory).catch((error: unknown) => error);
    clearInterval(watch);
    expect(error).toMatchObject({ kind: expect.toBeOneOf(["unreachable", "invalid_answer"]) });
    expect(performance.now() - begun).toBeLessThan(DEADLINE_MS * 3);
    expect((most - before) / 1024 / 1024, "MB").toBeLessThan(50);
    await expect.poll(sent).toBeGreaterThan(0);
    expect(sent() / 1024 / 1024, "MB that it was let send").toBeLessThan(40);
  });
});
