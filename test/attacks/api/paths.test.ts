import { describe, expect, it } from "vitest";
import { issueCode } from "../../../src/directory/auth/client/token-endpoint.ts";
import { exchange, rawRequest } from "../../directory/auth/auth-host.ts";
import { CALLBACK, rawExchange, runningDirectory } from "../running-directory.ts";
import { type Fields, forEach, query, statusOf, venueApi, written } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
const auth = { ...directory, url: directory.auth };
const { host } = new URL(directory.api);

const OVERRIDES = ["x-http-method-override", "x-http-method", "x-method-override"];

describe("an unsupported method", () => {
  const METHODS = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY", "SEARCH"];

  it("C13: has no effect on endpoints that write, even when a header names another method", async () => {
    const before = await api.rows();
    const writing = ["/v2/venues/add", "/v2/venues/annotate", "/v2/venues/{id}/annotate", "/v2/checkins/add"];
    const tries = writing.flatMap((path) =>
      METHODS.flatMap((method) =>
        [{}, ...OVERRIDES.map((name) => ({ [name]: "POST" }))].map((headers) => ({ path, method, headers })),
      ),
    );
    await forEach(tries, async ({ path, method, headers }) => {
      const [address, fields] = api.goodCall({ path });
      const { status, headers: answered } = await rawRequest(
        `${directory.api}${address}?${query({ ...fields, _method: "POST" })}`,
        { method, headers },
      );
      expect([method, path, headers, status]).toEqual([method, path, headers, 405]);
      expect(answered.allow).toMatch(/^(GET, )?POST$/);
    });
    expect(await api.rows()).toEqual(before);
  });

  it("C13: is not overridden by a header or a parameter", async () => {
    const before = await api.rows();
    for (const name of OVERRIDES) {
      const [address, fields] = api.goodCall({ path: "/v2/checkins/add" });
      const asGet = await directory.call(address, { ...fields, _method: "POST" }, { headers: { [name]: "POST" } });
      const asPost = await directory.call("/v2/users/self", api.user, { method: "POST", headers: { [name]: "GET" } });
      expect([asGet.status, asPost.status]).toEqual([405, 405]);
    }
    expect(await api.rows()).toEqual(before);
  });

  it("C13: has no effect when a browser asks for the allowed methods", async () => {
    const before = await api.rows();
    const [address, fields] = api.goodCall({ path: "/v2/venues/add" });
    const headers = { origin: "https://elsewhere.example", "access-control-request-method": "POST" };
    const preflight = await rawRequest(`${directory.api}${address}?${query(fields)}`, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.body]).toEqual([204, ""]);
    expect(await api.rows()).toEqual(before);
  });

  it("C13: neither exchanges a code nor revokes a token", async () => {
    const { client_id, client_secret } = api.client;
    const pair = { clientId: client_id, userId: api.user.id };
    const code = await issueCode(directory.deps, { ...pair, redirectUri: CALLBACK, codeChallenge: null });
    const grant = { ...api.client, grant_type: "authorization_code", redirect_uri: CALLBACK, code };
    const calls = {
      access_token: new URLSearchParams(grant),
      revoke: new URLSearchParams({ ...api.client, token: api.user.oauth_token }),
    };
    const tries = Object.entries(calls).flatMap(([name, fields]) =>
      METHODS.flatMap((method) =>
        [{}, { "x-http-method-override": "POST" }].map((headers) => ({ name, fields, method, headers })),
      ),
    );
    await forEach(tries, async ({ name, fields, method, headers }) => {
      const { status, body } = await rawRequest(`${directory.auth}/oauth2/${name}?${fields}`, { method, headers });
      expect([name, method, status]).toEqual([name, method, expect.toBeOneOf([404, 405])]);
      expect(body).not.toContain(api.user.oauth_token);
    });
    const exchanged = await exchange(auth, { clientId: client_id, clientSecret: client_secret }, code);
    expect(exchanged).toEqual({ status: 200, body: { access_token: api.user.oauth_token } });
  });
});

function spellings(path: string): string[] {
  const [, v2 = "", group = "", last = ""] = path.split("/");
  const coded = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
  return [
    ...[
      `/${path}`,
      `/v2//${group}/${last}`,
      `/v2/${group}//${last}`,
      `///v2///${group}///${last}`,
      `${path}/`,
      `${path}//`,
    ],
    ...[`${path};x`, `${path};x=1`, `/v2;x/${group}/${last}`, `/v2/${group};x/${last}`, `/;/v2/${group}/${last}`],
    ...[
      `${path}%2f`,
      `/v2%2f${group}/${last}`,
      `/v2/${group}%2f${last}`,
      `/v2/${group}%2F${last}`,
      `%2fv2/${group}/${last}`,
    ],
    ...[`/${coded(v2)}/${group}/${last}`, `/v2/${coded(group)}/${last}`, `/v2/${group}/${coded(last)}`],
    ...[`/v2/%25${coded(group).slice(1)}/${last}`, `/v2/./${group}/${last}`, `/v2/x/../${group}/${last}`],
    ...[`/docs/../v2/${group}/${last}`, `/healthz/../v2/${group}/${last}`, `/v2/%2e%2e/v2/${group}/${last}`],
    ...[
      `/docs/%2e%2e/v2/${group}/${last}`,
      `/docs/..%2fv2/${group}/${last}`,
      `/docs/..\\v2\\${group}\\${last}`,
      `\\v2\\${group}\\${last}`,
    ],
    ...[
      path.toUpperCase(),
      `/V2/${group}/${last}`,
      `/v2/${group.toUpperCase()}/${last}`,
      `/v2/${group}/${last.toUpperCase()}`,
    ],
    ...[
      `http://${host}${path}`,
      `https://${host}${path}`,
      `http://evil.example${path}`,
      `http://${host}/${path}`,
      `//${host}${path}`,
    ],
    ...[`${path}%00`, `${path}%20`, `${path}.json`, `${path}%3f`, `${path}%23`, `/v1/../v2/${group}/${last}`],
  ];
}

describe("another spelling of an address", () => {
  /** Returns the status for each kind of caller. */
  async function statuses(path: string, fields: Fields): Promise<Record<string, number>> {
    const callers: Record<string, Fields> = {
      nobody: {},
      wrong: { oauth_token: "wrong" },
      application: api.client,
      user: api.user,
    };
    delete callers.user?.id;
    const answers = Object.entries(callers).map(async ([caller, credentials]) => {
      const request = written("GET", `${path}?${query({ ...fields, ...credentials })}`, { host });
      return [caller, statusOf(await rawExchange(directory.api, request, 5000))];
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  it.each(["/v2/users/self", "/v2/venues/search", "/v2/venues/add"])(
    "C14: of %s returns 404 or asks for the same credentials",
    async (path) => {
      const expected = {
        "/v2/users/self": { nobody: 400, wrong: 401, application: 400, user: 200 },
        "/v2/venues/search": { nobody: 400, wrong: 401, application: 200, user: 200 },
        "/v2/venues/add": { nobody: 400, wrong: 401, application: 400, user: 200 },
      }[path];
      const fieldsOf = () => (path === "/v2/users/self" ? {} : api.newVenue());
      expect(await statuses(path, fieldsOf())).toEqual(expected);
      const before = await api.rows();
      let added = 0;
      await forEach(spellings(path), async (spelling) => {
        const found = await statuses(spelling, fieldsOf());
        for (const [caller, status] of Object.entries(found)) {
          const same = expected?.[caller as keyof typeof expected];
          expect([spelling, caller, status]).toEqual([spelling, caller, expect.toBeOneOf([same, 400, 404])]);
        }
        if (path === "/v2/venues/add" && found.user === 200) added += 1;
      });
      expect((await api.rows()).venue).toBe(Number(before.venue) + added);
    },
  );
});
