import { Writable } from "node:stream";
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

test("the cause of an error is cleaned too", () => {
  const error = new Error("exchange failed", { cause: new Error("GET /oauth2/access_token?code=CANARY") });
  expect(logged((log) => log.warn({ err: error }))).not.toContain("CANARY");
});

test("requests and other fields of an error are never printed", () => {
  const error = Object.assign(new Error("refused"), { request: { headers: { authorization: "Basic CANARY" } } });
  const text = logged((log) => log.info({ err: error, req: { url: "/?code=CANARY" } }, "x"));
  expect(text).not.toContain("CANARY");
});

test("line breaks and escapes of an input stay inside one JSON line", () => {
  const text = logged((log) => log.warn({ name: 'a\r\n{"level":60}\u001b[31m' }, "venue"));
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(text).level).toBe(40);
});
