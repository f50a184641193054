import { connect as connectSocket } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { roundsOf } from "../../support/rounds.ts";
import { apiHost, V } from "../api/host.ts";
import { BOUNDARY, multipart, TYPE } from "./multipart-body.ts";

const host = await apiHost();

let port: number;
beforeAll(async () => {
  port = await host.listen();
});

/** Sends raw bytes, and returns what arrives until the server closes the connection or stops sending. */
function raw(bytes: string[], { end = false, patience = 5000 } = {}): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    let text = "";
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    let timer = setTimeout(done, patience, false);
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      clearTimeout(timer);
      timer = setTimeout(done, 300, false);
    });
    socket.on("error", () => done(true)).on("close", () => done(true));
    for (const chunk of bytes) socket.write(chunk);
    if (end) socket.end();
  });
}

const head = (more: string[], type = TYPE) =>
  [`POST /v2/checkins/add HTTP/1.1`, `Host: localhost:3002`, `Content-Type: ${type}`, ...more, "", ""].join("\r\n");
const sized = (body: string, type = TYPE) => [head([`Content-Length: ${Buffer.byteLength(body)}`], type), body];
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="venueId"\r\n\r\n`;

describe("a broken multipart body", () => {
  test.each([
    ["that stops in a header", `--${BOUNDARY}\r\nContent-Dispo`, TYPE],
    ["that stops in a value", `${PART}x`, TYPE],
    ["without its last boundary", `${PART}x\r\n`, TYPE],
    ["with another boundary", `--other\r\nContent-Disposition: form-data; name="v"\r\n\r\nx\r\n--other--\r\n`, TYPE],
    ["that is not multipart", "v=20260101&venueId=x", TYPE],
    ["of a type without a boundary", `${PART}x\r\n--${BOUNDARY}--\r\n`, "multipart/form-data"],
    ["of a type with an empty boundary", `${PART}x\r\n--${BOUNDARY}--\r\n`, "multipart/form-data; boundary="],
    ["with a header of 20 KB", `--${BOUNDARY}\r\nX: ${"x".repeat(20_000)}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`, TYPE],
    ["of NUL characters only", "\0".repeat(1000), TYPE],
  ])("%s returns 4xx in the envelope", async (_name, body, type) => {
    const { text } = await raw(sized(body, type));
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    const { meta, response } = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
    expect(meta.code).toBeLessThan(500);
    expect(response).toEqual({});
  });

  test("never returns 5xx, whatever the damage", async () => {
    const whole = Buffer.from(
      multipart([
        ["v", V],
        ["oauth_token", host.user.token],
        ["venueId", "x"],
        ["shout", "hello"],
      ]),
    );
    const damage = fc.record({
      at: fc.nat(whole.length - 1),
      cut: fc.nat(40),
      put: fc.oneof(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("\r\n", "--", `--${BOUNDARY}`, '"', ";"),
      ),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, cut, put }) => {
        const payload = Buffer.concat([whole.subarray(0, at), Buffer.from(put), whole.subarray(at + cut)]);
        const answer = await host.send("POST", "/v2/checkins/add", {}, { headers: { "content-type": TYPE }, payload });
        expect(answer.body.meta.code).toBe(answer.status);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: roundsOf(200, 60) },
    );
  });

  test("whose sender disconnects affects no other request", async () => {
    await raw([head(["Content-Length: 5000"]), `${PART}x`], { end: true });
    await raw([head(["Content-Length: 5000"]), PART], { patience: 50 });
    expect((await host.asUser("/v2/users/self")).status).toBe(200);
  });

  test("without a length or an end is rejected once it is too large", async () => {
    const chunk = `${(8192).toString(16)}\r\n${"x".repeat(8192)}\r\n`;
    const bytes = [head(["Transfer-Encoding: chunked"]), `${PART.length.toString(16)}\r\n${PART}\r\n`];
    const { text, closed } = await raw([...bytes, ...Array.from({ length: 9 }, () => chunk)]);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(closed).toBe(true);
  });

  test("is not read as the next request of its connection", async () => {
    const smuggled = `GET /v2/users/self?v=${V}&oauth_token=${host.user.token} HTTP/1.1\r\nHost: localhost:3002\r\n\r\n`;
    const { text } = await raw(
      sized(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n${smuggled}`),
    );
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});
