import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { type Answer, API_URL, apiHost, DOWNTOWN, freshVenue, V, venueOf, venuesOf } from "../api/host.ts";
import { authHost, authorizePath, codeFor, exchange, loggedIn, logIn } from "../auth/auth-host.ts";
import { type OpenApi, type Operation, openApi, operationsOf, problemsWith as problemsBy } from "./openapi.ts";

const operators = ["owner"];
const host = await apiHost({ sample: true, operators });
const auth = await authHost();
let document: OpenApi;
let venueId = "";
beforeAll(async () => {
  document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
  venueId = venuesOf(await host.userless("/v2/venues/search", { ll: DOWNTOWN }))[0]?.id ?? "";
  await reserveProvider(host.deps, "listings", host.application.clientId);
});

const isOf = (part: string) => operationsOf(document).filter(({ path }) => path.startsWith(part));
const problemsWith = (operation: Operation, answer: { status: number; body: unknown }) =>
  problemsBy(document, operation, answer);

/** A successful call of every operation under /v2. */
const CALLS: Record<string, () => Promise<Answer>> = {
  getVenuesSearch: () =>
    host.asUser("/v2/venues/search", { ll: DOWNTOWN, name: "Starbucks", intent: "match", minScore: 0 }),
  postVenuesMatch: () =>
    host.asUser("/v2/venues/match", { listings: `[{"name":"Starbucks","ll":"${DOWNTOWN}"},{}]` }, { method: "POST" }),
  getVenuesCategories: () => host.userless("/v2/venues/categories"),
  postVenuesMatchLines: () => sendLines("match", [{ name: "Starbucks", ll: DOWNTOWN }, {}, { near: "Nowhere" }]),
  postVenuesLookupLines: () => sendLines("lookup", [{ venueId }, { venueId: "x" }]),
  postVenuesAddLines: () => sendLines("add", [freshVenue(), {}]),
  postVenuesAnnotateLines: () => sendLines("annotate", [{ venueId, providerId: "listings", linkedId: "5" }, {}]),
  postVenuesDeleteLines: async () => {
    const { id } = venueOf(await host.asUser("/v2/venues/add", freshVenue()));
    return sendLines("delete", [{ venueId: id }, { venueId }]);
  },
  getVenuesAdd: () => host.asUser("/v2/venues/add", freshVenue({ address: "1 Main Street", zip: "02903" })),
  postVenuesAdd: () =>
    host.asUser("/v2/venues/add", freshVenue({ phone: "+14015550100", description: "New", twitter: "@new" }), {
      method: "POST",
    }),
  postVenuesDelete: async () => {
    const { id } = venueOf(await host.asUser("/v2/venues/add", freshVenue()));
    return host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST" });
  },
  postVenuesEdit: async () => {
    const { id } = venueOf(await host.asUser("/v2/venues/add", freshVenue()));
    return host.asUser("/v2/venues/edit", { venueId: id, phone: "+14015550100", closed: "true" }, { method: "POST" });
  },
  postVenuesPropose: () => propose(),
  postVenuesWithdraw: withdraw,
  getUsersIdProposals: async () => {
    await propose();
    return host.asUser("/v2/users/self/proposals", { venueId });
  },
  postVenuesMerge: () => merge(),
  postVenuesRevert: async () => {
    const { change } = (await merge()).body.response as { change: { id: string } };
    return host.asUser("/v2/venues/revert", { changeId: change.id }, { method: "POST" });
  },
  postVenuesLookup: () => host.asUser("/v2/venues/lookup", { venueId }, { method: "POST" }),
  getVenuesId: () => host.asUser(`/v2/venues/${venueId}`),
  getVenuesIdLinks: () => host.userless(`/v2/venues/${venueId}/links`),
  getVenuesIdAnnotate: () => annotate("GET", `/v2/venues/${venueId}/annotate`, { linkedId: "1" }),
  postVenuesIdAnnotate: () => annotate("POST", `/v2/venues/${venueId}/annotate`, { linkedId: "2" }),
  getVenuesAnnotate: () => annotate("GET", "/v2/venues/annotate", { linkedId: "3", venueId }),
  postVenuesAnnotate: () =>
    annotate("POST", "/v2/venues/annotate", { linkedId: "4", venueId, url: "https://listings.example/4" }),
  getUsersId: () => host.asUser("/v2/users/self"),
  getUsersIdCheckins: async () => {
    await CALLS.postCheckinsAdd?.();
    return host.asUser("/v2/users/self/checkins");
  },
  postCheckinsAdd: () => host.asUser("/v2/checkins/add", { venueId, shout: "Hello" }, { method: "POST" }),
  postCheckinsEdit: async () =>
    host.asUser("/v2/checkins/edit", { checkinId: await checkIn(), shout: "Hello again" }, { method: "POST" }),
  postCheckinsDelete: async () =>
    host.asUser("/v2/checkins/delete", { checkinId: await checkIn() }, { method: "POST" }),
  getMulti: () => host.asUser("/v2/multi", { requests: `/users/self,/venues/${venueId}` }),
  getAddressesLocate: () => host.userless("/v2/addresses/locate", { address: "300 Thayer St", near: "Providence, RI" }),
  getMapTile: () => host.userless("/v2/map/tile", { z: "12", x: "1235", y: "1526" }),
  postMulti: () => host.asUser("/v2/multi", { requests: "/venues/categories" }, { method: "POST" }),
};

/** The answer's body is a list of the envelopes. */
async function sendLines(name: string, lines: object[]): Promise<Answer> {
  const payload = lines.map((line) => JSON.stringify(line)).join("\n");
  const query = { v: V, oauth_token: host.user.token };
  const answer = await host.send("POST", `/v2/venues/${name}/lines`, query, {
    payload,
    headers: { "content-type": "application/x-ndjson" },
  });
  const body = answer.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(body.length).toBe(lines.length);
  return { ...answer, body: body as unknown as Answer["body"] };
}

async function checkIn(): Promise<string> {
  const { body } = await host.asUser("/v2/checkins/add", { venueId }, { method: "POST" });
  return (body.response.checkin as { id: string }).id;
}

/** By a user who may not make the edit. */
async function withdraw(): Promise<Answer> {
  const as = { method: "POST", token: (await host.newUser()).token };
  const { body } = await host.asUser("/v2/venues/propose", { venueId, phone: "+14015550199" }, as);
  const { id } = body.response.proposal as { id: string };
  return host.asUser("/v2/venues/withdraw", { proposalId: id }, as);
}

const propose = () =>
  host.asUser("/v2/venues/propose", { venueId, phone: "+14015550100", comment: "I was there." }, { method: "POST" });

async function merge(): Promise<Answer> {
  operators.push(host.user.userId);
  const added = () => host.asUser("/v2/venues/add", freshVenue());
  const [duplicate, other] = [venueOf(await added()), venueOf(await added())];
  return host.asUser("/v2/venues/merge", { venueId: duplicate.id, into: other.id }, { method: "POST" });
}

const annotate = (method: "GET" | "POST", path: string, fields: Record<string, string>) =>
  host.asUser(path, { providerId: "listings", ...fields }, { method });

/** Lets a shell read the command, and sends what curl would send. */
async function runCommand(command: string): Promise<Answer> {
  const { clientId, clientSecret } = host.application;
  const real = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, OAUTH_TOKEN: host.user.token };
  const asRun = Object.entries(real).reduce((text, [name, value]) => text.replace(`=${name}`, `=${value}`), command);
  const shell = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${asRun}`], { encoding: "utf8" });
  const words = shell.split("\0");
  const after = (option: string) => words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ""] : []));
  const path = words.find((word) => word.startsWith("http"))?.slice(API_URL.length) ?? "";
  const [ndjson] = after("--data-binary");
  if (ndjson !== undefined)
    return host.send("POST", path, {}, { payload: ndjson, headers: { "content-type": "application/x-ndjson" } });
  const [json] = after("-H").length > 0 ? after("-d") : [];
  if (json !== undefined) {
    const headers = { "content-type": "application/json" };
    return host.send("POST", path, {}, { payload: json, headers });
  }
  const fields = Object.fromEntries(
    [...after("-d"), ...after("--data-urlencode")].map((field) => field.split(/=(.*)/s, 2) as [string, string]),
  );
  const isGet = words.includes("-G") || Object.keys(fields).length === 0;
  return isGet ? host.send("GET", path, fields) : host.send("POST", path, {}, { body: fields });
}

/** The venue of the example exists already and is somebody else's; its change and check-in do not exist. */
const REFUSED: Record<string, number> = {
  "/v2/venues/add": 409,
  "/v2/venues/delete": 403,
  "/v2/venues/revert": 404,
  "/v2/venues/withdraw": 404,
  "/v2/checkins/edit": 404,
  "/v2/checkins/delete": 404,
};

describe("the answers of the API host", () => {
  it("match the documentation, without undocumented fields, for every operation under /v2", async () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(
      isOf("/v2")
        .map(({ operation }) => operation.operationId)
        .toSorted(),
    );
    for (const { operation } of isOf("/v2")) {
      const answer = await CALLS[operation.operationId]?.();
      expect(answer?.status, operation.operationId).toBe(200);
      expect(answer && problemsWith(operation, answer)).toEqual([]);
    }
  });

  it("are successful for every documented command with real credentials, or refuse what the example may not do", async () => {
    for (const { path, operation } of operationsOf(document)) {
      if (document.paths[path]?.servers) continue;
      const [{ source = "" } = {}] = operation["x-codeSamples"];
      const answer = await runCommand(source);
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, REFUSED[path] ?? 200]);
    }
  });

  it("match the documentation of errors for every operation under /v2", async () => {
    for (const { method, path, operation } of isOf("/v2")) {
      const at = path.replace("{id}", path.includes("/users/") ? "self" : venueId);
      const noCredentials = await host.send(method, at);
      const wrongToken = await host.send(method, at, { oauth_token: "wrong" });
      const noVersion = await host.send(method, at, { oauth_token: host.user.token });
      const found = [noCredentials, wrongToken, noVersion];
      expect(
        found.map(({ status }) => status),
        `${method} ${path}`,
      ).toEqual([400, 401, 410]);
      expect(found.flatMap((answer) => problemsWith(operation, answer))).toEqual([]);
    }
  });

  it("match the documentation where a venue already exists", async () => {
    const venue = freshVenue();
    const added = await host.asUser("/v2/venues/add", venue);
    const again = await host.asUser("/v2/venues/add", venue);
    const link = { providerId: "listings", linkedId: "taken" };
    await host.asUser(`/v2/venues/${venueId}/annotate`, link);
    const other = await host.asUser(`/v2/venues/${venueOf(added).id}/annotate`, link);
    expect([again.status, other.status]).toEqual([409, 409]);
    const [add, annotated] = [document.paths["/v2/venues/add"]?.get, document.paths["/v2/venues/{id}/annotate"]?.get];
    expect([add && problemsWith(add, again), annotated && problemsWith(annotated, other)]).toEqual([[], []]);
  });

  it("match the documentation for a body that is too large or compressed", async () => {
    for (const { method, path, operation } of isOf("/v2")) {
      if (method !== "POST") continue;
      const at = path.replace("{id}", venueId);
      const tooLarge = await host.send("POST", at, {}, { body: { v: V, shout: "a".repeat(2 ** 20) } });
      const compressed = await host.send("POST", at, {}, { body: { v: V }, headers: { "content-encoding": "gzip" } });
      expect([tooLarge.status, compressed.status]).toEqual([413, 415]);
      expect(tooLarge.body.meta.errorType).toBe("other");
      expect([tooLarge, compressed].flatMap((answer) => problemsWith(operation, answer))).toEqual([]);
    }
  });

  it("match the documentation for a named place, including the geocode", async () => {
    const search = document.paths["/v2/venues/search"]?.get;
    const answer = await host.userless("/v2/venues/search", { near: "Providence, RI", query: "coffee" });
    expect([answer.status, Object.keys(answer.body.response)]).toEqual([200, expect.arrayContaining(["geocode"])]);
    expect(search && problemsWith(search, answer)).toEqual([]);
    const unknown = await host.userless("/v2/venues/search", { near: "Nowhere Whatsoever", query: "coffee" });
    expect([unknown.status, search && problemsWith(search, unknown)]).toEqual([400, []]);
  });

  it("match the documentation of the reconciliation service, for its manifests and a query", async () => {
    const queries = JSON.stringify({ q0: { query: "Starbucks", properties: [{ pid: "ll", v: DOWNTOWN }] } });
    const get02 = document.paths["/reconcile/0.2"]?.get;
    const get10 = document.paths["/reconcile/1.0"]?.get;
    if (!get02 || !get10) throw new Error("The manifests are not documented.");
    const answers = [await host.send("GET", "/reconcile/0.2"), await host.send("GET", "/reconcile/0.2", { queries })];
    expect(answers.flatMap((answer) => problemsWith(get02, answer))).toEqual([]);
    expect(problemsWith(get10, await host.send("GET", "/reconcile/1.0"))).toEqual([]);
  });
});

type Method = "get" | "post" | "delete";

describe("the answers of the auth host", () => {
  it("match the documentation for the metadata, a token, a revocation, a rotation and errors", async () => {
    const user = await auth.user();
    const application = await auth.application({ rotatesItself: true });
    const browser = await loggedIn(auth, user);
    const credentials = { client_id: application.clientId, client_secret: application.clientSecret };
    const post = async (path: string, fields: Record<string, string>) => {
      const reply = await fetch(auth.url + path, { method: "POST", body: new URLSearchParams(fields) });
      return { status: reply.status, body: await reply.json() };
    };
    const get = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(auth.url + path, init);
      return { status: reply.status, body: await reply.json() };
    };
    const basic = Buffer.from(`${application.clientId}:${application.clientSecret}`).toString("base64");
    const secret = (method: string) =>
      get("/oauth2/client_secret", { method, headers: { authorization: `Basic ${basic}` } });
    const operation = (path: string, method: Method) => {
      const found = document.paths[path]?.[method];
      if (!found) throw new Error(`${method} ${path} is not documented.`);
      return found;
    };
    const token = await exchange(auth, application, await codeFor(browser, application.clientId));
    const grant = { grant_type: "authorization_code", redirect_uri: "https://app.example/callback" };
    const code = await codeFor(browser, application.clientId);
    const fresh = await logIn(
      browser,
      await browser.get(authorizePath(application.clientId, { prompt: "login" })),
      user,
    );
    const freshCode = new URL(fresh.location).searchParams.get("code") ?? "";
    const seen: [path: string, method: Method, status: number, answer: { status: number; body: unknown }][] = [
      ["/oauth2/access_token", "get", 200, token],
      ["/oauth2/access_token", "get", 200, await exchange(auth, application, freshCode)],
      ["/oauth2/access_token", "post", 200, await post("/oauth2/access_token", { ...credentials, ...grant, code })],
      ["/oauth2/access_token", "post", 400, await post("/oauth2/access_token", { ...credentials, ...grant, code })],
      ["/oauth2/access_token", "get", 400, await get("/oauth2/access_token")],
      [
        "/oauth2/revoke",
        "post",
        200,
        await post("/oauth2/revoke", { ...credentials, token: token.body.access_token ?? "" }),
      ],
      ["/oauth2/revoke", "post", 401, await post("/oauth2/revoke", { token: "x" })],
      ["/oauth2/client_secret", "delete", 200, await secret("DELETE")],
      ["/oauth2/client_secret", "post", 200, await secret("POST")],
      ["/oauth2/client_secret", "get", 200, await secret("GET")],
      ["/oauth2/client_secret", "delete", 409, await secret("DELETE")],
      ["/oauth2/client_secret", "get", 401, await get("/oauth2/client_secret")],
      ["/oauth2/client_secret", "post", 400, await get("/oauth2/client_secret?overlap=0", { method: "POST" })],
      ["/.well-known/oauth-authorization-server", "get", 200, await get("/.well-known/oauth-authorization-server")],
    ];
    for (const [path, method, status, answer] of seen) {
      expect(answer.status, path).toBe(status);
      expect(problemsWith(operation(path, method), answer)).toEqual([]);
    }
  });

  it("reject every documented parameter of an authorization request when it is given twice", async () => {
    const application = await auth.application();
    for (const path of ["authenticate", "authorize"]) {
      const documented = document.paths[`/oauth2/${path}`]?.get?.parameters ?? [];
      const names = documented.flatMap((each) => ("$ref" in each ? [] : [each.name]));
      expect(names.length).toBe(9);
      for (const name of names) {
        const twice = `${authorizePath(application.clientId, {}, path)}&${name}=a&${name}=b`;
        expect((await auth.browser().get(twice)).status, name).toBe(400);
      }
    }
  });
});
