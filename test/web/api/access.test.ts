import { Validator } from "@seriousme/openapi-schema-validator";
import { afterEach, describe, expect, test } from "vitest";
import * as conflicts from "../../../src/web/api/conflicts.ts";
import * as decisions from "../../../src/web/api/decisions.ts";
import * as drafts from "../../../src/web/api/drafts.ts";
import type { Endpoint } from "../../../src/web/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/web/api/endpoints.ts";
import * as files from "../../../src/web/api/files.ts";
import * as listings from "../../../src/web/api/listings.ts";
import * as lists from "../../../src/web/api/lists.ts";
import * as mappings from "../../../src/web/api/mappings.ts";
import * as repairs from "../../../src/web/api/repairs.ts";
import * as reviewing from "../../../src/web/api/reviewing.ts";
import * as steps from "../../../src/web/api/steps.ts";
import type { Scope } from "../../../src/web/api/tokens.ts";
import * as venues from "../../../src/web/api/venues.ts";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { startRuns } from "../harmonize/runs.ts";
import { programOf, tokenOf } from "./programs.ts";

const { web, owner } = await startRuns();
const { database } = web;
const gus = (await database.prisma.account.findFirstOrThrow({ where: { firstName: "Gus" } })).id;
const directory = web.directory.baseUrl;
const file = await makeHarmonization(database, owner, [{ name: "One" }], { directory });
const other = await makeHarmonization(database, owner, [{ name: "Two" }], { directory });

afterEach(() => database.prisma.apiUse.deleteMany());

/** Made once for all endpoints. */
const [ended, expired, good, limited, strange] = [
  await tokenOf(web, owner, { more: { endedAt: new Date() } }),
  await tokenOf(web, owner, { more: { expiresAt: new Date(Date.now() - 1000) } }),
  await tokenOf(web, owner),
  await tokenOf(web, owner, { files: [other.id] }),
  await tokenOf(web, gus),
];
const SETS = [[], ["read"], ["read", "decide"], ["read", "write"]] as Scope[][];
const scoped = new Map(
  await Promise.all(SETS.map(async (scopes) => [scopes, await tokenOf(web, owner, { scopes })] as const)),
);

const all = Object.values(ENDPOINTS).flat();
const PROBLEM = "application/problem+json; charset=utf-8";

/** Calls an endpoint about this file, with a body that would be read only afterwards. */
function call({ method, path }: Endpoint, token: string | undefined, id = file.id) {
  const to = path.slice("/api/v1".length).replace(":id", id).replace(":number", "1");
  return programOf(web, token)(method, to, method === "POST" ? {} : undefined);
}

test("W100: every endpoint object that there is stands in the table of endpoints, once, and is registered", () => {
  const objects = [conflicts, decisions, drafts, files, listings, lists, mappings, repairs, reviewing, steps, venues]
    .flatMap((of) => Object.values(of))
    .filter((each) => typeof each === "object" && "scope" in each);
  expect(all.map(({ name }) => name).toSorted()).toEqual(objects.map(({ name }) => name).toSorted());
  for (const { method, path } of all) expect([path, web.app.hasRoute({ method, url: path })]).toEqual([path, true]);
});

test("W100: what only reads needs the scope read, what changes the directory write, and all else decide", () => {
  const named = (scope: Scope) => all.filter((each) => each.scope === scope).map(({ name }) => name);
  const reads = all.filter(({ method, name }) => method === "GET" || name === "findMappings").map(({ name }) => name);
  expect(named("read").toSorted()).toEqual(reads.toSorted());
  expect(named("write").toSorted()).toEqual(["addVenues", "undoAdding", "writeIds"]);
});

describe.each(all.map((each) => [each.name, each] as const))("W100: %s", (_name, endpoint) => {
  test("is refused without a token, with an unknown, ended or expired one, and with one in the address or a cookie", async () => {
    const bare = await call(endpoint, undefined);
    expect([bare.status, bare.body.code]).toEqual([401, "invalid_token"]);
    expect(bare.headers.get("www-authenticate")).toBe('Bearer realm="samespot"');
    for (const token of [ended, expired, `sspat_${"x".repeat(43)}`, "x"]) {
      const answer = await call(endpoint, token);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([401, PROBLEM]);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    const to = endpoint.path.slice("/api/v1".length).replace(":id", file.id).replace(":number", "1");
    const asked = await programOf(web, undefined)(endpoint.method, `${to}?access_token=${good}&oauth_token=${good}`);
    expect(asked.status).toBe(401);
  });

  test("is refused with every set of scopes that lacks its own", async () => {
    for (const [scopes, token] of scoped) {
      if (scopes.includes(endpoint.scope)) continue;
      const answer = await call(endpoint, token);
      expect([answer.status, answer.body.code]).toEqual([403, "insufficient_scope"]);
      expect(answer.headers.get("www-authenticate")).toContain(`scope="${endpoint.scope}"`);
    }
  });

  test.runIf(endpoint.who !== "person")(
    "says of another person's file, and of one that its token may not see, that there is none",
    async () => {
      const strangers = await call(endpoint, strange);
      const notIts = await call(endpoint, limited);
      const missing = await call(endpoint, good, "00000000-0000-4000-8000-000000000000");
      const odd = await call(endpoint, good, "1");
      // What is wrong with the body is said before.
      const expected = endpoint.body?.safeParse({}).success === false ? [400, "param_error"] : [404, "not_found"];
      const wrong = endpoint.query && !endpoint.query.safeParse({}).success ? [400, "param_error"] : expected;
      for (const answer of [strangers, notIts, missing, odd]) expect([answer.status, answer.body.code]).toEqual(wrong);
      expect(new Set([strangers, notIts, missing].map(({ body }) => body.detail)).size).toBe(1);
      await database.prisma.harmonization.findFirstOrThrow({ where: { id: file.id, state: "ready" } });
    },
  );
});

test("W100: an owner's endpoint does not act for somebody with whom the file is shared", async () => {
  await database.prisma.harmonization.update({ where: { id: file.id }, data: { isShared: true } });
  for (const endpoint of all.filter(({ who }) => who === "owner")) {
    const { status } = await call(endpoint, strange);
    expect([endpoint.name, [400, 404].includes(status)]).toEqual([endpoint.name, true]);
  }
  expect((await call(all.find(({ name }) => name === "readFile") as Endpoint, await tokenOf(web, gus))).status).toBe(
    200,
  );
  await database.prisma.harmonization.update({ where: { id: file.id }, data: { isShared: false } });
});

test("W120: an endpoint about a file acts for each role of its list as the pages do", async () => {
  const { listId } = file;
  for (const role of ["viewer", "reviewer"] as const) {
    await database.prisma.listPerson.create({ data: { listId, accountId: gus, role } });
    for (const endpoint of all.filter(({ who }) => who !== "person")) {
      const answer = await call(endpoint, strange);
      const may = endpoint.who === "viewer" || endpoint.who === role;
      const isWrong = answer.body?.code === "param_error";
      const isHidden = answer.status === 404 && answer.body.detail === "There is no such file.";
      if (!isWrong) expect([role, endpoint.name, isHidden]).toEqual([role, endpoint.name, !may]);
    }
    await database.prisma.listPerson.deleteMany({ where: { accountId: gus, listId } });
  }
  expect(all.filter(({ who }) => who === "reviewer").map(({ scope }) => scope)).toContain("decide");
  expect(all.filter(({ who, scope }) => who === "viewer" && scope !== "read")).toEqual([]);
});

test("W101: the tokens of a person who is disabled, or whose access the directory has refused, are refused", async () => {
  const token = await tokenOf(web, gus);
  const read = all.find(({ name }) => name === "listFiles") as Endpoint;
  expect((await call(read, token)).status).toBe(200);
  await database.prisma.connection.update({ where: { accountId: gus }, data: { brokenAt: new Date() } });
  expect((await call(read, token)).status).toBe(401);
  await database.prisma.connection.update({ where: { accountId: gus }, data: { brokenAt: null } });
  await database.prisma.account.update({ where: { id: gus }, data: { disabledAt: new Date() } });
  expect((await call(read, token)).status).toBe(401);
  await database.prisma.account.update({ where: { id: gus }, data: { disabledAt: null } });
  expect((await call(read, token)).status).toBe(200);
});

test("W102: a token of chosen files sees their later and earlier editions and no others, in lists, look-ups and as an edition before", async () => {
  const first = await makeHarmonization(database, owner, [{ name: "A", more: { ownId: "a1" } }], { directory });
  const second = await makeHarmonization(database, owner, [{ name: "A", more: { ownId: "a1" } }], {
    directory,
    previousId: first.id,
  });
  const third = await makeHarmonization(database, owner, [{ name: "A" }], {
    directory,
    previousId: second.id,
    state: "draft",
  });
  for (const chosen of [first, second, third]) {
    const limited = programOf(web, await tokenOf(web, owner, { files: [chosen.id] }));
    const { body } = await limited("GET", "/files");
    expect(body.files.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [first.id, second.id, third.id].toSorted(),
    );
    expect((await limited("GET", `/files/${other.id}`)).status).toBe(404);
    const stolen = await limited("POST", `/files/${third.id}/columns`, { previous_id: other.id });
    expect([stolen.status, stolen.body.code]).toEqual([400, "param_error"]);
  }
  const blind = programOf(web, await tokenOf(web, owner, { files: [other.id] }));
  expect((await blind("POST", "/mappings", { ids: ["a1"] })).body).toMatchObject({ mappings: [], unknown: ["a1"] });
});

test("W103: of a person's calls more than the most in a minute get 429 with Retry-After, whatever their token", async () => {
  const [one, two] = [await tokenOf(web, owner), await tokenOf(web, owner)];
  const read = all.find(({ name }) => name === "listFiles") as Endpoint;
  await call(read, one);
  await database.prisma.apiUse.update({ where: { accountId: owner }, data: { calls: 599 } });
  expect((await call(read, two)).status).toBe(200);
  const over = await call(read, one);
  expect([over.status, over.body.code]).toEqual([429, "rate_limit_exceeded"]);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call(read, await tokenOf(web, gus))).status).toBe(200);
  await database.prisma.apiUse.update({
    where: { accountId: owner },
    data: { windowStart: new Date(Date.now() - 61_000) },
  });
  expect((await call(read, one)).status).toBe(200);
});

test("W104: an answer is for no other origin and no browser's session, and errors outside of endpoints are problems, too", async () => {
  const token = await tokenOf(web, owner);
  const program = programOf(web, token);
  const answer = await program("GET", "/files", undefined, { origin: "https://evil.example" });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
  const browser = await web.logIn();
  expect((await browser.get("/api/v1/files")).status).toBe(401);
  for (const [method, path, status, body] of [
    ["GET", "/nothing", 404, undefined],
    ["DELETE", "/files", 405, undefined],
    ["GET", "/%zz", 400, undefined],
    ["POST", `/files/${file.id}/retry`, 400, undefined],
    ["POST", "/mappings", 413, { ids: ["x".repeat(600_000)] }],
  ] as const) {
    const raw = path.endsWith("retry") ? "{" : body;
    const headers: Record<string, string> = path.endsWith("retry") ? { "content-type": "application/json" } : {};
    const refused = await program(method, path, raw, headers);
    expect([path, refused.status, refused.headers.get("content-type")]).toEqual([path, status, PROBLEM]);
    expect(refused.body).toMatchObject({
      status,
      code: expect.stringMatching(/^[a-z_]+$/),
      detail: expect.any(String),
    });
  }
});

test("W105: the last use of a token is noted, at most once a minute", async () => {
  const program = programOf(web, await tokenOf(web, owner));
  const row = () => database.prisma.apiToken.findFirstOrThrow({ where: { accountId: owner }, orderBy: { id: "desc" } });
  expect((await row()).lastUsedAt).toBeNull();
  await program("GET", "/files");
  const { id, lastUsedAt } = await row();
  expect(lastUsedAt).not.toBeNull();
  await program("GET", "/files");
  expect((await row()).lastUsedAt).toEqual(lastUsedAt);
  await database.prisma.apiToken.update({ where: { id }, data: { lastUsedAt: new Date(Date.now() - 61_000) } });
  await program("GET", "/files");
  expect(Date.now() - ((await row()).lastUsedAt?.getTime() ?? 0)).toBeLessThan(10_000);
});

test("the OpenAPI document is valid, and has every endpoint with its scope", async () => {
  const { body, status } = await programOf(web, undefined)("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
  const operations = Object.values(body.paths as Record<string, Record<string, Record<string, string>>>).flatMap(
    (item) => Object.values(item),
  );
  expect(operations.map((each) => [each.operationId, each["x-scope"]]).toSorted()).toEqual(
    all.map(({ name, scope }) => [name, scope]).toSorted(),
  );
  const page = await fetch(`${web.url}/api/v1`);
  const html = await page.text();
  expect(page.status).toBe(200);
  for (const { path, summary } of all)
    expect([path, html.includes(summary.replaceAll("'", "&#39;"))]).toEqual([path, true]);
});
