import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Call {
  response: ServerResponse;
  /** Does what the endpoint does, each time it is called, and gives the answer it would send. */
  usual: () => Answer;
}

/** What an endpoint of the fake directory does with a request. */
export type Behaviour = (call: Call) => void;

/** The right answer. */
export const usual: Behaviour = ({ response, usual }) => send(response, usual());

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** An answer in JSON; a text goes as it is. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** An answer in the API host's envelope. */
export const success = (response: object): Answer => json(200, { meta: { code: 200 }, response });
export const failure = (code: number, errorType: string, errorDetail: string, headers = {}): Answer =>
  json(code, { meta: { code, errorType, errorDetail }, response: {} }, headers);

/** Any answer, without doing what the endpoint does. */
export const answers =
  (...answer: Parameters<typeof json>): Behaviour =>
  ({ response }) =>
    send(response, json(...answer));

/** A page where JSON belongs, as a proxy or a captive portal sends it. */
export const answersHtml = (status = 200): Behaviour =>
  answers(status, "<!doctype html><title>Welcome</title><h1>Welcome</h1>", { "content-type": "text/html" });

/** What no client may take for a token. */
export const BAD_TOKENS: Record<string, unknown> = {
  "an empty token": "",
  "a number": 42,
  "an array": ["token"],
  "an object": { token: "token" },
  "no value": null,
  "100 KB": "x".repeat(100 * 1024),
  "a line break": "token\r\nset-cookie: stolen=1",
  "a space": "two words",
};
export const answersToken = (token: unknown): Behaviour => answers(200, { access_token: token });

/** To another host, as a hostile directory would to collect what the client sends along. */
export const redirectsTo = (location: string, status = 302): Behaviour => answers(status, "", { location });

/** Takes the request and says nothing. */
export const hangs = (): Behaviour => () => {};

/** The right answer, byte by byte. */
export const drips =
  (millisecondsPerByte = 1000): Behaviour =>
  ({ response, usual }) => {
    const { status, headers, body } = usual();
    response.writeHead(status, headers).flushHeaders();
    const bytes = Buffer.from(body);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(bytes.subarray(sent, ++sent));
      if (sent >= bytes.length) response.end();
    }, millisecondsPerByte);
    response.once("close", () => clearInterval(timer));
  };

/** Does its work, then cuts the connection in the middle of the body. With 0 not even the head is sent. */
export const cutsAfter =
  (bytes: number): Behaviour =>
  ({ response, usual }) => {
    const { status, headers, body } = usual();
    if (bytes === 0) return void response.destroy();
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.write(Buffer.from(body).subarray(0, bytes), () => response.destroy());
  };

/** Half of the right JSON, sent as if it were the whole. */
export const truncates = (): Behaviour => changes((body) => body.slice(0, body.length / 2));

/** The right answer with another body. */
export const changes =
  (change: (body: string) => string): Behaviour =>
  ({ response, usual }) => {
    const answer = usual();
    send(response, { ...answer, body: change(answer.body) });
  };

/** The right answer with every text a number, every number a text and every list an object. */
export const confusesTypes = (): Behaviour => changes((body) => JSON.stringify(confused(JSON.parse(body))));

function confused(value: unknown): unknown {
  if (typeof value === "string") return value.length;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return { ...value.map(confused) };
  if (typeof value !== "object" || value === null) return "confused";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, confused(item)]));
}

/** Valid JSON that unpacks to so many megabytes, with a token at its end. */
export function gzipBomb(megabytes: number): Behaviour {
  const spaces = gzipSync(Buffer.alloc(1024 * 1024, " "));
  const body = Buffer.concat([gzipSync("{"), ...Array(megabytes).fill(spaces), gzipSync('"access_token":"bomb"}')]);
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  return ({ response }) => void response.writeHead(200, headers).end(body);
}

/** Lists in lists, so many deep, wherever a client may look. */
export function nests(depth: number): Behaviour {
  const deep = "[".repeat(depth) + "]".repeat(depth);
  return answers(200, `{"meta":{"code":200},"access_token":${deep},"response":${deep}}`);
}

/** The redirect back, without one of its parameters. */
export const drops =
  (parameter: string): Behaviour =>
  ({ response, usual }) => {
    const answer = usual();
    const location = new URL(answer.headers.location ?? "");
    location.searchParams.delete(parameter);
    send(response, { ...answer, headers: { ...answer.headers, location: location.href } });
  };

/** The right answer to the first `k - 1` requests, then the token counts as revoked. */
export const unauthorizedFrom = (k: number): Behaviour => after(k, answersError(401, "invalid_auth"));

/** The right answer to the first `k - 1` requests, then `behaviour`. */
export function after(k: number, behaviour: Behaviour): Behaviour {
  let count = 0;
  return (call) => (++count >= k ? behaviour(call) : usual(call));
}

/** "Too many requests" with any Retry-After: seconds, a date, junk, or none. */
export const rateLimits = (retryAfter?: string): Behaviour =>
  answersError(429, "quota_exceeded", retryAfter === undefined ? {} : { "retry-after": retryAfter });

/** An error in the interface's envelope. */
export const answersError =
  (code: number, errorType: string, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) =>
    send(response, failure(code, errorType, "So it was asked for.", headers));

/** One of the behaviours for each request, at random; the same seed gives the same row. */
export function mixes(seed: number, behaviours: Behaviour[]): Behaviour {
  let x = seed | 0 || 1;
  return (call) => {
    // xorshift32
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    (behaviours[(x >>> 0) % behaviours.length] ?? usual)(call);
  };
}
