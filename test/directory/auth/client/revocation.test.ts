import { beforeAll, expect, it } from "vitest";
import { consent, findToken, tokenOf } from "../../../../src/directory/tokens.ts";
import { authHost, authorizePath, exchange, loggedIn, rawRequest } from "../auth-host.ts";

const host = await authHost();
type Client = { clientId: string; clientSecret: string };
let user: { id: string; handle: string; password: string };
let application: Client;
let other: Client;

beforeAll(async () => {
  user = await host.user();
  [application, other] = [await host.application(), await host.application()];
});

/** Returns the user's token, issuing a new one if it was revoked. */
async function newToken({ clientId } = application): Promise<string> {
  await consent(host.deps, { userId: user.id, clientId });
  return tokenOf(host.deps, { userId: user.id, clientId });
}

const isAlive = async (token: string) => (await findToken(host.deps, token)) !== undefined;
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const inBody = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });

async function revoke(fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  const reply = await fetch(`${host.url}/oauth2/revoke`, { method: "POST", headers, body });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as { error?: string } };
}

it("B34: a revocation succeeds for an own token, looks alike for an unknown one, spares another's, and rejects a stranger", async () => {
  const [token, foreign] = [await newToken(), await newToken(other)];
  expect(await revoke({ token, ...inBody(application) })).toMatchObject({ status: 200, body: {} });
  expect(await isAlive(token)).toBe(false);
  for (const text of [token, "unknown", foreign, "\0", "x".repeat(10_000)])
    expect(await revoke({ token: text, ...inBody(application) })).toMatchObject({ status: 200, body: {} });
  expect(await isAlive(foreign)).toBe(true);

  const strangers: [Record<string, string>, Record<string, string>][] = [
    [{}, {}],
    [{ client_id: other.clientId }, {}],
    [{ client_id: other.clientId, client_secret: application.clientSecret }, {}],
    [{}, { authorization: basic(other.clientId, "wrong") }],
    [{}, { authorization: `Bearer ${foreign}` }],
  ];
  for (const [fields, headers] of strangers) {
    const answer = await revoke({ token: foreign, ...fields }, headers);
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
  }
  expect(await isAlive(foreign)).toBe(true);
});

it("a revocation accepts credentials in HTTP Basic too, and any token_type_hint", async () => {
  for (const hint of ["access_token", "refresh_token", "nonsense"]) {
    const token = await newToken();
    const authorization = basic(application.clientId, application.clientSecret);
    const answer = await revoke({ token, token_type_hint: hint }, { authorization });
    expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual([
      200,
      "no-store",
      "no-cache",
    ]);
    expect(await isAlive(token)).toBe(false);
  }
});

it("a revocation keeps the consent: the next log-in asks no question and issues a new token", async () => {
  const browser = await loggedIn(host, user);
  const token = await newToken();
  await revoke({ token, ...inBody(application) });
  const { location } = await browser.get(authorizePath(application.clientId));
  const { body } = await exchange(host, application, new URL(location).searchParams.get("code") ?? "");
  expect(body.access_token).not.toBe(token);
  expect(await isAlive(body.access_token ?? "")).toBe(true);
});

it("a revocation without a token, with two, or with one in the address is rejected", async () => {
  const token = await newToken();
  const credentials: [string, string][] = Object.entries(inBody(application));
  for (const fields of [credentials, [...credentials, ["token", token], ["token", "x"]] as [string, string][]])
    expect(await revoke(fields)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  const address = `${host.url}/oauth2/revoke?${new URLSearchParams({ token, ...inBody(application) })}`;
  expect((await fetch(address, { method: "POST" })).status).toBe(401);
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await rawRequest(address, { method });
    expect([method, status, headers.allow, headers["access-control-allow-origin"]]).toEqual([
      method,
      405,
      "POST",
      undefined,
    ]);
  }
  expect(await isAlive(token)).toBe(true);
});

it("wrong secrets at the revocation count together with those at the token endpoint", async () => {
  const guessed = await host.application();
  const token = await newToken(guessed);
  const headers = { "x-forwarded-for": "203.0.113.19", "x-forwarded-proto": "https" };
  const guess = (path: string) => {
    const fields = { grant_type: "authorization_code", redirect_uri: "x", code: "x", token };
    const body = new URLSearchParams({ ...fields, client_id: guessed.clientId, client_secret: "guess" });
    return fetch(`${host.url}${path}`, { method: "POST", headers, body });
  };
  for (let attempt = 0; attempt < 15; attempt += 1)
    for (const path of ["/oauth2/access_token", "/oauth2/revoke"]) await guess(path);
  const refused = await guess("/oauth2/revoke");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await revoke({ token, ...inBody(guessed) })).status).toBe(200);
});
