import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import {
  type Answer,
  apiHost,
  categoryId,
  credentialsOf,
  DOWNTOWN,
  freshVenue,
  V,
  venueOf,
  venuesOf,
} from "../api/host.ts";

const DOCUMENT = readFileSync("docs/wire-format.md", "utf8");

const operators = ["owner"];
const host = await apiHost({ sample: true, operators });
const limited = await apiHost({ rateLimit: 2 });
let venueId = "";
beforeAll(async () => {
  operators.push(host.user.userId);
  venueId = venuesOf(await host.userless("/v2/venues/search", { ll: DOWNTOWN }))[0]?.id ?? "";
  await reserveProvider(host.deps, "listings", host.application.clientId);
});

/** What the document says, to the letter, with a call and what its answer must have: types of values by their path in `response`. */
interface Says {
  says: string;
  call: () => Promise<Answer>;
  /** A request that the document shows, of which this is a call. */
  shown?: string;
  status?: number;
  errorType?: string;
  has?: Record<string, "string" | "number" | "boolean" | "array" | "object">;
}

type Fields = Record<string, string | number>;
const post = (path: string, fields: Fields = {}) => host.asUser(path, fields, { method: "POST" });
const get = (path: string, fields: Fields = {}) => host.asUser(path, fields);
const lines = (path: string, payload: string) =>
  host.send(
    "POST",
    path,
    { v: V, oauth_token: host.user.token },
    { payload, headers: { "content-type": "application/x-ndjson" } },
  );
const added = async () => venueOf(await post("/v2/venues/add", freshVenue())).id;
const checkIn = async () => ((await post("/v2/checkins/add", { venueId })).body.response.checkin as { id: string }).id;
const proposed = async () => {
  const as = { method: "POST", token: (await host.newUser()).token };
  const { body } = await host.asUser(
    "/v2/venues/propose",
    { venueId, phone: "+14015550142", comment: "So it is." },
    as,
  );
  return { as, proposal: body.response.proposal as { id: string } };
};
const merged = async () => {
  const [one, other] = [await added(), await added()];
  return post("/v2/venues/merge", { venueId: one, into: other });
};
const VENUE = {
  "venue.id": "string",
  "venue.name": "string",
  "venue.contact": "object",
  "venue.location": "object",
} as const;
const near = { ll: DOWNTOWN };

const SAYINGS: Says[] = [
  {
    says: "`v` missing",
    call: () => host.send("GET", "/v2/users/self", { oauth_token: host.user.token }),
    status: 410,
    errorType: "param_error",
  },
  {
    says: "Bad format: no recording. REC: 400 param_error.",
    call: () => get("/v2/users/self", { v: "2026-01-01" }),
    status: 400,
    errorType: "param_error",
  },
  { says: "Future dates: accepted", call: () => get("/v2/users/self", { v: "29991231" }) },
  {
    says: "`m=foursquare|swarm`: required alongside v in the 2014-17 docs, gone from the 2018+ docs. REC: accept, ignore.",
    call: () => get("/v2/users/self", { m: "swarm" }),
  },
  {
    says: "NO usable credentials: no token and no client pair",
    call: () => host.send("GET", "/v2/venues/search", { v: V, ...near }),
    status: 400,
    errorType: "invalid_auth",
  },
  {
    says: "also an empty `oauth_token=`",
    call: () => host.send("GET", "/v2/venues/search", { v: V, oauth_token: "", ...near }),
    status: 400,
    errorType: "invalid_auth",
  },
  {
    says: "a client pair alone where a user's token is needed, to read or to write",
    call: () => host.userless("/v2/users/self"),
    status: 400,
    errorType: "invalid_auth",
  },
  {
    says: "A wrong client_secret: no recording found. REC: 400 invalid_auth",
    call: () =>
      host.send("GET", "/v2/venues/search", { v: V, ...near, ...credentialsOf(host.application), client_secret: "x" }),
    status: 400,
    errorType: "invalid_auth",
  },
  {
    says: "token present but wrong or revoked",
    call: () => host.send("GET", "/v2/users/self", { v: V, oauth_token: "x" }),
    status: 401,
    errorType: "invalid_auth",
  },
  {
    says: "missing or malformed parameter",
    call: () => get("/v2/venues/search"),
    status: 400,
    errorType: "param_error",
  },
  {
    says: "unknown or malformed resource id in the path",
    call: () => get("/v2/venues/000000000000000000000000"),
    status: 400,
    errorType: "param_error",
  },
  { says: "path does not exist", call: () => get("/v2/nothing/here"), status: 404, errorType: "endpoint_error" },
  {
    says: "(explore, trending, suggestcompletion)",
    call: () => get("/v2/venues/explore", near),
    status: 404,
    errorType: "endpoint_error",
  },
  {
    says: "POST to a GET-only endpoint or the reverse",
    call: () => get("/v2/checkins/add", { venueId }),
    status: 405,
    errorType: "other",
  },
  {
    says: "known user may not do or see this",
    call: () => get(`/v2/venues/${venueId}/annotate`, { providerId: "others", linkedId: "1" }),
    status: 403,
    errorType: "not_authorized",
  },
  { says: "hourly limit passed", call: overLimit, status: 403, errorType: "rate_limit_exceeded" },
  {
    says: "conflict: duplicate venue",
    call: addTwice,
    status: 409,
    errorType: "other",
    has: { candidateDuplicateVenues: "array", ignoreDuplicatesKey: "string" },
  },
  {
    says: "`near` not understood / area too large",
    call: () => get("/v2/venues/search", { near: "Nowhere At All" }),
    status: 400,
    errorType: "failed_geocode",
  },
  {
    says: "area too large",
    call: () => get("/v2/venues/search", { intent: "browse", sw: "10,10", ne: "40,40" }),
    status: 400,
    errorType: "geocode_too_big",
  },
  {
    says: "Any other known parameter given twice is 400 param_error.",
    call: () =>
      host.send("GET", "/v2/venues/search", { v: V, oauth_token: host.user.token, ll: [DOWNTOWN, DOWNTOWN] as never }),
    status: 400,
    errorType: "param_error",
  },
  {
    says: "(`radius=1000.0`)",
    call: () => get("/v2/venues/search", { ...near, intent: "browse", radius: "1000.0" }),
    has: { venues: "array" },
  },
  {
    says: "`1e3`, `+1` and `1,000` are 400 param_error",
    call: () => get("/v2/venues/search", { ...near, intent: "browse", radius: "1e3" }),
    status: 400,
    errorType: "param_error",
  },
  {
    says: "Unknown parameters are ignored everywhere",
    call: () => get("/v2/venues/search", { ...near, approval_prompt: "x" }),
    has: { venues: "array" },
  },
  {
    says: "Rb and Go call venues/suggestCompletion, P and N venues/suggestcompletion, so the service did not care about case.",
    call: () => get("/V2/Venues/Search/", near),
    has: { venues: "array" },
  },
  {
    says: "| llAcc, alt, altAcc | accepted, no effect |",
    call: () => get("/v2/venues/search", { ...near, llAcc: 10, alt: 0, altAcc: 1 }),
    has: { venues: "array" },
  },
  {
    says: "REC: send venues and confident.",
    call: () => get("/v2/venues/search", near),
    has: { venues: "array", confident: "boolean" },
  },
  {
    says: "`near` adds `geocode` to the answer",
    call: () => get("/v2/venues/search", { near: "Providence, RI" }),
    has: {
      "geocode.what": "string",
      "geocode.where": "string",
      "geocode.feature": "object",
      "geocode.feature.geometry.center.lat": "number",
      "geocode.parents": "array",
    },
  },
  {
    says: "Ours: each venue has a `score` (0 to 1; of venues with score 0.9, nine in ten are right) and `evidence`",
    call: () => get("/v2/venues/search", { ...near, intent: "match", name: "Starbucks", minScore: 0 }),
    has: {
      "venues.0.score": "number",
      "venues.0.evidence": "array",
      "venues.0.needsReview": "boolean",
      "venues.0.evidence.0.weight": "number",
      "venues.0.evidence.0.text": "string",
      "venues.0.evidence.0.comparison": "string",
    },
  },
  {
    says: "The response is `response.responses[]` as in section 11",
    shown: "POST /v2/venues/match",
    call: () => post("/v2/venues/match", { listings: `[{"name":"Starbucks","ll":"${DOWNTOWN}"}]` }),
    has: { "responses.0.meta.code": "number", "responses.0.response.venues": "array" },
  },
  {
    says: "`POST /v2/venues/match/lines` takes NDJSON only",
    shown: "POST /v2/venues/match/lines",
    call: () => post("/v2/venues/match/lines", { listings: "[]" }),
    status: 400,
    errorType: "param_error",
  },
  {
    says: "By GET, `match` is 405 unless a venue has this id.",
    call: () => get("/v2/venues/match"),
    status: 405,
    errorType: "other",
  },
  {
    says: "gives `response.tile` for a map in Web Mercator: `streets[]` {name, line}",
    shown: "GET /v2/map/tile?z=&x=&y=",
    call: () => get("/v2/map/tile", { z: 12, x: 1235, y: 1526 }),
    has: {
      "tile.streets": "array",
      "tile.streets.0.name": "string",
      "tile.streets.0.line": "string",
      "tile.towns": "array",
    },
  },
  {
    says: "gives `response.position` {lat, lng, estimated}",
    shown: "GET /v2/addresses/locate?address=&near=",
    call: () => get("/v2/addresses/locate", { address: "300 Thayer St", near: "Providence, RI" }),
    has: { "position.lat": "number", "position.lng": "number", "position.estimated": "boolean" },
  },
  {
    says: "Complete venue (venues/ID -> `response.venue`): compact fields plus canonicalUrl, shortUrl, createdAt (epoch s), timeZone (IANA)",
    call: () => get(`/v2/venues/${venueId}`),
    has: {
      ...VENUE,
      "venue.canonicalUrl": "string",
      "venue.shortUrl": "string",
      "venue.createdAt": "number",
      "venue.timeZone": "string",
    },
  },
  {
    says: "`POST /v2/venues/lookup` with `venueId` answers as venues/ID does.",
    shown: "POST /v2/venues/lookup",
    call: () => post("/v2/venues/lookup", { venueId }),
    has: VENUE,
  },
  {
    says: "answers the surviving venue and `change.id`, a second time the same",
    shown: "POST /v2/venues/merge",
    call: merged,
    has: { ...VENUE, "change.id": "string" },
  },
  {
    says: "with `changeId` answers the venue that is there again.",
    shown: "POST /v2/venues/revert",
    call: async () =>
      post("/v2/venues/revert", { changeId: ((await merged()).body.response.change as { id: string }).id }),
    has: VENUE,
  },
  {
    says: "It answers the venue and `change.id`, for venues/revert.",
    shown: "POST /v2/venues/edit",
    call: async () => post("/v2/venues/edit", { venueId: await added(), phone: "+14015550100" }),
    has: { ...VENUE, "change.id": "string" },
  },
  {
    says: "It answers `response.proposal` {id, venueId, state, createdAt, values, duplicateOf, new, comment, decidedAt, answer, change}.",
    shown: "POST /v2/venues/propose",
    call: async () => {
      const { as } = await proposed();
      return host.asUser("/v2/venues/propose", { venueId, phone: "+14015550142", comment: "So it is." }, as);
    },
    has: {
      "proposal.id": "string",
      "proposal.venueId": "string",
      "proposal.state": "string",
      "proposal.createdAt": "number",
      "proposal.values": "object",
      "proposal.comment": "string",
    },
  },
  {
    says: "gives `response.proposals` {count, items}, newest first",
    shown: "GET /v2/users/self/proposals",
    call: () => get("/v2/users/self/proposals"),
    has: { "proposals.count": "number", "proposals.items": "array" },
  },
  {
    says: "`POST /v2/venues/withdraw` with `proposalId` takes an open one back",
    shown: "POST /v2/venues/withdraw",
    call: async () => {
      const { as, proposal } = await proposed();
      return host.asUser("/v2/venues/withdraw", { proposalId: proposal.id }, as);
    },
    has: { "proposal.state": "string" },
  },
  {
    says: "Method: POST in every client and on D-add; the interface says GET. REC: accept both, same effect.",
    call: () => get("/v2/venues/add", freshVenue()),
    has: { ...VENUE, "venue.location.distance": "number" },
  },
  {
    says: "take many calls at once.",
    shown: "POST /v2/venues/add",
    call: () => lines("/v2/venues/add", JSON.stringify(freshVenue())),
    has: VENUE,
  },
  {
    says: "`POST /v2/venues/annotate` take many calls at once",
    shown: "POST /v2/venues/annotate",
    call: () => lines("/v2/venues/annotate", JSON.stringify({ venueId, providerId: "listings", linkedId: "7" })),
    has: { ...VENUE, link: "object" },
  },
  {
    says: "the answer is `response.venue` with id and name.",
    shown: "POST /v2/venues/delete",
    call: async () => post("/v2/venues/delete", { venueId: await added() }),
    has: { "venue.id": "string", "venue.name": "string" },
  },
  {
    says: "answer `response.venue` (complete) and `response.link`",
    call: () => post(`/v2/venues/${venueId}/annotate`, { providerId: "listings", linkedId: "8" }),
    has: { ...VENUE, "link.provider.id": "string", "link.linkedId": "string" },
  },
  {
    says: "`response.links = {count, items:[{provider:{id}, linkedId, url?}]}`",
    call: () => host.userless(`/v2/venues/${venueId}/links`),
    has: { "links.count": "number", "links.items.0.provider.id": "string", "links.items.0.linkedId": "string" },
  },
  {
    says: "`response.categories[]`, a tree: {id,name,pluralName,shortName,icon:{prefix,suffix},categories:[…]}",
    call: () => host.userless("/v2/venues/categories"),
    has: {
      "categories.0.id": "string",
      "categories.0.pluralName": "string",
      "categories.0.shortName": "string",
      "categories.0.icon.prefix": "string",
      "categories.0.icon.suffix": "string",
      "categories.0.categories.0.name": "string",
    },
  },
  {
    says: "contact must be an object",
    call: () => get("/v2/users/self"),
    has: {
      "user.id": "string",
      "user.firstName": "string",
      "user.contact": "object",
      "user.photo.prefix": "string",
      "user.photo.suffix": "string",
      "user.relationship": "string",
      "user.checkins.count": "number",
      "user.friends.count": "number",
      "user.createdAt": "number",
    },
  },
  {
    says: "Response: `response.checkins = {count, items}`",
    call: async () => {
      await checkIn();
      return get("/v2/users/self/checkins");
    },
    has: {
      "checkins.count": "number",
      "checkins.items.0.id": "string",
      "checkins.items.0.createdAt": "number",
      "checkins.items.0.timeZoneOffset": "number",
      "checkins.items.0.type": "string",
      "checkins.items.0.venue.id": "string",
      "checkins.items.0.source.name": "string",
      "checkins.items.0.source.url": "string",
      "checkins.items.0.photos.count": "number",
      "checkins.items.0.comments.items": "array",
      "checkins.items.0.posts.textCount": "number",
      "checkins.items.0.likes.groups": "array",
      "checkins.items.0.like": "boolean",
      "checkins.items.0.isMayor": "boolean",
    },
  },
  {
    says: "changes what the user says (without `shout`: nothing) -> `response.checkin`",
    shown: "POST /v2/checkins/edit",
    call: async () => post("/v2/checkins/edit", { checkinId: await checkIn(), shout: "Hi" }),
    has: { "checkin.id": "string", "checkin.shout": "string" },
  },
  {
    says: "deletes a check-in and takes it out of the venue's counts -> `response.checkin.id`.",
    shown: "POST /v2/checkins/delete",
    call: async () => post("/v2/checkins/delete", { checkinId: await checkIn() }),
    has: { "checkin.id": "string" },
  },
  {
    says: "Response: `response.responses[]`, each a full envelope {meta, notifications?, response}, in order; sub-errors stay inside (outer 200).",
    call: () => get("/v2/multi", { requests: `/users/self,/venues/x` }),
    has: {
      "responses.0.meta.code": "number",
      "responses.0.response.user": "object",
      "responses.1.meta.errorType": "string",
    },
  },
];

async function overLimit(): Promise<Answer> {
  for (let calls = 0; calls < 2; calls++) await limited.asUser("/v2/users/self");
  return limited.asUser("/v2/users/self");
}

async function addTwice(): Promise<Answer> {
  const venue = freshVenue({ primaryCategoryId: categoryId("Café") });
  await post("/v2/venues/add", venue);
  return post("/v2/venues/add", venue);
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
const typeOf = (value: unknown) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

test.each(SAYINGS)(
  "docs/wire-format.md is right that “$says”",
  async ({ says, call, status = 200, errorType, has = {} }) => {
    expect(DOCUMENT).toContain(says);
    const answer = await call();
    // The answer to one line is its envelope.
    const { meta, response } = answer.body ?? JSON.parse(answer.text);
    expect([answer.status, meta.code, meta.errorType]).toEqual([status, status, errorType]);
    expect(meta.requestId).toMatch(/^[0-9a-f]{24}$/);
    if (status !== 200 && Object.keys(has).length === 0) expect(response).toEqual({});
    const types = Object.keys(has).map((path) => [path, typeOf(at(response, path))]);
    expect(Object.fromEntries(types)).toEqual(has);
  },
);

/** Not called above: by whom the log-in host is tested, and what a service of ours never answers or only after a thousand calls. */
const ELSEWHERE = ["GET /.well-known/oauth-authorization-server", "POST /oauth2/revoke"];
const NOT_PROVOKED = ["429 quota_exceeded", "429 rate_limit_exceeded", "500 server_error", "400 other"];

test("every request that docs/wire-format.md shows is made, and every error of its table is provoked", () => {
  const shown = [...DOCUMENT.matchAll(/`((?:GET|POST|HEAD) \/[^`]*)`/g)].map(([, request = ""]) => request);
  const made = SAYINGS.flatMap(({ shown: request }) => request ?? []);
  expect([...new Set(shown)].sort()).toEqual([...new Set([...made, ...ELSEWHERE])].sort());
  const [, table = ""] = /\n## 3\. Errors\n([\s\S]*?)\n- /.exec(DOCUMENT) ?? [];
  const rows = [...table.matchAll(/^\| (\d{3}) \| ([^|]+) \|/gm)];
  const listed = rows.flatMap(([, status, types = ""]) =>
    types
      .trim()
      .split(" / ")
      .map((type) => `${status} ${type.replace(/[()]/g, "")}`),
  );
  const provoked = SAYINGS.flatMap(({ status, errorType }) => (errorType ? [`${status} ${errorType}`] : []));
  expect(listed.length).toBeGreaterThan(12);
  expect(listed.filter((error) => ![...provoked, ...NOT_PROVOKED].includes(error))).toEqual([]);
  expect(
    provoked.filter((error) => !listed.includes(error)),
    "nothing that the table does not list",
  ).toEqual([]);
});

test("the venues of a search have the fields of the table “Compact venue”, with its types", async () => {
  const [, table = ""] = /\n### Compact venue\n([\s\S]*?)\n\[/.exec(DOCUMENT) ?? [];
  const types = new Map(
    [...table.matchAll(/^\| ([a-zA-Z, ]+) \| (string|object|array|boolean|optional|) \|/gm)].flatMap(
      ([, names = "", type = ""]) => names.split(", ").map((name) => [name, type] as const),
    ),
  );
  const venues = venuesOf(await get("/v2/venues/search", { ...near, limit: 50 }));
  expect(venues.length).toBeGreaterThan(20);
  for (const name of ["id", "name", "contact", "location", "categories", "verified", "stats", "beenHere"])
    expect(venues.map((venue) => typeOf(venue[name as keyof typeof venue]))).toEqual(venues.map(() => types.get(name)));
  const wrong = venues.flatMap((venue) =>
    Object.entries(venue).filter(
      ([name, value]) => !["", "optional", typeOf(value)].includes(types.get(name) ?? "unknown"),
    ),
  );
  expect(wrong).toEqual([]);
});
