import { expect, it } from "vitest";
import { rawExchange, runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory();

/** Milliseconds, longer than any answer takes: an earlier end means that the server closed the connection. */
const QUIET_MS = 8000;

/** Requests that two programs may parse differently, in length or target. */
const odd = (path: string): Record<string, string> => {
  const head = (method: string, ...lines: string[]) =>
    `${method} ${path} HTTP/1.1\r\n${["Host: localhost", ...lines].join("\r\n")}\r\n\r\n`;
  const chunked = "Transfer-Encoding: chunked";
  return {
    "length and chunks": `${head("POST", "Content-Length: 5", chunked)}0\r\n\r\n`,
    "chunks and length": `${head("POST", chunked, "Content-Length: 5")}0\r\n\r\n`,
    "two lengths": `${head("POST", "Content-Length: 5", "Content-Length: 6")}a=bcd`,
    "one length twice": `${head("POST", "Content-Length: 5", "Content-Length: 5")}a=bcd`,
    "a list of lengths": `${head("POST", "Content-Length: 5, 5")}a=bcd`,
    "a length with a sign": `${head("POST", "Content-Length: +5")}a=bcd`,
    "an unknown transfer coding": `${head("POST", "Transfer-Encoding: xchunked")}0\r\n\r\n`,
    "chunks that are not last": `${head("POST", "Transfer-Encoding: chunked, identity")}0\r\n\r\n`,
    "a space before the colon": `${head("POST", "Transfer-Encoding : chunked")}0\r\n\r\n`,
    "a chunk that ends in LF": `${head("POST", chunked)}5\na=bcd\r\n0\r\n\r\n`,
    "two hosts": head("GET", "Host: evil.example"),
    "one host twice": head("GET", "host: localhost"),
    "no host": `GET ${path} HTTP/1.1\r\n\r\n`,
    "bare LF": `GET ${path} HTTP/1.1\nHost: localhost\n\n`,
    "one bare LF": head("GET", "X-One: 1\nX-Two: 2"),
    "one bare CR": head("GET", "X-One: 1\rX-Two: 2"),
    "a folded header": head("GET", "X-One: 1\r\n 2"),
    "a folded host": `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\tevil.example\r\n\r\n`,
    "a space before the first header": `GET ${path} HTTP/1.1\r\n Host: localhost\r\n\r\n`,
  };
};

it("C15: an ambiguously framed request returns 400, closes the connection, and hides no second request", async () => {
  const user = await directory.user();
  const { clientId } = await directory.application();
  const oauth_token = await directory.token({ userId: user.id, clientId });
  const query = new URLSearchParams({ v: V, oauth_token, requests: "/users/self" });
  const next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  for (const [address, path] of [
    [directory.api, `/v2/multi?${query}`],
    [directory.auth, "/healthz"],
  ] as const) {
    const plain = await rawExchange(address, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n${next}`, QUIET_MS);
    expect(plain.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    const checks = Object.entries(odd(path)).map(async ([what, request]) => {
      const begun = performance.now();
      const answer = await rawExchange(address, request + next, QUIET_MS);
      expect([what, answer.match(/HTTP\/1\.1 \d+/g)]).toEqual([what, ["HTTP/1.1 400"]]);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect([what, performance.now() - begun < QUIET_MS]).toEqual([what, true]);
    });
    await Promise.all(checks);
  }
});
