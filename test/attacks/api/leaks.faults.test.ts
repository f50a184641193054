import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { changeAccess } from "../../../src/directory/applications/access.ts";
import { issueCode } from "../../../src/directory/auth/client/token-endpoint.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { testDatabase } from "../../support/database/database.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../../support/samespot.ts";
import { CALLBACK, categoryId, rawExchange, runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory();
const spare = await testDatabase();

// Unique, to be found in any output.
const typed = `typed-${randomToken(9)}`;
const secrets: Record<string, string[]> = {
  token: [randomToken()],
  secret: [randomToken()],
  code: [randomToken()],
  password: [randomToken()],
};
const replies: Record<string, string> = {};
let stopped: Record<string, string> = {};

beforeAll(async () => {
  const user = await directory.user();
  const { clientId, clientSecret } = await directory.application();
  const oauth_token = await directory.token({ userId: user.id, clientId });
  const code = await issueCode(directory.deps, {
    ...{ clientId, userId: user.id, redirectUri: CALLBACK },
    codeChallenge: null,
  });
  secrets.token?.push(oauth_token);
  secrets.secret?.push(clientSecret);
  secrets.code?.push(code);
  secrets.password?.push(user.password);
  for (const table of ["venue", "authorization"])
    await directory.deps.pool.query(`CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'cannot take %', NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON directory.${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_${table}()`);
  const other = await directory.application();
  await changeAccess(directory.deps, other.clientId, { actorId: null, access: "stopped", why: "" });
  stopped = { client_id: other.clientId, client_secret: other.clientSecret };
  secrets.secret?.push(other.clientSecret);
  await provoke({ oauth_token, client_id: clientId, client_secret: clientSecret, code, ...user });
});

type Known = Record<"oauth_token" | "client_id" | "client_secret" | "code" | "handle" | "password", string>;

/** Makes failing calls of every kind, with right and wrong secrets. */
async function provoke({ oauth_token, client_id, client_secret, code, handle, password }: Known): Promise<void> {
  const [wrongToken = "", wrongSecret = "", wrongCode = ""] = [secrets.token, secrets.secret, secrets.code].map(
    (each) => each?.[0],
  );
  const application = { client_id, client_secret };
  const exchanged = { ...application, grant_type: "authorization_code", redirect_uri: CALLBACK };
  const query = (fields: Record<string, string>, v = true) =>
    `?${new URLSearchParams({ ...(v && { v: V }), ...fields })}`;
  const user = query({ oauth_token, query: typed });
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}`,
  });
  const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
  const parts = new FormData();
  parts.append("oauth_token", oauth_token);
  parts.append("shout", new Blob([typed]), typed);
  const cookie = `samespot_directory=${oauth_token}; oauth_token=${oauth_token}`;
  const venue = { name: "A spot", ll: "1,1", primaryCategoryId: categoryId("Bar") };
  await send(directory.api, [
    [400, `/v2/venues/search${query({ access_token: oauth_token, query: typed })}`, { headers: { cookie } }],
    [400, `/v2/venues/search${query({ client_id, client_secret: wrongSecret })}`],
    [400, `/v2/venues/search${user}&ll=${typed}`],
    [400, `/v2/venues/search${user}&ll=1,1&ll=${oauth_token}`],
    [400, `/v2/venues/search${user}&callback=${typed}%20${oauth_token}`],
    [400, `/v2/venues/${typed}${user}`],
    [400, `/v2/users/${oauth_token}${user}`],
    [400, `/v2/%zz${user}`],
    [400, "/v2/checkins/add", { method: "POST", body: parts }],
    [400, "/v2/checkins/add", { ...form({ oauth_token }), headers: { "content-type": "application/json" } }],
    [401, `/v2/users/self${query({ oauth_token: wrongToken, query: typed })}`, { headers: basic(client_secret) }],
    [400, `/v2/venues/add${query({ ...application, name: typed })}`],
    [403, `/v2/venues/search${query({ ...stopped, query: typed })}`],
    [404, `/v2/${typed}${user}`],
    [404, `/v2/x/y/${oauth_token}/${client_secret}${user}`],
    [405, `/v2/venues/search${user}`, { method: "PUT" }],
    [410, `/v2/users/self${query({ oauth_token, query: typed }, false)}`],
    [413, "/v2/checkins/add", form({ oauth_token, shout: typed.repeat(4000) })],
    [415, "/v2/checkins/add", { ...form({ oauth_token }), headers: { "content-encoding": typed } }],
    [500, `/v2/venues/add${query({ oauth_token, ...venue, description: typed })}`],
  ]);
  await send(directory.auth, [
    [400, `/oauth2/access_token${query({ ...exchanged, code: wrongCode })}`],
    [400, `/oauth2/access_token${query({ ...exchanged, client_secret: wrongSecret, code })}`],
    [400, "/oauth2/access_token", form({ ...exchanged, grant_type: "password", username: handle, password })],
    [401, "/oauth2/access_token", { ...form({ ...exchanged, client_secret: "", code }), headers: basic(wrongSecret) }],
    [405, `/oauth2/access_token${query({ ...exchanged, code })}`, { method: "DELETE" }],
    [500, `/oauth2/access_token${query({ ...exchanged, code })}`],
    [400, `/oauth2/authenticate${query({ client_id: typed, redirect_uri: CALLBACK, response_type: "code" })}`],
    [400, `/oauth2/authenticate${query({ client_id, redirect_uri: `https://${typed}/`, state: oauth_token })}`],
    [403, "/login", form({ handle, password, _csrf: oauth_token })],
    [404, `/${typed}/${oauth_token}${user}`],
    [413, "/login", form({ handle, password: password.repeat(5000) })],
  ]);
  for (const broken of ["Bad Header: x", `X-Long: ${typed.repeat(2000)}`, "Content-Length: 1\r\nContent-Length: 2"]) {
    const head = `GET /v2/users/self${user} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n${broken}\r\n\r\n`;
    replies[broken.slice(0, 20)] = await rawExchange(directory.api, head, 5000);
  }
  await directory.deps.pool.query("UPDATE directory.rate_count SET count = 5000 WHERE subject LIKE 'refused calls%'");
  await send(directory.api, [[429, `/v2/${typed}${query({ oauth_token: wrongToken })}`]]);
}

async function send(address: string, calls: [status: number, path: string, init?: RequestInit][]): Promise<void> {
  for (const [status, path, init] of calls) {
    const reply = await fetch(address + path, { redirect: "manual", ...init });
    const text = `${[...reply.headers].map((header) => header.join(": ")).join("\n")}\n\n${await reply.text()}`;
    const what = `${status} ${init?.method ?? "GET"} ${path}`;
    expect([what, reply.status]).toEqual([what, status]);
    replies[what] = text;
  }
}

it("C16: no error of either host repeats what was sent", () => {
  expect(Object.keys(replies).length).toBeGreaterThan(30);
  expect(new Set(Object.keys(replies).map((what) => what.slice(0, 3)))).toEqual(
    new Set(["400", "401", "403", "404", "405", "410", "413", "415", "429", "500", "Bad", "X-L", "Con"]),
  );
  const places = Object.entries(replies).map(([, text], index) => [`reply ${index}`, text]);
  expectNoSecrets(Object.fromEntries(places), { ...secrets, typed: [typed] });
});

it("C17: no log line of the directory holds a secret of a failed call, even at trace", () => {
  const text = directory.logs.text();
  for (const expected of ['"status":404', '"status":429', '"status":500', "request failed", "cannot take"])
    expect(text).toContain(expected);
  expect(directory.logs.lines.length).toBeGreaterThan(30);
  expectNoSecrets({ logs: text }, secrets);
});

it("C17: a process prints no secret when it cannot start or when it crashes", async () => {
  const canary = randomToken();
  const lost = `postgresql://samespot:${canary}@127.0.0.1:1/none`;
  const failed = await spawnSamespot({
    env: { ROLES: "directory", SAMPLE_DATA: "off", DATABASE_URL: lost },
    dataDir: dataFolder(),
  });
  expect((await failed.exited).code).toBe(1);
  expect(failed.output()).toContain("DATABASE_URL");

  // Read from the environment, because stack traces contain the program's text.
  const fault = `process.once("SIGUSR2", () => { const { CANARY } = process.env; throw Object.assign(
    new Error("GET http://d/v2/x?oauth_token=" + CANARY + "&client_secret=" + CANARY + " failed"),
    { request: { headers: { cookie: CANARY } }, cause: new Error("Bearer " + CANARY) }) })`;
  const addresses = await freeAddresses();
  const crashing = await spawnSamespot({
    env: {
      ...addresses,
      ROLES: "directory",
      DATABASE_URL: spare.url,
      SAMPLE_DATA: "off",
      CANARY: canary,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`,
    },
    dataDir: dataFolder(),
  });
  while (!(await fetch(`${addresses.BASE_URL}/healthz`).catch(() => undefined))?.ok) await sleep(50);
  await crashing.kill("SIGUSR2");
  expect(crashing.output()).toContain("GET http://d/v2/x?oauth_token=…");
  expectNoSecrets({ output: failed.output() + crashing.output() }, { canary: [canary] });
});
