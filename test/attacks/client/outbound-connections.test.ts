import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { callJson } from "../../../src/directory-client/calls/call-json.ts";
import { createOutbound } from "../../../src/directory-client/calls/outbound.ts";

/** Starts a directory that records its maximum of connections. */
async function listen(answer: RequestListener) {
  const seen = { open: 0, most: 0 };
  const server = createServer(answer);
  server.on("connection", (socket) => {
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    socket.on("error", () => {});
    socket.on("close", () => {
      seen.open -= 1;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
}

it("an outbound client opens at most 64 connections to one host, queues further calls, and aborts all of them at its end", async () => {
  const { url, seen } = await listen(() => {}); // hangs
  const dispatcher = createOutbound();
  const call = () => callJson({ dispatcher, deadlineMs: 10_000 }, url, { maxBytes: 10 }).catch(() => "gone");
  const calls = Array.from({ length: 200 }, call);
  await expect.poll(() => seen.open).toBe(64);
  const begun = performance.now();
  await dispatcher.destroy();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["gone"]));
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(seen.most).toBe(64);
});

it("an outbound client reuses a connection, and rejects response headers above 16 KB", async () => {
  let length = 10;
  const { url, seen } = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "x-long": "x".repeat(length) }).end("1");
  });
  const dispatcher = createOutbound();
  onTestFinished(() => dispatcher.destroy());
  const call = () => callJson({ dispatcher, deadlineMs: 1000 }, url, { maxBytes: 10 });
  for (let count = 0; count < 20; count += 1) expect((await call()).body).toBe(1);
  expect(seen.most).toBeLessThan(4);
  length = 20_000;
  await expect(call()).rejects.toMatchObject({ kind: "unreachable", cause: { message: "UND_ERR_HEADERS_OVERFLOW" } });
});
