import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { expectUpload, refuseSlowBodies } from "../../src/http/uploads.ts";

const app = Fastify();
refuseSlowBodies(app, { body: 400, idle: 300, bytesPerSecond: 100, upload: 2500 });
/** Milliseconds before an upload is read. */
let pause = 0;
app.addContentTypeParser("file/file", (request, payload, done) => {
  expectUpload(request.raw);
  setTimeout(() => payload.on("end", () => done(null, "")).resume(), pause);
});
app.addContentTypeParser("form/form", { parseAs: "string" }, (_request, body, done) => done(null, body));
app.post("/", async () => "done");
await app.listen({ port: 0, host: "127.0.0.1" });
afterAll(() => app.close());

/** Sends a body in pieces and returns the status line, once the connection is closed. */
async function send(type: string, pieces: { bytes: number; after: number }[], path = "/") {
  const socket = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  socket.on("error", () => {});
  const length = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: a",
    "connection: close",
    `content-type: ${type}`,
    `content-length: ${length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const closed = once(socket, "close");
  for (const { bytes, after } of pieces) {
    await Promise.race([sleep(after), closed]);
    if (socket.writable) socket.write("x".repeat(bytes));
  }
  await closed;
  return answer.split("\r\n")[0];
}

const trickle = (count: number, after: number, bytes = 1) => Array.from({ length: count }, () => ({ bytes, after }));

test("F20: a slowly sent form is cut off at every address", async () => {
  const slow = trickle(12, 100);
  expect(await send("form/form", trickle(3, 20))).toBe("HTTP/1.1 200 OK");
  expect(await send("form/form", slow)).toBe("HTTP/1.1 408 Request Timeout");
  expect(await send("text/unknown", slow)).toMatch(/^HTTP\/1.1 4(08|15) /);
  expect(await send("form/form", slow, "/nowhere")).toMatch(/^HTTP\/1.1 40[48] /);
});

test("F20: an upload may take longer while bytes keep arriving", async () => {
  expect(await send("file/file", trickle(12, 100, 1000))).toBe("HTTP/1.1 200 OK");
});

test.each([
  ["stands still", [...trickle(2, 10, 1000), { bytes: 1000, after: 900 }]],
  ["trickles", trickle(15, 100, 2)],
  ["never ends", trickle(40, 100, 1000)],
])("F20: an upload that %s is cut off", async (_, pieces) => {
  expect(await send("file/file", pieces)).toBe("HTTP/1.1 408 Request Timeout");
});

test("an upload that the program reads slowly is not cut off", async () => {
  pause = 1000;
  expect(await send("file/file", trickle(1, 0, 500_000))).toBe("HTTP/1.1 200 OK");
  pause = 0;
});
