import { beforeAll, describe, expect, test } from "vitest";
import { type OpenApi, openApi, operationsOf } from "../docs/openapi.ts";
import {
  type Answer,
  apiHost,
  categoryId,
  credentialsOf,
  expectError,
  freshVenue,
  V,
  venueOf,
  venuesOf,
} from "./host.ts";

const host = await apiHost({ rateLimit: 400 });
let document: OpenApi;
let venueId = "";
beforeAll(async () => {
  document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
  venueId = venueOf(await host.asUser("/v2/venues/add", { ...freshVenue(), ll: "41.8,-71.4" })).id;
});

const PARAMETERS: Record<string, Record<string, string>> = {
  "/v2/venues/search": { ll: "41.8,-71.4" },
  "/v2/map/tile": { z: "12", x: "1235", y: "1526" },
  "/v2/addresses/locate": { address: "1 Main St", near: "02903" },
  "/v2/multi": { requests: "/venues/categories" },
};

/** Every GET of the API without an effect, with parameters of a call. */
const reading = () =>
  operationsOf(document).flatMap(({ method, path, operation }) => {
    if (method !== "GET" || !path.startsWith("/v2/") || /add$|annotate$/.test(path)) return [];
    const at = path.replace("{id}", path.includes("/users/") ? "self" : venueId);
    const fields: Record<string, string> = { v: V, oauth_token: host.user.token, ...PARAMETERS[path] };
    return [{ at, operation, fields }];
  });

const OTHERS = () => [
  ...["/docs", "/docs/openapi.json", "/reconcile/0.2", "/reconcile/1.0", "/healthz", "/readyz", "/icons/coffee_64.svg"],
  ...[`/venues/${venueId}`, `/reconcile/0.2/preview?id=${venueId}`, `/reconcile/1.0/preview?id=${venueId}`],
  ...["/reconcile/0.2/suggest/type?prefix=co", "/reconcile/1.0/extend/propose?type=venue"],
];

const used = async () => {
  const { rows } = await host.deps.pool.query("SELECT coalesce(sum(count), 0)::int AS count FROM directory.rate_count");
  return rows[0].count;
};

test("a slash at the end of a path changes nothing, in any GET, in multi and with POST", async () => {
  for (const { at, fields } of reading()) {
    const [plain, slashed] = [await host.send("GET", at, fields), await host.send("GET", `${at}/`, fields)];
    expect([at, slashed.status]).toEqual([at, 200]);
    expect(Object.keys(slashed.body.response)).toEqual(Object.keys(plain.body.response));
  }
  for (const address of OTHERS()) {
    const [path = "", query] = address.split("?");
    const slashed = await host.send("GET", query ? `${path}/?${query}` : `${path}/`);
    expect([address, slashed.status]).toEqual([address, 200]);
  }
  const inside = await host.asUser("/v2/multi/", { requests: `/venues/${venueId}/,/users/self/` });
  const codes = (inside.body.response.responses as Answer["body"][]).map(({ meta }) => meta.code);
  expect(codes).toEqual([200, 200]);
  expect((await host.asUser("/v2/venues/lookup/", { venueId }, { method: "POST" })).status).toBe(200);
  expectError(await host.send("PUT", "/v2/venues/search/"), 405, "other");
  expectError(await host.send("GET", "/v2/venues/"), 404, "endpoint_error");
});

describe("HEAD", () => {
  test("C87: is answered where GET is, without a body, and counts nothing", async () => {
    const before = await used();
    for (const { at, fields } of reading()) {
      const head = await host.send("HEAD", at, fields);
      expect([at, head.status, head.text, head.headers["content-type"]]).toEqual([
        ...[at, 200, "", "application/json; charset=utf-8"],
      ]);
    }
    for (const address of OTHERS()) {
      const head = await host.send("HEAD", address);
      expect([address, head.status, head.text]).toEqual([address, 200, ""]);
    }
    expect(await used()).toBe(before);
  });

  test("C87: says what is wrong with credentials, version, parameters and the limit as GET does", async () => {
    const fields = { v: V, oauth_token: host.user.token, ll: "1,1" };
    const status = async (more: Record<string, string>) => {
      const given = Object.entries({ ...fields, ...more }).filter(([, value]) => value !== "");
      return (await host.send("HEAD", "/v2/venues/search", Object.fromEntries(given))).status;
    };
    const statuses = [{}, { oauth_token: "" }, { oauth_token: "wrong" }, { v: "" }, { ll: "x" }, { radius: "0" }];
    expect(await Promise.all(statuses.map(status))).toEqual([200, 400, 401, 410, 400, 400]);
    const user = await host.newUser();
    await host.deps.pool.query("INSERT INTO directory.rate_count VALUES ($1, now(), 400)", [
      `venues of ${user.userId} ${user.clientId}`,
    ]);
    expect(await status({ oauth_token: user.token })).toBe(403);
  });

  test("C87: looks nothing up, and has no effect", async () => {
    const statements: string[] = [];
    const { pool } = host.deps;
    const query = pool.query.bind(pool);
    pool.query = ((...args: Parameters<typeof query>) => {
      statements.push((args[0] as unknown as { text: string }).text);
      return query(...args);
    }) as typeof pool.query;
    for (const { at, fields } of reading()) await host.send("HEAD", at, fields);
    await host.send("HEAD", "/reconcile/0.2", { queries: '{"q0":{"query":"Spot"}}' });
    pool.query = query as typeof pool.query;
    const findsCallerOrCount = /^\s*SELECT (a\.user_id AS "userId"|count), /;
    expect(statements.filter((text) => !findsCallerOrCount.test(text))).toEqual([]);
    expect(new Set(statements).size).toBe(2);
    const venues = await host.deps.prisma.venue.count();
    for (const path of ["/v2/venues/add", "/v2/venues/annotate", `/v2/venues/${venueId}/annotate`, "/v2/venues/edit"]) {
      const head = await host.send("HEAD", path, { v: V, oauth_token: host.user.token, ...freshVenue() });
      expect([path, head.status]).toEqual([path, 405]);
    }
    expect(await host.deps.prisma.venue.count()).toBe(venues);
  });
});

describe("whole numbers", () => {
  const integers = () =>
    reading().flatMap(({ at, operation, fields }) =>
      (operation.parameters ?? []).flatMap((each) =>
        "$ref" in each || each.schema.type !== "integer" ? [] : [{ at, fields, name: each.name, schema: each.schema }],
      ),
    );

  test("may have a decimal point and zeros, in every parameter; nothing else is one", async () => {
    expect(integers().map(({ name }) => name)).toEqual(
      expect.arrayContaining(["limit", "radius", "offset", "afterTimestamp", "z", "x", "y"]),
    );
    for (const { at, fields, name, schema } of integers()) {
      const value = fields[name] ?? String(schema.minimum);
      for (const [given, status] of [
        ...([
          [`${value}.0`, 200],
          [`${value}.000`, 200],
        ] as const),
        ...([`${value}.5`, `${value}.`, "1e3", "0x10", "+1", "-1", " 1", "1 ", "١", "1,0"].map((each) => [
          each,
          400,
        ]) as [string, number][]),
      ])
        expect([at, name, given, (await host.send("GET", at, { ...fields, [name]: given })).status]).toEqual([
          ...[at, name, given, status],
        ]);
    }
  });
});

test("lists with commas may be given several times; other parameters may not", async () => {
  const [bar, cafe] = [categoryId("Bar"), categoryId("Coffee Shop")];
  const place = { ll: "41.8,-71.4" };
  const found = async (given: string | string[]) =>
    venuesOf(await host.asUser("/v2/venues/search", { ...place, categoryId: given })).map(({ id }) => id);
  expect(await found([bar, cafe])).toEqual([venueId]);
  expect(await found([bar, cafe])).toEqual(await found(`${bar},${cafe}`));
  expect(await found([bar, bar])).toEqual([]);
  const multi = await host.asUser("/v2/multi", { requests: ["/users/self", `/venues/${venueId},/venues/categories`] });
  expect((multi.body.response.responses as unknown[]).length).toBe(3);
  const seven = { requests: Array(7).fill("/users/self") };
  expectError(await host.asUser("/v2/multi", seven), 400, "param_error");
  const values = { venueId, phone: "+14015550100", url: "https://spot.example" };
  expect((await host.asUser("/v2/venues/edit", values, { method: "POST" })).status).toBe(200);
  const emptied = await host.asUser("/v2/venues/edit", { venueId, empty: ["phone", "url"] }, { method: "POST" });
  expect(venueOf(emptied)).not.toHaveProperty("url");
  expect(venueOf(emptied).contact).toEqual({});
  for (const name of ["ll", "query", "limit", "intent"])
    expectError(await host.asUser("/v2/venues/search", { ...place, [name]: ["1", "1"] }), 400, "param_error");
});

describe("venues/categories", () => {
  const PATH = "/v2/venues/categories";
  const get = (headers: Record<string, string>, more = {}) =>
    host.send("GET", PATH, { v: V, ...credentialsOf(host.application), ...more }, { headers });

  test("has an ETag that is the same for everybody, and is not sent again to who knows it", async () => {
    const etag = String((await get({})).headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect((await host.asUser(PATH)).headers.etag).toBe(etag);
    for (const known of [etag, `"other", ${etag}`, "*"]) {
      const again = await get({ "if-none-match": known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    }
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expectError(
      await host.send("GET", PATH, { v: V, oauth_token: "wrong" }, { headers: { "if-none-match": "*" } }),
      401,
      "invalid_auth",
    );
    const head = await host.send("HEAD", PATH, { v: V, oauth_token: host.user.token });
    expect([head.status, head.headers.etag]).toEqual([200, etag]);
  });

  test("is compressed as wanted, for scripts too", async () => {
    const plain = await get({});
    expect(plain.headers).not.toHaveProperty("content-encoding");
    for (const [name, more] of [
      ["br", {}],
      ["gzip", {}],
      ["gzip", { callback: "show" }],
    ] as const) {
      const port = await listening;
      const query = new URLSearchParams({ v: V, ...credentialsOf(host.application), ...more });
      const reply = await fetch(`http://127.0.0.1:${port}${PATH}?${query}`, { headers: { "accept-encoding": name } });
      expect([reply.headers.get("content-encoding"), reply.headers.get("vary")]).toEqual([name, "accept-encoding"]);
      const text = await reply.text(); // fetch decompresses
      expect(text.startsWith("callback" in more ? "show(" : '{"meta"')).toBe(true);
    }
  });

  test("C88: is the only answer to credentials that is compressed", async () => {
    for (const { at, fields } of reading()) {
      const address = `http://127.0.0.1:${await listening}${at}?${new URLSearchParams(fields)}`;
      const { headers } = await fetch(address, { headers: { "accept-encoding": "br, gzip" } });
      const isConstant = at === PATH;
      expect([at, headers.get("content-encoding"), headers.get("etag") !== null]).toEqual([
        ...[at, isConstant ? "br" : null, isConstant],
      ]);
    }
  });
});
const listening = host.listen();

describe("a search that finds nothing within 100 km", () => {
  test.each([
    ["plain", {}, 100_000],
    ["by category", { categoryId: categoryId("Coffee Shop") }, 100_000],
    ["by category and radius", { categoryId: categoryId("Coffee Shop"), radius: 50 }, 50],
    ["by words", { query: "coffee" }, 100_000],
    ["plain with a radius, which has no effect", { radius: 50 }, 100_000],
  ])("%s has no venues of another continent, and says so", async (_, more, metres) => {
    const { status, body } = await host.asUser("/v2/venues/search", { ll: "48.857,2.352", ...more });
    expect([status, body.response]).toEqual([200, { venues: [], confident: false, nothingWithin: metres }]);
  });

  test("does not say so where there are some, nor of other intents", async () => {
    const near = await host.asUser("/v2/venues/search", { ll: "42.69,-71.4" }); // 99 km
    expect(venuesOf(near).map(({ id }) => id)).toEqual([venueId]);
    expect(near.body.response).not.toHaveProperty("nothingWithin");
    expect(venuesOf(await host.asUser("/v2/venues/search", { ll: "42.71,-71.4" }))).toEqual([]); // 101 km
    for (const more of [
      { intent: "match", name: "Spot" },
      { intent: "browse", radius: 50 },
    ])
      expect((await host.asUser("/v2/venues/search", { ll: "48.857,2.352", ...more })).body.response).toEqual({
        ...{ venues: [], confident: false },
      });
  });
});

test("a body of another type is refused with the types that this endpoint takes", async () => {
  for (const { method, path, operation } of operationsOf(document)) {
    if (method !== "POST" || !path.startsWith("/v2/")) continue;
    const at = path.replace("{id}", venueId);
    const headers = { "content-type": "application/json" };
    const refused = await host.send("POST", at, { v: V, oauth_token: host.user.token }, { payload: "[{}]", headers });
    expectError(refused, 400, "param_error");
    const takesLines = path.endsWith("/lines") || document.paths[`${path}/lines`] !== undefined;
    expect([operation.operationId, refused.body.meta.errorDetail?.includes("x-ndjson")]).toEqual([
      ...[operation.operationId, takesLines],
    ]);
  }
});
