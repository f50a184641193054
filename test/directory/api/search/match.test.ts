import { beforeAll, describe, expect, test } from "vitest";
import type { Envelope } from "../../../../src/contract/envelope.ts";
import { venueSearchResponse } from "../../../../src/contract/resources.ts";
import { BRIEF } from "../../../../src/contract/search-parameters.ts";
import { foundVenues } from "../../../../src/directory-client/match-listings.ts";
import { assess } from "../../../../src/harmonize/run/candidates.ts";
import { roundsOf } from "../../../support/rounds.ts";
import { type Answer, apiHost, comparable, credentialsOf, DOWNTOWN, expectError, V } from "../host.ts";

const host = await apiHost({ sample: true });
const [limited, limitedLines] = [await apiHost({ rateLimit: 7 }), await apiHost({ rateLimit: 7 })];
const PATH = "/v2/venues/match";

type Listing = Record<string, unknown>;
let listings: Listing[] = [];
beforeAll(async () => {
  listings = [...(await variedListings()), ...ODD];
});

const match = (listings: unknown, more: Record<string, string | number> = {}) =>
  host.send("POST", PATH, {}, { body: asked(listings, more) });
const asked = (listings: unknown, more: object = {}) => ({
  ...{ v: V, ...credentialsOf(host.application) },
  ...{ listings: typeof listings === "string" ? listings : JSON.stringify(listings), ...more },
});
const responsesOf = ({ body }: Answer) => body.response.responses as Envelope[];

describe("venues/match", () => {
  const expectEqual = async (asked: Listing[], more: Record<string, number>) => {
    const answer = await match(asked, more);
    expect(answer.status).toBe(200);
    const responses = responsesOf(answer);
    expect(responses.length).toBe(asked.length);
    for (const [at, listing] of asked.entries()) {
      const given = Object.entries(listing).map(([name, value]): [string, string] => [name, String(value)]);
      const fields = { intent: "match", ...Object.fromEntries(given), ...more };
      const single = await host.userless("/v2/venues/search", fields);
      expect([listing, comparable(responses[at] as Envelope)]).toEqual([listing, comparable(single.body)]);
    }
    return responses.filter(({ response }) => (response.venues as unknown[] | undefined)?.length).length;
  };

  test("returns for many listings what each one's own search returns", async () => {
    const some = listings.filter((_, at) => at % roundsOf(1, 3) === 0);
    expect(some.length).toBeGreaterThan(110);
    expect(await expectEqual(some, {})).toBeGreaterThan(60);
  });

  test("applies minScore and limit to all listings", async () => {
    const some = listings.filter((_, at) => at % 5 === 0);
    expect(await expectEqual(some, { minScore: 0, limit: 3 })).toBeGreaterThan(50);
  });

  test("returns the user's visits, and a request id for each answer", async () => {
    const [{ name = "", ll = "" } = {}] = listings as { name: string; ll: string }[];
    const fields = { listings: JSON.stringify([{ name, ll }, { name }]) };
    const answer = await host.asUser(PATH, fields, { method: "POST" });
    const single = await host.asUser("/v2/venues/search", { intent: "match", name, ll });
    const [found, bad] = responsesOf(answer);
    expect(comparable(found as Envelope)).toEqual(comparable(single.body));
    expect(JSON.stringify(found)).toContain("beenHere");
    expect([found?.notifications, bad?.notifications]).toEqual([answer.body.notifications, answer.body.notifications]);
    expect(new Set([answer.body, found, bad].map((each) => each?.meta.requestId)).size).toBe(3);
  });

  test("accepts a form of either type, up to a megabyte", async () => {
    const one = JSON.stringify([{ name: "Starbucks", ll: DOWNTOWN }]);
    const boundary = "----x";
    const parts = Object.entries(asked(one.padStart(900_000))).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    const multipart = await host.send("POST", PATH, {}, { payload: `${parts.join("")}--${boundary}--\r\n`, headers });
    const urlencoded = await match(one.padStart(900_000));
    expect([multipart.status, urlencoded.status]).toEqual([200, 200]);
    expect(responsesOf(multipart).map(comparable)).toEqual(responsesOf(urlencoded).map(comparable));
  });

  test.each([
    ["no JSON", "[{", 400],
    ["no list", '{"name":"x"}', 400],
    ["null", "null", 400],
    ["nothing", "", 400],
    ["501 listings", JSON.stringify(Array(501).fill({})), 400],
    ["two megabytes", "[]".padEnd(2 ** 21), 413],
  ])("rejects %s with an explanation", async (_what, listings, status) => {
    const answer = await match(listings);
    expectError(answer, status, status === 413 ? "other" : "param_error");
    expect(answer.body.meta.errorDetail).toMatch(/listings|1024 KB/);
  });

  test.each([
    ["an empty list", "[]"],
    ["a deep list", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["a deep name", `[${'{"name":'.repeat(20_000)}1${"}".repeat(20_000)}]`],
    ["keys of Object.prototype", '[{"__proto__":{"name":"x","ll":"1,1"},"constructor":1,"toString":"x"}]'],
    [
      "wrong types",
      '[{"name":["a","b"],"ll":"1,1"},{"name":{},"ll":"1,1"},{"name":true,"ll":"1,1"},{"name":"x","ll":41}]',
    ],
    ["listings that are not objects", '[1,"x",null,[],[[]],{}]'],
    ["texts that cannot be stored", '[{"name":"\\u0000","ll":"1,1"},{"name":"\\ud800","ll":"1,1"}]'],
  ])("returns an inner 400 for %s", async (_what, text) => {
    const answer = await match(text);
    expect(answer.status).toBe(200);
    for (const { meta, response } of responsesOf(answer))
      expect([meta.code, meta.errorType, response]).toEqual([400, "param_error", {}]);
  });

  test("accepts numbers as texts, and null as missing", async () => {
    const [one, other] = responsesOf(
      await match([
        { name: 7, zip: 2903, ll: DOWNTOWN, near: null },
        { name: "7", zip: "2903", ll: DOWNTOWN },
      ]),
    );
    expect(comparable(one as Envelope)).toEqual(comparable(other as Envelope));
  });

  test("cannot be called through multi", async () => {
    const requests = `${PATH}?listings=[]`;
    const [inside] = responsesOf(await host.userless("/v2/multi", { requests }));
    expect(inside?.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });

  test("counts as one call for each listing", async () => {
    const send = (count: number) => {
      const credentials = credentialsOf(limited.application);
      return limited.send("POST", PATH, {}, { body: { ...asked(Array(count).fill({})), ...credentials } });
    };
    const first = await send(5);
    expect([first.status, Number(first.headers["x-ratelimit-remaining"])]).toEqual([200, 2]);
    expectError(await send(3), 403, "rate_limit_exceeded");
  });
});

describe("venues/match by lines", () => {
  const sendLines = (lines: string[], more: Record<string, string | number> = {}, to = host) =>
    to.send("POST", PATH, { v: V, ...credentialsOf(to.application), ...more }, ndjson(lines.join("\n")));
  const ndjson = (payload: string) => ({ payload, headers: { "content-type": "application/x-ndjson" } });
  const envelopesOf = ({ text }: Answer): Envelope[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  test("returns for each line what a form returns for its listing", async () => {
    const lines = await sendLines(
      listings.map((each) => JSON.stringify(each)),
      { minScore: 0.05, limit: 5 },
    );
    expect([lines.status, lines.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    const form = await match(listings, { minScore: 0.05, limit: 5 });
    expect(envelopesOf(lines).map(comparable)).toEqual(responsesOf(form).map(comparable));
  });

  test("tells briefly what full answers tell of a match, and answers in full in a form that it does not have", async () => {
    const lines = listings.filter((_, at) => at % 4 === 0).map((each) => JSON.stringify(each));
    const ask = (brief: string) => sendLines(lines, { minScore: 0.05, limit: 5, brief });
    const told = (answer: Answer) =>
      envelopesOf(answer).map(({ meta, response }) =>
        meta.code === 200 ? assess(foundVenues(venueSearchResponse.parse(response))) : meta.errorType,
      );
    const [full, brief, other] = [await ask(""), await ask(BRIEF), await ask("0")];
    expect(told(brief)).toEqual(told(full));
    expect(brief.text.length).toBeLessThan(0.7 * full.text.length);
    expect(envelopesOf(other).map(comparable)).toEqual(envelopesOf(full).map(comparable));
  });

  test("matches thousands of listings in one call", async () => {
    const many = Array.from({ length: 2500 }, (_, at) => JSON.stringify(listings[at % 100]));
    const found = envelopesOf(await sendLines(many));
    expect(found).toHaveLength(2500);
    for (const at of [0, 99, 1042, 2499])
      expect(comparable(found[at] as Envelope)).toEqual(comparable(found[at % 100] as Envelope));
  });

  test("answers a line that is no listing with an error in its place", async () => {
    const found = envelopesOf(await sendLines(["{", "", `{"name":"Starbucks","ll":"${DOWNTOWN}"}`, "[]", "\r"]));
    expect(found.map(({ meta }) => meta.code)).toEqual([400, 200, 400]);
  });

  test("rejects more than 5,000 lines and more than a megabyte", async () => {
    expectError(await sendLines(Array(5001).fill("{}")), 400, "param_error");
    expectError(await sendLines(["x".repeat(2 ** 20 + 1)]), 413, "other");
  });

  test("needs credentials and v in the query, as every call", async () => {
    const { v: _, ...rest } = { v: V, ...credentialsOf(host.application) };
    expectError(await host.send("POST", PATH, rest, ndjson("{}")), 410, "param_error");
    expectError(await host.send("POST", PATH, { v: V }, ndjson("{}")), 400, "invalid_auth");
  });

  test("counts as one call for each line", async () => {
    const first = await sendLines(Array(5).fill("{}"), {}, limitedLines);
    expect([first.status, Number(first.headers["x-ratelimit-remaining"])]).toEqual([200, 2]);
    expectError(await sendLines(Array(3).fill("{}"), {}, limitedLines), 403, "rate_limit_exceeded");
  });

  test("is offered by no other endpoint", async () => {
    const call = { v: V, ...credentialsOf(host.application) };
    expectError(await host.send("POST", "/v2/multi", call, ndjson("{}")), 400, "param_error");
  });
});

/** Listings of sample venues as other lists have them: moved, misspelt or incomplete. */
async function variedListings(): Promise<Listing[]> {
  const { rows } = await host.deps.pool.query<
    Record<"name" | "address" | "city" | "zip" | "phone", string | null> & { lat: number; lng: number }
  >("SELECT name, address, city, zip, phone, lat, lng FROM directory.venue ORDER BY md5(id) LIMIT 330");
  return rows.map(({ name = "", lat, lng, ...rest }, at) => {
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
    const text = String(name);
    const ll = `${(lat + (at % 7) * 0.0001).toFixed(6)},${(lng - (at % 5) * 0.0001).toFixed(6)}`;
    const near = `${rest.city ?? "Providence"}, RI`;
    switch (at % 8) {
      case 0:
        return { name: text, ll };
      case 1:
        return { name: text.slice(0, -1), ll, ...known };
      case 2:
        return { name: text.toUpperCase(), ll, near, phone: "401 555 0100" };
      case 3:
        return { query: text.split(" ").slice(0, 2).join(" "), ll, zip: rest.zip ?? "" };
      case 4:
        return { name: "Nothing like it", ll, ...(rest.phone && { phone: rest.phone }) };
      case 5:
        return at % 3 ? { name: `${text} #12`, ll } : { name: text, near, ...(at % 2 && known) };
      case 6:
        return at % 3
          ? { name: text, near, address: rest.address ?? "1 Main St" }
          : { name: `The ${text}`, ll: DOWNTOWN, ...known };
      default:
        return { name: text.replace(/[aeiou]/, "e"), ll };
    }
  });
}

/** Invalid listings, and listings at the edges of the map. */
const ODD: Listing[] = [
  ...[{}, { name: "No position" }, { ll: DOWNTOWN }, { name: "", ll: DOWNTOWN }, { phone: "401-555-0100" }],
  ...[
    { name: "x", ll: "nowhere" },
    { name: "x", ll: "91,0" },
    { name: "x", near: "Nowhere at all" },
    { name: "x", near: "" },
  ],
  ...[
    { name: "Light", ll: "10,180" },
    { name: "Light", ll: "10,-179.9999" },
    { name: "Pole", ll: "90,0" },
  ],
  ...[
    { name: "x".repeat(201), ll: DOWNTOWN },
    { name: "Café", ll: DOWNTOWN, zip: "!", phone: "no phone" },
  ],
  ...[
    { name: "\u202eevil", ll: DOWNTOWN },
    { name: "星巴克", ll: DOWNTOWN },
  ],
];
