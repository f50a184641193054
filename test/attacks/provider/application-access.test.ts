import { expect, it } from "vitest";
import type { Access } from "../../../src/directory/access.ts";
import { changeAccess } from "../../../src/directory/applications/access.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";
import { type Endpoint, expectError, type Fields, forEach, venueApi } from "../venue-api.ts";

const CONTACT = "help@directory.example";
const directory = await runningDirectory({ instances: 2, env: { OPERATOR_CONTACT: CONTACT } });
const api = venueApi(directory);
const { deps } = directory;
const set = (access: Access, clientId = api.client.client_id) =>
  changeAccess(deps, clientId, { actorId: null, access, why: "" });

const HARMONIZING = ["/v2/venues/match", "/v2/venues/add", "/v2/venues/annotate", "/v2/venues/{id}/annotate"];
/** Calls that change nothing: of venues and a change that do not exist. */
const CORRECTING: Record<string, Fields> = {
  "/v2/venues/delete": { venueId: "none" },
  "/v2/venues/edit": { venueId: "none", name: "Spot" },
  "/v2/venues/propose": { venueId: "none", name: "Spot" },
  "/v2/venues/withdraw": { proposalId: "0" },
  "/v2/venues/merge": { venueId: "none", into: "none" },
  "/v2/venues/revert": { changeId: "1" },
  "/v2/checkins/edit": { checkinId: "none" },
  "/v2/checkins/delete": { checkinId: "none" },
};
const needsEnabled = ({ path }: Endpoint, fields: Fields) =>
  path in CORRECTING || HARMONIZING.includes(path) || path === "/v2/checkins/add" || fields.intent === "match";
const ofUser = ({ path }: Endpoint) =>
  path.startsWith("/v2/users/") || path === "/v2/checkins/add" || path in CORRECTING || /add$|annotate$/.test(path);

/** Returns every endpoint with each method and kind of credentials, and a search with intent=match. */
function everyCall() {
  const { oauth_token } = api.user;
  const kinds: [string, Fields][] = [
    ["token", { oauth_token }],
    ["client", api.client],
    ["both", { oauth_token, ...api.client }],
  ];
  return api.endpoints.flatMap((endpoint) => {
    const more: Fields[] = endpoint.path === "/v2/venues/search" ? [{}, { intent: "match", name: "Spot" }] : [{}];
    return more.flatMap((fields) =>
      kinds.map(([kind, credentials]) => {
        const [address, { oauth_token: _, ...good }] = api.goodCall(endpoint);
        const sent = { ...good, ...CORRECTING[endpoint.path], ...fields, ...credentials };
        return { endpoint, kind, address, fields: sent };
      }),
    );
  });
}

it.each(["stopped", "reading", "enabled"] as const)(
  "C26: the status %s of an application applies at every endpoint and instance, with any credentials",
  async (access) => {
    await set("enabled");
    const calls = everyCall();
    const before = await api.rows();
    await set(access);
    let refused = 0;
    await forEach(calls, async ({ endpoint, kind, address, fields }) => {
      const what = [access, endpoint.method, endpoint.path, kind, fields.intent];
      const on = directory.instances[refused % 2];
      const answer = await directory.call(address, fields, { method: endpoint.method, ...(on && { on }) });
      const isUserless = kind === "client" && ofUser(endpoint);
      if (access === "stopped" || (access === "reading" && !isUserless && needsEnabled(endpoint, fields))) {
        refused += 1;
        const { errorType, errorDetail } = answer.body.meta;
        expect([what, answer.status, errorType]).toEqual([what, 403, "not_authorized"]);
        expect(answer.body.response).toEqual({ application: { access } });
        expect(errorDetail).toContain(CONTACT);
        expect(errorDetail).toContain(`/applications/${api.client.client_id}`);
      } else if (isUserless) expectError(what, answer, 400, "invalid_auth");
      else if (endpoint.path in CORRECTING) expect([what, answer.body.response]).toEqual([what, {}]);
      else expect([what, answer.status]).toEqual([what, 200]);
    });
    // Two kinds of matches with three kinds of credentials, and fifteen writes with a token alone and with a client.
    expect(refused).toBe({ stopped: calls.length, reading: 2 * 3 + 15 * 2, enabled: 0 }[access]);
    const { access_event: _, ...rows } = await api.rows();
    const { access_event: __, ...unchanged } = before;
    if (access !== "enabled") expect(rows).toEqual(unchanged);
    await set("enabled");
    expect((await directory.call("/v2/users/self", api.user)).status).toBe(200);
  },
);

it("C26: a match inside multi is refused to a read-only application", async () => {
  await set("reading");
  const requests = "/venues/search?intent=match&name=Spot&ll=0,0,/venues/search?ll=0,0,/users/self";
  const { status, body } = await directory.call("/v2/multi", { ...api.user, requests });
  const inside = body.response.responses.map(({ meta }: { meta: { code: number } }) => meta.code);
  expect([status, inside]).toEqual([200, [403, 200, 200]]);
  await set("enabled");
});

it("C26: other applications keep working while one is stopped", async () => {
  const other = await directory.application();
  await set("stopped", other.clientId);
  expect((await directory.call("/v2/venues/search", { ...api.client, ll: "0,0" })).status).toBe(200);
});

const authorize = (clientId: string, path = "authenticate", type = "code") =>
  `/oauth2/${path}?${new URLSearchParams({ client_id: clientId, response_type: type, redirect_uri: CALLBACK })}`;

async function visitor() {
  const browser = directory.browser();
  const { handle, password } = await directory.user();
  await browser.submit(await browser.get("/login"), "/login", { handle, password });
  return browser;
}

/** Expects the error page for users sent by a stopped application. */
function expectStopped(page: { status: number; body: string; location: string }) {
  expect([page.status, page.location]).toEqual([403, ""]);
  expect(page.body).toContain("This application is stopped");
  expect(page.body).toContain(CONTACT);
  expect(page.body).not.toContain(CALLBACK);
}

it("B41: users sent by a stopped application see an error page, without a redirect or a consent form", async () => {
  const { clientId } = await directory.application({ tokenFlow: true });
  const [consenting, browser] = [await visitor(), await visitor()];
  await browser.submit(await browser.get(authorize(clientId)), "/oauth2/consent", { decision: "allow" });
  const waiting = await consenting.get(authorize(clientId));
  const asked = /name="request" value="([0-9a-f]{24})"/.exec(waiting.body)?.[1] ?? "";
  await set("stopped", clientId);
  for (const path of ["authenticate", "authorize"])
    for (const type of ["code", "token", "nonsense"]) expectStopped(await browser.get(authorize(clientId, path, type)));
  expectStopped(await consenting.submit(waiting, "/oauth2/consent", { decision: "allow" }));
  expectStopped(await consenting.get(`/oauth2/consent?request=${asked}`));
  expectStopped(await directory.browser().get(`/login?request=${asked}`));
  expect(await deps.prisma.authorization.count({ where: { clientId } })).toBe(1);
  await set("enabled", clientId);
  expect((await browser.get(authorize(clientId))).location).toContain("code=");
  const again = await consenting.submit(waiting, "/oauth2/consent", { decision: "allow" });
  expect(again.location).toContain("code=");
});

it("B33: a stop takes effect on both instances at once: codes stay valid but unexchanged, and tokens stay revocable", async () => {
  const { clientId, clientSecret } = await directory.application({ rotatesItself: true });
  const browser = await visitor();
  const page = await browser.submit(await browser.get(authorize(clientId)), "/oauth2/consent", { decision: "allow" });
  const code = new URL(page.location).searchParams.get("code") ?? "";
  const client = { client_id: clientId, client_secret: clientSecret };
  const fields = { ...client, grant_type: "authorization_code", redirect_uri: CALLBACK, code };
  const exchange = async (auth: string) => {
    const reply = await fetch(`${auth}/oauth2/access_token?${new URLSearchParams(fields)}`);
    return { status: reply.status, body: (await reply.json()) as Record<string, string> };
  };
  const post = (path: string, more: Fields = {}) =>
    fetch(directory.auth + path, { method: "POST", body: new URLSearchParams({ ...client, ...more }) });
  await set("stopped", clientId);
  for (const { auth } of directory.instances) {
    const { status, body } = await exchange(auth);
    expect([status, body.error]).toEqual([400, "unauthorized_client"]);
    expect(body.error_description).toContain(CONTACT);
  }
  expect((await post("/oauth2/client_secret")).status).toBe(400);
  await set("reading", clientId);
  const { status, body } = await exchange(directory.instances[1]?.auth ?? "");
  expect([status, body.access_token]).toEqual([200, expect.stringMatching(/[\w-]{20}/)]);
  await set("stopped", clientId);
  expect((await post("/oauth2/revoke", { token: body.access_token ?? "" })).status).toBe(200);
  await set("enabled", clientId);
  const dead = await directory.call("/v2/users/self", { oauth_token: body.access_token ?? "" });
  expect(dead.status).toBe(401);
});

it("B39: of several concurrent decisions from one page one succeeds, and the history lists every change", async () => {
  const { clientId } = await directory.application();
  const decide = (access: Access) =>
    changeAccess(deps, clientId, { actorId: null, access, ifAccess: "enabled", why: access });
  const locked = await deps.pool.connect();
  await locked.query("BEGIN");
  await locked.query("SELECT FROM directory.application WHERE client_id = $1 FOR UPDATE", [clientId]);
  const deciding = Promise.allSettled(Array.from({ length: 12 }, (_, at) => decide(at % 2 ? "stopped" : "reading")));
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const count = async () => (await deps.pool.query(waiting)).rows[0].count;
  await expect.poll(count).toBeGreaterThan(1);
  await locked.query("COMMIT");
  locked.release();
  const outcomes = await deciding;
  const done = outcomes.filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(1);
  const { access } = await deps.prisma.application.findUniqueOrThrow({ where: { clientId } });
  const events = await deps.prisma.accessEvent.findMany({ where: { clientId } });
  expect(events.map((event) => [event.access, event.why])).toEqual([[access, access]]);
});

it("B39: `enable --for reading` never removes rights, and `stop --for harmonizing` never adds any", async () => {
  const { clientId } = await directory.application();
  const after = async (from: Access, how: "raise" | "lower") => {
    await set(from, clientId);
    return (await changeAccess(deps, clientId, { actorId: null, access: "reading", how, why: "" })).access;
  };
  const raised = [await after("stopped", "raise"), await after("reading", "raise"), await after("enabled", "raise")];
  const lowered = [await after("stopped", "lower"), await after("reading", "lower"), await after("enabled", "lower")];
  expect([raised, lowered]).toEqual([
    ["reading", "reading", "enabled"],
    ["stopped", "reading", "reading"],
  ]);
});
