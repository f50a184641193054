import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Call {
  response: ServerResponse;
  /** Carries out the request, and returns the regular response. */
  usual: () => Answer;
}

export type Behaviour = (call: Call) => void;

export const usual: Behaviour = ({ response, usual }) => send(response, usual());

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** A text is sent unchanged. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** In the API host's envelope. */
export const success = (response: object): Answer => json(200, { meta: { code: 200 }, response });
export const failure = (code: number, errorType: string, errorDetail: string, headers = {}): Answer =>
  json(code, { meta: { code, errorType, errorDetail }, response: {} }, headers);

/** Any response, without carrying out the request. */
export const answers =
  (...answer: Parameters<typeof json>): Behaviour =>
  ({ response }) =>
    send(response, json(...answer));

/** A page instead of JSON, as from a proxy or captive portal. */
export const answersHtml = (status = 200): Behaviour =>
  answers(status, "<!doctype html><title>Welcome</title><h1>Welcome</h1>", { "content-type": "text/html" });

/** Values that a client must reject as a token. */
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

/** As a hostile directory would, to collect what the client sends. */
export const redirectsTo = (location: string, status = 302): Behaviour => answers(status, "", { location });

/** Never responds. */
export const hangs = (): Behaviour => () => {};

/** Sends the regular response byte by byte. */
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

/** Carries out the request, then cuts the connection after so many bytes of the body; with 0 before the head. */
export const cutsAfter =
  (bytes: number): Behaviour =>
  ({ response, usual }) => {
    const { status, headers, body } = usual();
    if (bytes === 0) return void response.destroy();
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.write(Buffer.from(body).subarray(0, bytes), () => response.destroy());
  };

/** Sends so many bytes of the regular body, and then nothing. */
export const stallsAfter =
  (bytes: number): Behaviour =>
  ({ response, usual }) => {
    const { status, headers, body } = usual();
    response.writeHead(status, headers).write(Buffer.from(body).subarray(0, bytes));
  };

/** Sends half of the regular JSON as if it were complete. */
export const truncates = (): Behaviour => changes((body) => body.slice(0, body.length / 2));

/** Changes the body of the regular response. */
export const changes =
  (change: (body: string) => string): Behaviour =>
  ({ response, usual }) => {
    const answer = usual();
    send(response, { ...answer, body: change(answer.body) });
  };

/** Turns every text into a number, every number into a text and every list into an object. */
export const confusesTypes = (): Behaviour => changes((body) => JSON.stringify(confused(JSON.parse(body))));

function confused(value: unknown): unknown {
  if (typeof value === "string") return value.length;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return { ...value.map(confused) };
  if (typeof value !== "object" || value === null) return "confused";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, confused(item)]));
}

/** Sends valid JSON that unpacks to so many megabytes, with a token at its end. */
export function gzipBomb(megabytes: number): Behaviour {
  const spaces = gzipSync(Buffer.alloc(1024 * 1024, " "));
  const body = Buffer.concat([gzipSync("{"), ...Array(megabytes).fill(spaces), gzipSync('"access_token":"bomb"}')]);
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  return ({ response }) => void response.writeHead(200, headers).end(body);
}

/** Sends deeply nested lists wherever a client may look. */
export function nests(depth: number): Behaviour {
  const deep = "[".repeat(depth) + "]".repeat(depth);
  return answers(200, `{"meta":{"code":200},"access_token":${deep},"response":${deep}}`);
}

/** Removes a parameter of the redirect. */
export const drops =
  (parameter: string): Behaviour =>
  ({ response, usual }) => {
    const answer = usual();
    const location = new URL(answer.headers.location ?? "");
    location.searchParams.delete(parameter);
    send(response, { ...answer, headers: { ...answer.headers, location: location.href } });
  };

/** Responds regularly to the first `k - 1` requests, then as if the token were revoked. */
export const unauthorizedFrom = (k: number): Behaviour => after(k, answersError(401, "invalid_auth"));

/** Responds regularly to the first `k - 1` requests, then with `behaviour`. */
export function after(k: number, behaviour: Behaviour): Behaviour {
  let count = 0;
  return (call) => (++count >= k ? behaviour(call) : usual(call));
}

export const rateLimits = (retryAfter?: string): Behaviour =>
  answersError(429, "quota_exceeded", retryAfter === undefined ? {} : { "retry-after": retryAfter });

/** Sends an error in the interface's envelope. */
export const answersError =
  (code: number, errorType: string, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) =>
    send(response, failure(code, errorType, "As the test requested.", headers));

/** Chooses a behaviour for each request; the seed determines the sequence. */
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
