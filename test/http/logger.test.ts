import { Writable } from "node:stream";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyBaseLogger } from "fastify";
import { expect, test } from "vitest";
import { createLogger } from "../../src/http/logger.ts";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  write(createLogger({ level: "trace", destination }));
  return text;
}

test("an error that quotes an address is logged without its parameters", () => {
  const error = new Error("fetch failed: http://d/v2/venues/search?v=20260101&oauth_token=CANARY&ll=1,2");
  const text = logged((log) => log.error({ err: error }, "failed"));
  expect(text).toContain("fetch failed");
  expect(text).not.toContain("CANARY");
});

test("a connection string is logged without its password", () => {
  const text = logged((log) => log.error({ err: new Error("cannot reach postgresql://samespot:CANARY@db/samespot") }));
  expect(text).not.toContain("CANARY");
  expect(text).toContain("db/samespot");
});

test("the cause of an error is logged without secrets too", () => {
  const error = new Error("exchange failed", { cause: new Error("GET /oauth2/access_token?code=CANARY") });
  expect(logged((log) => log.warn({ err: error }))).not.toContain("CANARY");
});

test("requests and other fields of an error are never logged", () => {
  const error = Object.assign(new Error("refused"), { request: { headers: { authorization: "Basic CANARY" } } });
  const text = logged((log) => log.info({ err: error, req: { url: "/?code=CANARY" } }, "x"));
  expect(text).not.toContain("CANARY");
});

test("C17: the headers of a multipart request are never logged, even at trace", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const app = Fastify({ loggerInstance: createLogger({ level: "trace", destination }) as FastifyBaseLogger });
  await app.register(multipart);
  app.post("/", async (request) => {
    for await (const _ of request.parts());
    return {};
  });
  const headers = { "content-type": "multipart/form-data; boundary=x", cookie: "session=CANARY", "x-key": "CANARY" };
  const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n';
  expect((await app.inject({ method: "POST", url: "/", headers, body })).statusCode).toBe(200);
  expect(lines.join()).toContain("multipart");
  expect(lines.join()).not.toContain("CANARY");
});

test("W21: line breaks and escapes of an input stay inside one JSON line", () => {
  const text = logged((log) => log.warn({ name: 'a\r\n{"level":60}\u001b[31m' }, "venue"));
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(text).level).toBe(40);
});
