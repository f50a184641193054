import { beforeAll, expect, it } from "vitest";
import { updateApplication } from "../../../../src/directory/applications/applications.ts";
import { endSecret, listSecrets, rotateSecret } from "../../../../src/directory/applications/secrets.ts";
import { setDisabled } from "../../../../src/directory/users.ts";
import { expectNoSecrets } from "../../../support/canaries.ts";
import { authHost, rawRequest } from "../auth-host.ts";
import { basic, type Client, clientSecretCalls } from "./secret-calls.ts";

const host = await authHost();
const { deps } = host;
const { call, selfRotating, works, list, rotate } = clientSecretCalls(host);
let client: Client;
beforeAll(async () => {
  client = await selfRotating();
});

it("B17: wrong, ended, foreign and missing credentials get the same answer by every method", async () => {
  const other = await selfRotating();
  const ended = await selfRotating();
  const current = await rotateSecret(deps, ended.clientId, { overlapHours: 0 });
  const strangers: Client[] = [
    { ...client, clientSecret: "wrong" },
    { ...client, clientSecret: other.clientSecret },
    { ...ended },
    { clientId: "nobody", clientSecret: client.clientSecret },
  ];
  for (const method of ["GET", "POST", "DELETE"]) {
    const answers = [];
    for (const stranger of strangers) answers.push(await call(method, { headers: basic(stranger) }));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(answers[0]?.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    expect((await call(method, {})).status).toBe(401);
  }
  expect([await works(client), await works({ ...ended, ...current })]).toEqual([true, true]);
});

it("B17: neither credentials nor the overlap are read from the address, which would be logged", async () => {
  const { clientId, clientSecret } = client;
  const inQuery = `?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret })}`;
  for (const method of ["GET", "POST", "DELETE"])
    for (const headers of [{}, basic(client)])
      expect(await call(method, { query: inQuery, headers })).toMatchObject({
        status: 400,
        body: { error: "invalid_request", error_description: expect.stringContaining("in the body") },
      });
  expect((await call("POST", { query: "?overlap=0", headers: basic(client) })).status).toBe(400);
  expect((await list(client)).secrets).toHaveLength(1);
});

it("B39: credentials are rejected where the owner does not allow the call, with a link to the setting", async () => {
  const plain = await host.application();
  for (const method of ["GET", "POST", "DELETE"]) {
    const { status, body } = await call(method, { headers: basic(plain) });
    expect([status, body.error]).toEqual([403, "unauthorized_client"]);
    expect(body.error_description).toContain(`${host.url}/applications/${plain.clientId}`);
  }
  expect(await listSecrets(deps, plain.clientId)).toHaveLength(1);
  await updateApplication(deps, plain.clientId, { rotatesItself: true });
  expect((await call("GET", { headers: basic(plain) })).status).toBe(200);
  await updateApplication(deps, plain.clientId, { rotatesItself: false });
  expect((await call("POST", { headers: basic(plain) })).status).toBe(403);
});

it("an application's credentials stay valid for the call while its owner is disabled", async () => {
  const owner = await host.user();
  const theirs = await host.application({ ownerId: owner.id, rotatesItself: true });
  await setDisabled(deps, owner.id, true);
  expect((await rotate(theirs)).client_id).toBe(theirs.clientId);
});

it("B36: credentials that end while the call waits have no effect", async () => {
  const first = await selfRotating();
  const { next } = await rotate(first);
  const connection = await deps.pool.connect();
  await connection.query("BEGIN");
  await connection.query("SELECT FROM directory.application WHERE client_id = $1 FOR UPDATE", [first.clientId]);
  const waiting = call("POST", { headers: basic(first) });
  await expect.poll(() => callsThatWait()).toBe(1);
  const old = (await listSecrets(deps, first.clientId))[1]?.id ?? "";
  await endSecret(deps, first.clientId, old);
  await connection.query("COMMIT");
  connection.release();
  expect(await waiting).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  expect(await works(next)).toBe(true);
});

it("B18: guessed credentials count together with those at the token endpoint", async () => {
  const guessed = await selfRotating();
  const from = { "x-forwarded-for": "203.0.113.29", "x-forwarded-proto": "https" };
  const fields = { client_id: guessed.clientId, client_secret: "guess" };
  const exchanged = { ...fields, grant_type: "authorization_code", redirect_uri: "x", code: "x" };
  for (let attempt = 0; attempt < 15; attempt += 1) {
    await call("POST", { headers: from, fields });
    await fetch(`${host.url}/oauth2/access_token`, {
      method: "POST",
      headers: from,
      body: new URLSearchParams(exchanged),
    });
  }
  const refused = await call("POST", { headers: from, fields });
  expect([refused.status, refused.body.error]).toEqual([429, "rate_limit_exceeded"]);
  expect(await list(guessed)).toMatchObject({ client_id: guessed.clientId });
});

/** Counts the database calls that wait for the application's lock. */
async function callsThatWait(): Promise<number> {
  const { rows } = await deps.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%directory.application%'`,
  );
  return rows[0]?.count ?? 0;
}

it("other methods and content types have no effect on a client secret", async () => {
  const client = await selfRotating();
  const address = `${host.url}/oauth2/client_secret`;
  for (const method of ["HEAD", "PUT", "PATCH", "OPTIONS"]) {
    const { status, headers } = await rawRequest(address, { method, headers: basic(client) });
    const cors = headers["access-control-allow-origin"];
    expect([method, status, headers.allow, cors]).toEqual([method, 405, "GET, POST, DELETE", undefined]);
  }
  for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
    const init = { method: "POST", headers: { ...basic(client), "content-type": type }, body: '{"overlap":"0"}' };
    expect([type, (await fetch(address, init)).status]).toEqual([type, 400]);
  }
  expect((await list(client)).secrets).toHaveLength(1);
});

it("no log contains a client secret, whatever the outcome of the call", async () => {
  const client = await selfRotating();
  const { next } = await rotate(client);
  const query = `?client_secret=${next.clientSecret}`;
  await call("POST", { headers: basic(next), query });
  await call("DELETE", { headers: basic(next) });
  await call("DELETE", { fields: { client_id: client.clientId, client_secret: client.clientSecret } });
  expectNoSecrets({ logs: host.logs.text() }, { secret: [client.clientSecret, next.clientSecret] });
});
