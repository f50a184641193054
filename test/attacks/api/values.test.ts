import { describe, expect, it } from "vitest";
import { BOUNDARY, TYPE } from "../../directory/endpoint/multipart-body.ts";
import { roundsOf } from "../../support/rounds.ts";
import { rawExchange, runningDirectory } from "../running-directory.ts";
import { expectError, type Fields, forEach, query, statusOf, venueApi, written } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
const search = (fields: Fields) => directory.call("/v2/venues/search", { ...api.client, ...fields });
const add = (fields: Fields, method = "POST") =>
  directory.call("/v2/venues/add", { ...api.user, ...api.newVenue(), ...fields }, { method });

describe("the version parameter", () => {
  it("C04: is required by every endpoint for GET and POST, and returns 410 when missing", async () => {
    await forEach(api.endpoints, async ({ method, path }) => {
      const [address, fields] = api.goodCall({ path });
      const sent = { method, ...(method === "POST" && { body: new URLSearchParams(fields) }) };
      const at = method === "GET" ? `${address}?${new URLSearchParams(fields)}` : address;
      const reply = await fetch(directory.api + at, sent);
      const { meta, response } = (await reply.json()) as { meta: object; response: object };
      const error = { code: 410, errorType: "param_error", errorDetail: expect.stringMatching(/^v is required/) };
      expect([path, reply.status, meta, response]).toEqual([
        path,
        410,
        { ...error, requestId: expect.any(String) },
        {},
      ]);
      expectError(path, await directory.call(address, { ...fields, v: "" }, { method }), 410, "param_error");
    });
  });

  const BAD = [
    ...["2024", "20241301", "20240001", "20240100", "20240132", "20230229", "20240431", "00000000", "19000229"],
    ...["٢٠٢٤٠١٠١", "２０２４０１０１", "-20240101", "-2024010", "+20240101", "202401011", "2024010", "2024-01-01"],
    ...["20240101 ", " 20240101", "20240101\n", "v20240101", "2024010a", "0x134d5f5", "2.0240101e7", "NaN", "latest"],
    ...["9".repeat(10_000), "20240101,20240101", "20240101;x", "20240101\0", "[object Object]"],
  ];

  it("C04: is rejected with the reason unless it is a date as YYYYMMDD, without any effect", async () => {
    const before = await api.rows();
    await forEach(BAD, async (v) => {
      expectError(v, await search({ ll: "0,0", v }), 400, "param_error");
      const answer = await add({ v });
      expectError(v, answer, 400, "param_error");
      expect(answer.body.meta.errorDetail).toBe("v must be a date in the format YYYYMMDD.");
    });
    expect(await api.rows()).toEqual(before);
  });

  it("C04: is accepted for any real date, and rejected when given twice", async () => {
    const good: [string, string][] = [...Object.entries({ ...api.client, ll: "0,0" }), ["v", "20240101"]];
    for (const v of ["20240101", "20240102", ""])
      expectError(v, await directory.call("/v2/venues/search", [...good, ["v", v]]), 400, "param_error");
    for (const v of ["20110101", "20120928", "20240229", "20991231"])
      expect([v, (await search({ ll: "0,0", v })).status]).toEqual([v, 200]);
  });
});

describe("a position", () => {
  const BAD = [
    ...["1", "1,2,3", ",", "1,", ",1", "1,2,", "1,,2", "a,b", "null,null", "true,1", "[1,2]", "(1,2)", "undefined"],
    ...["91,0", "-91,0", "90.000001,0", "0,181", "0,-181", "0,180.000001", "999999999999,1", "0,360"],
    ...["NaN,0", "0,NaN", "Infinity,0", "-Infinity,0", "0,Infinity", "1e400,0", "1e1,2", "0x1,1", "0b1,1", "1_0,2"],
    ...[" 1,2", "1,2 ", "1;2", "1 2", "1,\t2", "1,2\n", "1\0,2", "1,2\0", "1 ,2", "1,  2"],
    ...["١,٢", "１,２", "१,२", "1٫5,2", "−1,2", "1,2", "1'0,2", "1°,2°", "1N,2E"],
    ...["--1,2", "+-1,2", "1.,2", ".5,2", "1,.5", "1..5,2", "1.5.5,2", "1,2;3", `1.${"1".repeat(30)},2`],
    ...["9".repeat(400), `${"1".repeat(10_000)},2`, `0,${"0".repeat(10_000)}`],
  ].filter((text) => text !== "1,2");

  it("C05: is rejected everywhere unless it is two plain decimals in range", async () => {
    const before = await api.rows();
    await forEach(BAD, async (text) => {
      const answers = await Promise.all([
        search({ ll: text }),
        search({ intent: "browse", sw: text, ne: "1,1" }),
        search({ intent: "browse", sw: "1,1", ne: text }),
        add({ ll: text }),
      ]);
      for (const answer of answers) {
        expectError(text, answer, 400, "param_error");
        expect(answer.body.meta.errorDetail).toMatch(/^(ll|sw|ne) (must be|is out of range)/);
      }
    });
    expectError("none", await search({}), 400, "param_error");
    expect(BAD.length).toBeGreaterThanOrEqual(40);
    expect(await api.rows()).toEqual(before);
  });

  it("C05: is accepted at the poles and at the 180th meridian", async () => {
    for (const ll of ["90,180", "-90,-180", "-0,0", "0,-180", "89.99,-0", "+1,+2", "41.824, -71.413"]) {
      const added = await add({ ll });
      const { id } = added.body.response.venue ?? expect.fail(added.text);
      const found = await search({ ll, limit: "50" });
      const there = found.body.response.venues.find((venue: { id: string }) => venue.id === id);
      const [lat = 0, lng = 0] = ll.split(",").map((number) => Number(number) + 0);
      expect([ll, there?.location]).toEqual([ll, expect.objectContaining({ lat, lng, distance: 0 })]);
    }
  });
});

describe("a description", () => {
  const kept = async (description: string, method = "POST") => {
    const { status, body } = await add({ description }, method);
    return [status, body.response.venue?.description];
  };
  const refused = async (description: string) => {
    const answer = await add({ description });
    expectError(description.slice(0, 4), answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toBe("description may have at most 300 characters.");
  };

  it("C08: is limited to 300 characters, however many bytes or UTF-16 units they take", async () => {
    for (const character of ["x", "é", "星", "🍕", "𝒳"]) {
      const longest = character.repeat(300);
      expect(await kept(longest)).toEqual([200, longest]);
      await refused(`${longest}${character}`);
    }
    expect(await kept("🍕".repeat(300), "GET")).toEqual([200, "🍕".repeat(300)]);
    await refused("x".repeat(50_000));
  });

  it("C08: is counted in code points as stored: composed, trimmed, and with CR LF as one line break", async () => {
    expect(await kept("e\u0301".repeat(300))).toEqual([200, "é".repeat(300)]);
    expect(await kept(`${"x\r\n".repeat(149)}xx`)).toEqual([200, `${"x\n".repeat(149)}xx`]);
    expect(await kept(` ${"x".repeat(300)}\r\n `)).toEqual([200, "x".repeat(300)]);
    await refused("👩‍🍳".repeat(101)); // one picture on the screen, three code points
    expect(await kept("👩‍🍳".repeat(100))).toEqual([200, "👩‍🍳".repeat(100)]);
  });

  it("C08: has the same limit in the API documentation", async () => {
    const document = (await (await fetch(`${directory.api}/docs/openapi.json`)).json()) as Documented;
    const parameter = document.paths["/v2/venues/add"]?.get.parameters.find(({ name }) => name === "description");
    expect(parameter?.schema?.maxLength).toBe(300);
  });
});

interface Documented {
  paths: Record<string, { get: { parameters: { name?: string; schema?: { maxLength?: number } }[] } }>;
}
const FORM = "application/x-www-form-urlencoded";

/** Bytes that are no storable text, percent-encoded. */
const UNTEXT: Fields = {
  NUL: "%00",
  "the bell": "%07",
  "an escape sequence": "%1b%5b31m",
  "a C1 control": "%c2%85",
  "a byte that is no UTF-8": "%ff",
  "half a character": "%e2%82",
  "an overlong slash": "%c0%af",
  "an overlong NUL": "%c0%80",
  "a lone surrogate": "%ed%a0%80",
  "beyond Unicode": "%f5%80%80%80",
  "right to left": "%e2%80%ae",
  "an isolate": "%e2%81%a6",
  "the replacement character": "%ef%bf%bd",
};

/** Text parameters by endpoint, without those of intent=match, which drops unusable ones. */
const TEXTS = {
  "/v2/venues/add": [
    "name",
    "address",
    "crossStreet",
    "city",
    "state",
    "zip",
    "phone",
    "twitter",
    "description",
    "url",
  ],
  "/v2/venues/annotate": ["providerId", "linkedId", "url"],
  "/v2/checkins/add": ["shout"],
  "/v2/checkins/edit": ["shout"],
  "/v2/venues/search": ["name", "query", "near", "url"],
};

/** Every other one, from the first or the second: no parameter has a check of its own. All of them with whole rounds. */
const byTurns = <T>(all: readonly T[], turn: number): T[] => all.filter((_, at) => (at + turn) % roundsOf(1, 2) === 0);

/** Whether it is looked for with unknown characters in it. */
const isSought = (path: string, name: string, encoded: string): boolean =>
  path === "/v2/venues/search" &&
  ["name", "query"].includes(name) &&
  (new URLSearchParams(`x=${encoded}`).get("x") ?? "").includes("\ufffd");

/** Sends one raw parameter, in the query of a GET or the form of a POST. */
async function send(method: string, path: string, name: string, encoded: string) {
  const [address, { [name]: _, ...others }] = api.goodCall({ path });
  const all = `${query(others)}&${name}=${encoded}`;
  if (method === "GET") return fetch(`${directory.api}${address}?${all}`);
  return fetch(directory.api + address, { method, headers: { "content-type": FORM }, body: all });
}

/** Counts rows with a control character or U+FFFD, by table. */
async function untextKept(): Promise<string[]> {
  const { pool } = directory.database;
  const counts = Object.keys(await api.rows()).map(async (table) => {
    const text = `SELECT count(*)::int AS n FROM directory."${table}" t WHERE to_jsonb(t)::text ~ '\\uFFFD|\\\\u00[01]'`;
    const { rows } = await pool.query<{ n: number }>(text);
    return rows[0]?.n ? [table] : [];
  });
  return (await Promise.all(counts)).flat();
}

describe("bytes and characters that are not text", () => {
  it("C09: are rejected in every text parameter, but that lost characters are looked for, without any effect", async () => {
    const before = await api.rows();
    const tries = Object.entries(TEXTS).flatMap(([path, names]) =>
      names.flatMap((name, turn) =>
        byTurns(Object.entries(UNTEXT), turn).map(([what, encoded]) => ({ path, name, what, encoded })),
      ),
    );
    await forEach(tries, async ({ path, name, what, encoded }) => {
      const value = name === "url" ? `https://spot.example/${encoded}` : `Cafe${encoded}1`;
      const reply = await send(path === "/v2/venues/search" ? "GET" : "POST", path, name, value);
      const { meta } = (await reply.json()) as { meta: object };
      if (isSought(path, name, encoded))
        return expect([name, what, meta]).toEqual([name, what, expect.objectContaining({ code: 200 })]);
      expect([path, name, what, meta]).toEqual([
        path,
        name,
        what,
        expect.objectContaining({ code: 400, errorType: "param_error" }),
      ]);
    });
    expect(await api.rows()).toEqual(before);
  });

  it("C09: never cause a 5xx in any parameter, and are never stored", async () => {
    const tries = api.endpoints.flatMap(({ method, path, known }) =>
      [...known, "v", "oauth_token", "client_id", "client_secret", "callback"].map((name) => ({ method, path, name })),
    );
    await forEach([...tries.entries()], async ([turn, { method, path, name }]) => {
      for (const encoded of byTurns(["%00", "%ff"], turn)) {
        const reply = await send(method, path, name, `x${encoded}`);
        expect([path, name, encoded, reply.status]).toEqual([
          path,
          name,
          encoded,
          expect.toSatisfy((n: number) => n < 500),
        ]);
      }
    });
    expect(await untextKept()).toEqual([]);
  });

  it("C09: never cause a 5xx in paths, headers, raw bodies or multipart parts", async () => {
    const before = await api.rows();
    const { host } = new URL(directory.api);
    const good = query({ ...api.user, ...api.newVenue() });
    const bytes = { name: Buffer.from([0x43, 0xff, 0x00, 0xed, 0xa0, 0x80]).toString("latin1") };
    const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="name"\r\n\r\n${bytes.name}\r\n--${BOUNDARY}--\r\n`;
    const unnamed = query({ ...api.user, ...api.newVenue({ name: "" }) });
    const requests = [
      ...Object.values(UNTEXT).map((encoded) =>
        written("GET", `/v2/venues/x${encoded}?${query(api.client)}`, { host }),
      ),
      ...Object.values(UNTEXT).map((encoded) => written("GET", `/v2/x${encoded}?${query(api.client)}`, { host })),
      ...Object.values(UNTEXT).map((encoded) => written("GET", `/venues/x${encoded}`, { host })),
      written("GET", `/v2/venues/search?${query(api.client)}&ll=0,0&query=${bytes.name}`, { host }),
      written("POST", `/v2/venues/add?${good}`, { host, headers: { "Idempotency-Key": "k\xff" } }),
      written("POST", "/v2/venues/add", {
        host,
        headers: { "Content-Type": FORM },
        body: `${unnamed}&name=${bytes.name}`,
      }),
      written("POST", `/v2/venues/add?${unnamed.replace("&name=", "")}`, {
        host,
        headers: { "Content-Type": TYPE },
        body: part,
      }),
    ];
    await forEach(requests, async (request) => {
      const answer = await rawExchange(directory.api, Buffer.from(request, "latin1"), 5000);
      expect([request.slice(0, 60), statusOf(answer)]).toEqual([request.slice(0, 60), expect.toBeOneOf([400, 404])]);
      expect(answer).not.toContain("\u00ef\u00bf\u00bd"); // U+FFFD, read as latin1
    });
    expect(await api.rows()).toEqual(before);
  });
});

describe("text in any language", () => {
  it("C09: is stored composed, with white space and byte order marks reduced to one space or none, in any direction", async () => {
    const kept: Fields = {
      "\ufeffCafe\u0301": "Café",
      " Bar\u00a0\t 1\r\n": "Bar 1",
      "Bar\ufeff1": "Bar 1",
      "قهوة ١": "قهوة ١",
      "\u200fבית קפה\u200e 7": "\u200fבית קפה\u200e 7",
      "星巴克 🍕 𝒳": "星巴克 🍕 𝒳",
    };
    await forEach(Object.entries(kept), async ([sent, expected]) => {
      const { body } = await directory.call("/v2/venues/add", {
        ...api.user,
        ...api.newVenue({ name: sent, address: sent }),
      });
      expect(body.response.venue).toMatchObject({ name: expected, location: { address: expected } });
    });
    expectError(
      "none",
      await directory.call("/v2/venues/add", { ...api.user, ...api.newVenue({ name: "\ufeff" }) }),
      400,
      "param_error",
    );
    expect(await untextKept()).toEqual([]);
  });
});
