import { describe, expect, it } from "vitest";
import { BOUNDARY, TYPE } from "../../directory/endpoint/multipart-body.ts";
import { rawExchange, runningDirectory } from "../running-directory.ts";
import { expectError, type Fields, forEach, query, statusOf, venueApi, written } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
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
      names.flatMap((name) => Object.entries(UNTEXT).map(([what, encoded]) => ({ path, name, what, encoded }))),
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
    await forEach(tries, async ({ method, path, name }) => {
      for (const encoded of ["%00", "%ff"]) {
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
