import { describe, expect, test } from "vitest";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { authenticate } from "../../../src/directory/endpoint/credentials.ts";
import { revokeToken } from "../../../src/directory/tokens.ts";
import { createVault, randomToken } from "../../../src/shared/crypto.ts";
import { apiHost, connect, credentialsOf, DOWNTOWN, expectError, freshVenue, V } from "../api/host.ts";

const host = await apiHost();
const PATH = "/v2/venues/search";
const good = () => ({ v: V, ...credentialsOf(host.application), ll: DOWNTOWN });

describe("credentials", () => {
  test.each([
    ["none", {}],
    ["an empty token", { oauth_token: "" }],
    ["a token named access_token", { access_token: "given" }],
    ["a client id alone", { client_id: "given" }],
    ["a secret alone", { client_secret: "given" }],
  ])("with %s return 400 invalid_auth", async (_name, given: Record<string, string>) => {
    const known: Record<string, string> = { access_token: host.user.token, client_id: host.application.clientId };
    known.client_secret = host.application.clientSecret;
    const sent = Object.fromEntries(Object.keys(given).map((name) => [name, given[name] && (known[name] ?? "")]));
    expectError(await host.send("GET", PATH, { v: V, ll: DOWNTOWN, ...sent }), 400, "invalid_auth");
  });

  test("named access_token get a message with the right name", async () => {
    const detail = async (fields: Record<string, string>) =>
      (await host.send("GET", PATH, { v: V, ll: DOWNTOWN, ...fields })).body.meta.errorDetail;
    expect(await detail({ access_token: host.user.token })).toContain("The token's parameter is oauth_token.");
    expect(await detail({})).not.toContain("The token's parameter");
  });

  test("with an unknown token, a secret as token or a revoked token get the same 401", async () => {
    const gone = await host.newUser();
    expect((await host.asUser(PATH, { ll: DOWNTOWN }, { token: gone.token })).status).toBe(200);
    await revokeToken(host.deps, gone);
    for (const token of ["x", randomToken(), gone.token, host.application.clientSecret, "é\u0000", "a".repeat(5000)]) {
      const answer = await host.asUser(PATH, { ll: DOWNTOWN }, { token });
      expectError(answer, 401, "invalid_auth");
      expect(answer.body.meta.errorDetail).toBe("The oauth_token is invalid or was revoked.");
    }
  });

  test.each([["client_secret"], ["client_id"]])("with a wrong %s return 400 invalid_auth", async (name) => {
    expectError(await host.send("GET", PATH, { ...good(), [name]: "wrong" }), 400, "invalid_auth");
  });

  test("beside a token of their application leave the call to the token's user", async () => {
    const answer = await host.send("GET", PATH, { ...good(), oauth_token: host.user.token });
    expect(answer.status).toBe(200);
    expect(answer.body.notifications).toBeDefined();
    expectError(await host.send("GET", PATH, { ...good(), oauth_token: "wrong" }), 401, "invalid_auth");
  });

  test("are looked up in one statement, together with access and the call count", async () => {
    for (const given of [{ oauth_token: host.user.token }, credentialsOf(host.application)]) {
      const statements: string[] = [];
      const query = (...args: Parameters<typeof host.deps.pool.query>) => {
        const { name } = args[0] as { name?: string };
        if (name) statements.push(name); // the note of a secret's use has none, and nobody waits for it
        return host.deps.pool.query(...args);
      };
      const pool = { query } as unknown as typeof host.deps.pool;
      const call = { group: "venues", cost: 1 };
      const caller = await authenticate({ ...host.deps, pool }, { v: V, ...given }, call);
      expect([caller.access, statements.length]).toEqual(["enabled", 1]);
    }
  });

  test("with a token sealed under other keys are rejected", async () => {
    const stranger = { ...host.deps, vault: createVault([randomToken()], "directory") };
    const { clientId } = await addApplication(host.deps, {
      ownerId: host.user.userId,
      name: "Sealed elsewhere",
      redirectUris: ["https://other.example/"],
    });
    const { token } = await connect(stranger, { userId: host.user.userId, clientId });
    expectError(await host.asUser(PATH, { ll: DOWNTOWN }, { token }), 401, "invalid_auth");
  });

  const bearer = (token: string, scheme = "Bearer") => ({ headers: { authorization: `${scheme} ${token}` } });

  test.each(["Bearer", "bearer", "BEARER", "Bearer  "])("are taken from Authorization: %s", async (scheme) => {
    const sent = bearer(host.user.token, scheme);
    for (const [method, path] of [
      ["GET", "/v2/users/self"],
      ["HEAD", "/v2/users/self"],
      ["POST", "/v2/multi"],
      ["GET", "/reconcile/0.2/suggest/type"],
    ] as const) {
      const fields = { v: V, requests: "/users/self", prefix: "co" };
      expect([path, (await host.send(method, path, fields, sent)).status]).toEqual([path, 200]);
    }
    const added = await host.send("POST", "/v2/venues/add", {}, { ...sent, body: { v: V, ...freshVenue() } });
    expect(added.status).toBe(200);
  });

  test("C86: of header and parameters are refused if they name different tokens or applications", async () => {
    const other = await host.newUser();
    const send = (path: string, fields: Record<string, string>, token: string) =>
      host.send("GET", path, { v: V, ll: DOWNTOWN, prefix: "co", ...fields }, bearer(token));
    const { token } = host.user;
    expect((await send(PATH, { oauth_token: token }, token)).status).toBe(200);
    expect((await send(PATH, credentialsOf(host.application), token)).body.notifications).toBeDefined();
    for (const [mine, yours] of [
      [token, other.token],
      [other.token, token],
      [token, "wrong"],
      ["wrong", token],
    ] as const) {
      const refused = await send(PATH, { oauth_token: mine }, yours);
      expectError(refused, 400, "invalid_auth");
      expect(refused.body.meta.errorDetail).toContain("different tokens");
      expect((await send("/reconcile/0.2/suggest/type", { oauth_token: mine }, yours)).status).toBe(401);
    }
    expectError(await send(PATH, { client_id: "OTHER" }, token), 400, "invalid_auth");
  });

  test("of a wrong Bearer get 401 with a challenge, and other schemes are not credentials", async () => {
    const fields = { v: V, ll: DOWNTOWN };
    const wrong = await host.send("GET", PATH, fields, bearer("wrong"));
    expectError(wrong, 401, "invalid_auth");
    expect(wrong.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
    for (const authorization of ["Bearer", "Bearer ", `Basic ${host.user.token}`, host.user.token, "Bearer a b"])
      expectError(await host.send("GET", PATH, fields, { headers: { authorization } }), 400, "invalid_auth");
  });

  test.each([
    ["GET", "/v2/users/self"],
    ["GET", "/v2/users/self/checkins"],
    ["GET", "/v2/venues/add"],
    ["POST", "/v2/venues/add"],
    ["POST", "/v2/checkins/add"],
    ["POST", "/v2/checkins/edit"],
    ["POST", "/v2/checkins/delete"],
    ["GET", "/v2/venues/annotate"],
    ["POST", "/v2/venues/0123456789abcdef01234567/annotate"],
  ])("of an application alone get 400 invalid_auth at %s %s", async (method, path) => {
    expectError(await host.send(method, path, good()), 400, "invalid_auth");
  });
});

describe("the API host", () => {
  test.each([PATH, "/v2/nothing", "/nothing"])(
    "can be read by pages of any origin and is never cached (%s)",
    async (path) => {
      const fields = { v: V, ...credentialsOf(host.application), ll: DOWNTOWN };
      const { headers } = await host.send("GET", path, fields, { headers: { origin: "https://elsewhere.example" } });
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    },
  );

  test.each([PATH, "/v2/venues/add", "/v2/checkins/add", "/v2/venues/0123456789abcdef01234567", "/v2/nothing"])(
    "accepts an Idempotency-Key from pages of any origin (%s)",
    async (path) => {
      const headers = {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,idempotency-key",
      };
      const answer = await host.send("OPTIONS", path, {}, { headers });
      expect([answer.status, answer.text]).toEqual([204, ""]);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "authorization, content-type, idempotency-key",
        "access-control-max-age": expect.stringMatching(/^\d+$/),
      });
      expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    },
  );

  test("is readable for every origin even when the address is malformed", async () => {
    const answer = await host.send("GET", "/v2/%zz");
    expectError(answer, 400, "param_error");
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
  });
});
