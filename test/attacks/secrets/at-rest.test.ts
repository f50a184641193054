import { Signer } from "@fastify/cookie";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { rotateSecret } from "../../../src/directory/applications/secrets.ts";
import { checkPassword } from "../../../src/directory/users.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { secretsOf } from "../../flows/traffic.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { snapshot } from "../../support/database/snapshot.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startWeb } from "../../web/web-app.ts";
import { runningApps } from "../running-apps.ts";

const samespot = await runningApps({ instances: 1, env: { SIGN_UP: "on" } });
const { database, deps, config } = samespot;
const patient = openDatabase(config.databaseUrl ?? "", { patience: 60_000 }); // a dump takes its time
afterAll(() => patient.close());
const atFake = await startWeb();

/** All secrets that were issued, by kind. */
const secrets = { cookie: [] as string[], state: [] as string[], code: [] as string[], password: [] as string[] };
const clients: Record<string, string> = { client_id: "", client_secret: "" };
const [first, changed, newcomers] = [samespot.demo.password, `changed-${randomToken()}`, `stranger-${randomToken()}`];

// The test's browsers and applications use the global fetch; the app does not.
const usualFetch = globalThis.fetch;
globalThis.fetch = async (...call) => {
  const reply = await usualFetch(...call);
  for (const line of reply.headers.getSetCookie()) {
    const value = decodeURIComponent(/^[^=]+=([^;]*)/.exec(line)?.[1] ?? "");
    if (value) secrets.cookie.push(value, ...value.split(".").filter((part) => part.length > 20));
  }
  const to = reply.headers.get("location") ?? "";
  const parameters = URL.canParse(to) ? new URL(to).searchParams : new URLSearchParams();
  for (const name of ["code", "state"] as const) secrets[name].push(...parameters.getAll(name));
  return reply;
};
afterAll(() => {
  globalThis.fetch = usualFetch; // for the files after this one
});

// A life cycle: log-in, search, add, developer pages, rotation, reconciliation, password change, sign-up.
beforeAll(async () => {
  const browser = samespot.newBrowser();
  await samespot.logIn(browser);
  expect((await browser.get("/checkins")).status).toBe(200);
  await browser.get("/venues?query=coffee&ll=41.8236,-71.4222");
  const form = await browser.get("/venues/new");
  const [, primaryCategoryId = ""] = /name="primaryCategoryId".*?<option value="([0-9a-f]{24})"/s.exec(form.body) ?? [];
  await browser.submit(form, "/venues", { name: "Canary Xylophon Spot", ll: "41.8240,-71.4128", primaryCategoryId });

  const own = await secretsOf(database, { encryptionKeys: config.encryptionKeys, baseUrl: samespot.apiUrl });
  Object.assign(secrets, { token: own["access token"], "client secret": own["client secret"] });
  const developer = createHttpClient(samespot.authUrl);
  await samespot.throughDirectory(developer, (await samespot.newBrowser().get("/login")).location);
  const { clientId } = await database.prisma.application.findFirstOrThrow();
  const rotated = await rotateSecret(deps, clientId, { overlapHours: 1 });
  Object.assign(clients, { client_id: clientId, client_secret: rotated.clientSecret });
  secrets.password.push(first, changed, newcomers);
  const reconciled = new URLSearchParams({ queries: JSON.stringify({ q0: { query: "coffee" } }), ...clients });
  await fetch(`${samespot.apiUrl}/reconcile/0.2`, { method: "POST", body: reconciled });
  const settings = await developer.get("/settings");
  await developer.submit(settings, "/settings/password", { currentPassword: first, newPassword: changed });
  const stranger = createHttpClient(samespot.authUrl);
  const person = { handle: "newcomer", firstName: "New", password: newcomers };
  expect((await stranger.submit(await stranger.get("/sign-up"), "/sign-up", person)).status).toBe(303);
  await atFake.logIn();
});

/** Dumps the database without pending `state`, which belongs to the application and is returned to it. */
const dump = async ({ pool }: Pick<typeof database, "pool">) =>
  JSON.stringify([await snapshot(pool, "app", []), await snapshot(pool, "directory", ["state"])]);

describe("a database dump", () => {
  it("S01: contains no secret of the whole life cycle, in any encoding", async () => {
    const text = await dump(patient);
    for (const lived of ["Canary Xylophon Spot", "newcomer", "application_secret", "login_attempt", "vault_key"])
      expect([lived, text.includes(lived)]).toEqual([lived, true]);
    expect(await checkPassword(deps, "demo", changed)).toBeDefined();
    expect(secrets.cookie.length).toBeGreaterThan(8);
    const settings = { "session secret": [...config.sessionSecrets], key: [...config.encryptionKeys] };
    expectNoSecrets({ dump: text }, { ...secrets, ...settings, rotated: [clients.client_secret ?? ""] });
  });

  it("S01: of an app at another directory contains no PKCE verifier, code or token", async () => {
    const { requests, secrets: handedOut } = atFake.directory;
    const verifiers = requests.flatMap(({ params }) => params.code_verifier ?? []);
    expectNoSecrets({ dump: await dump(atFake.database) }, { verifier: verifiers, "of the directory": handedOut });
  });

  it("S02: gives no access: its stored values are not accepted as cookies, codes, tokens or secrets", async () => {
    const column = async (sql: string) =>
      (await database.pool.query<{ value: Buffer }>(`SELECT ${sql}`)).rows.flatMap(({ value }) => written(value));
    const signer = new Signer([...config.sessionSecrets]);
    for (const [name, url, table] of SESSIONS(samespot))
      for (const id of await column(`id_hash AS value FROM ${table} WHERE ended_at IS NULL`))
        for (const value of [id, signer.sign(id)]) {
          const reply = await fetch(url, {
            redirect: "manual",
            headers: { cookie: `${name}=${encodeURIComponent(value)}` },
          });
          expect([table, reply.status]).toEqual([table, 303]); // to the log-in
        }

    const tokens = await column("unnest(ARRAY[token_lookup, token_sealed]) AS value FROM directory.authorization");
    for (const oauth_token of [...tokens, ...(await column("token AS value FROM app.connection"))]) {
      const self = await fetch(
        `${samespot.apiUrl}/v2/users/self?${new URLSearchParams({ v: "20260101", oauth_token })}`,
      );
      expect(self.status).toBe(401);
    }
    const exchange = (fields: Record<string, string>) =>
      fetch(`${samespot.authUrl}/oauth2/access_token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          redirect_uri: `${samespot.url}/login/callback`,
          ...fields,
        }),
      });
    const stored = await column("hash AS value FROM directory.application_secret");
    for (const secret of [
      ...stored,
      ...(await column("secret AS value FROM app.client_credential WHERE secret IS NOT NULL")),
    ])
      expect((await exchange({ ...clients, client_secret: secret, code: "x" })).status).toBe(400);
    for (const code of await column("hash AS value FROM directory.authorization_code"))
      expect(await (await exchange({ ...clients, code })).json()).toMatchObject({ error: "invalid_grant" });
    const [hash] = (
      await database.pool.query('SELECT password_hash AS hash FROM directory."user" WHERE handle = $1', ["demo"])
    ).rows;
    expect(await checkPassword(deps, "demo", hash.hash)).toBeUndefined();
  });

  it("S02: cannot complete a pending log-in", async () => {
    await samespot.newBrowser().get("/login");
    const { rows } = await database.pool.query(
      "SELECT state_hash AS state, binding_hash AS binding FROM app.login_attempt",
    );
    for (const { state, binding } of rows)
      for (const [index, value] of written(state).entries()) {
        const name = `samespot_login_${state.toString("hex").slice(0, 8)}`;
        const reply = await fetch(`${samespot.url}/login/callback?code=some-code&state=${encodeURIComponent(value)}`, {
          redirect: "manual",
          headers: { cookie: `${name}=${encodeURIComponent(written(binding)[index] ?? "")}` },
        });
        expect(reply.status).toBe(400);
      }
  });
});

const written = (bytes: Buffer) => [bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("base64")];

const SESSIONS = ({ url, authUrl }: typeof samespot) =>
  [
    ["samespot", `${url}/checkins`, "app.session"],
    ["samespot_directory", `${authUrl}/settings`, "directory.session"],
  ] as const;
