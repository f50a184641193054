import { describe, expect, test } from "vitest";
import type { Envelope } from "../../../src/contract/envelope.ts";
import { annotateResponse } from "../../../src/contract/resources.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { mergeVenues } from "../../../src/directory/import/release/edition.ts";
import { randomId, randomToken } from "../../../src/shared/crypto.ts";
import {
  type Answer,
  type ApiHost,
  apiHost,
  comparable,
  credentialsOf,
  expectError,
  freshVenue,
  V,
  venuesOf,
} from "./host.ts";
import { ANNOTATE, idsOf, linksHost, PROVIDER, RIVAL } from "./links-host.ts";

const host = await linksHost();
const { annotate, linksOf, newVenue } = host;

describe("links", () => {
  test("are empty for a venue without any, and an error for an unknown venue", async () => {
    const { id } = await newVenue();
    expect(await linksOf(id)).toEqual({ count: 0, items: [] });
    expectError(await host.userless(`/v2/venues/${randomId()}/links`), 400, "param_error");
  });
});

describe("venues/search by a link", () => {
  const search = (fields: Record<string, string>) => host.userless("/v2/venues/search", fields);

  test("finds the venue without ll for any intent, and returns its distance where ll is given", async () => {
    const { id, ll } = await newVenue();
    const linkedId = randomId();
    await annotate(id, linkedId);
    const link = { providerId: PROVIDER, linkedId };
    for (const intent of ["checkin", "browse", "global", "match", "specials"])
      expect(idsOf(await search({ ...link, intent }))).toEqual([id]);
    const [venue] = venuesOf(await search({ ...link, ll }));
    expect(venue?.location?.distance).toBe(0);
    expect(idsOf(await search({ ...link, linkedId: "unknown" }))).toEqual([]);
    expect(idsOf(await search({ ...link, providerId: "unknown", ll }))).toEqual([]);
  });

  test("requires both provider and id", async () => {
    for (const half of [{ providerId: PROVIDER }, { linkedId: "x" }]) {
      const answer = await search({ ...half, ll: "1,1" });
      expectError(answer, 400, "param_error");
      expect(answer.body.meta.errorDetail).toContain("Send providerId and linkedId together");
    }
  });

  test("finds a venue by url through its link or own website, with or without slash, over http or https", async () => {
    const { id } = await newVenue();
    await annotate(id, randomId(), { url: "https://maps.example/place/1/" });
    const own = await newVenue({ url: "http://Spot.example" });
    for (const [found, addresses] of [
      [id, ["https://maps.example/place/1/", "http://maps.example/place/1", "https://MAPS.example/place/1"]],
      [own.id, ["http://Spot.example", "https://Spot.example/"]],
    ] as const)
      for (const url of addresses) expect(idsOf(await search({ url }))).toEqual([found]);
    expect(idsOf(await search({ url: "https://maps.example/place/2" }))).toEqual([]);
    expect(idsOf(await search({ url: "https://maps.example/PLACE/1" }))).toEqual([]);
  });

  test("returns the nearest venue of a chain first for a url, and respects limit", async () => {
    const url = "https://chain.example/";
    const branches = [await newVenue({ url }), await newVenue({ url }), await newVenue({ url })];
    for (const { id, ll } of branches) expect(idsOf(await search({ url, ll, limit: "1" }))).toEqual([id]);
    expect(idsOf(await search({ url })).sort()).toEqual(branches.map(({ id }) => id).sort());
  });

  test.each(["nonsense", "javascript:alert(1)", "https://a@b.example/", "\u0000"])(
    "rejects the url %j",
    async (url) => {
      expectError(await search({ url }), 400, "param_error");
    },
  );

  test("ignores a listing's url in a match, which uses name and place", async () => {
    const { id, name, ll } = await newVenue();
    for (const url of ["https://elsewhere.example", "nonsense"])
      expect(idsOf(await search({ intent: "match", name, ll, url }))).toEqual([id]);
  });
});

describe("venues/annotate", () => {
  test.each(["GET", "POST"])("by %s returns venue and link, for an id in the path or as venueId", async (method) => {
    const { id, name } = await newVenue();
    const linkedId = randomId();
    const given = { providerId: PROVIDER, linkedId, url: `https://maps.example/${linkedId}` };
    const answers = [
      await host.asUser(`/v2/venues/${id}/annotate`, given, { method }),
      await host.asUser(ANNOTATE, { venueId: id, ...given }, { method }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      const { venue, link } = annotateResponse.parse(body.response);
      expect(venue).toMatchObject({ id, name, likes: { count: 0 }, beenHere: { count: 0 } });
      expect(link).toEqual({ provider: { id: PROVIDER }, linkedId, url: given.url });
    }
    expect(await linksOf(id)).toEqual({ count: 1, items: [{ provider: { id: PROVIDER }, linkedId, url: given.url }] });
  });

  test("keeps the page's URL, or stores a new one", async () => {
    const { id } = await newVenue();
    const linkedId = randomId();
    await annotate(id, linkedId);
    expect((await linksOf(id)).items[0]).not.toHaveProperty("url");
    await annotate(id, linkedId, { url: "https://maps.example/a" });
    await annotate(id, linkedId);
    expect((await linksOf(id)).items[0]?.url).toBe("https://maps.example/a");
    await annotate(id, linkedId, { url: "https://maps.example/b" });
    expect((await linksOf(id)).items[0]?.url).toBe("https://maps.example/b");
  });

  test("accepts several listings for one venue, and the same id of two providers for two venues", async () => {
    const [first, second] = [await newVenue(), await newVenue()];
    const linkedId = randomId();
    await annotate(first.id, linkedId);
    await annotate(first.id, `${linkedId}b`);
    expect(await linksOf(first.id)).toMatchObject({ count: 2 });
    await reserveProvider(host.deps, "maps.second", host.application.clientId);
    expect((await annotate(second.id, linkedId, { providerId: "maps.second" })).status).toBe(200);
  });

  test.each(["a b", " 7 ", "00420", "ID-é-星", "'; DROP TABLE directory.link; --", "%_\\$1", "x".repeat(200)])(
    "C06: stores the id %j unchanged",
    async (linkedId) => {
      const { id } = await newVenue();
      expect((await annotate(id, linkedId)).status).toBe(200);
      expect((await linksOf(id)).items.map((link) => link.linkedId)).toEqual([linkedId]);
      expect(idsOf(await host.userless("/v2/venues/search", { providerId: PROVIDER, linkedId }))).toEqual([id]);
    },
  );

  test.each(["", " ", "x".repeat(201), "a\u0000", "a\nb", "a\tb", "\ufffd"])("rejects the id %j", async (linkedId) => {
    const { id } = await newVenue();
    expectError(await annotate(id, linkedId), 400, "param_error");
  });

  test("rejects missing, invalid and repeated parameters", async () => {
    const { id } = await newVenue();
    const good = { venueId: id, providerId: PROVIDER, linkedId: randomId() };
    for (const name of Object.keys(good)) {
      const answer = await host.asUser(ANNOTATE, { ...good, [name]: "" });
      expectError(answer, 400, "param_error");
      expect(answer.body.meta.errorDetail).toContain(`${name} is required`);
    }
    const wrong = [{ url: "javascript:alert(1)" }, { url: "ftp://x" }, { providerId: "a\u0000" }];
    for (const more of [...wrong, { venueId: randomId() }, { venueId: "\u0000" }, { linkedId: ["1", "1"] }])
      expectError(await host.asUser(ANNOTATE, { ...good, ...more }), 400, "param_error");
    expectError(await host.asUser(`/v2/venues/${randomId()}/annotate`, good), 400, "param_error");
    expect(await linksOf(id)).toMatchObject({ count: 0 });
  });
});

describe("Idempotency-Key of venues/annotate", () => {
  test("returns the first answer to later calls with the same parameters", async () => {
    const { id } = await newVenue();
    const [linkedId, key] = [randomId(), randomToken()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => annotate(id, linkedId, {}, { key })));
    const inPath = { providerId: PROVIDER, linkedId };
    answers.push(await host.asUser(`/v2/venues/${id}/annotate`, inPath, { key, method: "POST" }));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.response).toEqual(answers[0]?.body.response);
    }
  });

  test("returns 409 with other parameters or for another call", async () => {
    const { id } = await newVenue();
    const key = randomToken();
    await annotate(id, randomId(), {}, { key });
    const others = [
      await annotate(id, randomId(), {}, { key }),
      await host.asUser("/v2/venues/add", freshVenue(), { key }),
    ];
    for (const { body } of others)
      expect(body.meta).toMatchObject({ code: 409, errorDetail: expect.stringContaining("Idempotency-Key") });
  });

  test("is not consumed by a failed call", async () => {
    const { id } = await newVenue();
    const [linkedId, key] = [randomId(), randomToken()];
    expect((await annotate(id, linkedId, { providerId: RIVAL }, { key })).status).toBe(403);
    expect((await annotate(id, linkedId, {}, { key })).status).toBe(200);
  });
});
const limited = await apiHost({ rateLimit: 20 });
const LOOKUP = "/v2/venues/lookup";

const ndjson = (lines: string[]) => ({
  payload: lines.join("\n"),
  headers: { "content-type": "application/x-ndjson" },
});
const lookUp = (lines: string[], to: ApiHost = host, fields: Record<string, string> = credentialsOf(to.application)) =>
  to.send("POST", LOOKUP, { v: V, ...fields }, ndjson(lines));
const ofId = (venueId: string) => JSON.stringify({ venueId });
const envelopesOf = ({ text }: Answer): Envelope[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
async function venuesOfAllKinds(): Promise<string[]> {
  const venues = [];
  for (let at = 0; at < 5; at += 1) venues.push((await host.newVenue()).id);
  const [open = "", closed = "", merged = "", into = "", deleted = ""] = venues;
  await host.deps.pool.query("UPDATE directory.venue SET closed_at = now() WHERE id = $1", [closed]);
  const client = await host.deps.pool.connect();
  await mergeVenues(client, [{ id: merged, into }]).finally(() => client.release());
  await host.asUser("/v2/venues/delete", { venueId: deleted }, { method: "POST" });
  return [open, closed, merged, into, deleted, "0123456789abcdef01234567", "no id at all"];
}

describe("venues/lookup", () => {
  test("returns for each line, and for a single id, what GET venues/ID returns", async () => {
    const ids = await venuesOfAllKinds();
    const asked = [...ids, ids[0] ?? ""];
    const { token } = host.user;
    const answer = await lookUp(asked.map(ofId), host, { oauth_token: token });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    const single = await Promise.all(asked.map((id) => host.asUser(`/v2/venues/${encodeURIComponent(id)}`)));
    expect(envelopesOf(answer).map(comparable)).toEqual(single.map(({ body }) => comparable(body)));
    expect(single.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400, 400, 200]);
    for (const [at, venueId] of ids.entries()) {
      const form = await host.asUser(LOOKUP, { venueId }, { method: "POST" });
      expect(comparable(form.body)).toEqual(comparable(single[at]?.body as Envelope));
    }
  });

  test("answers a line that names no id with an error in its place", async () => {
    const { id } = await host.newVenue();
    const codes = envelopesOf(await lookUp(["{", ofId(id), "[]", "{}", '{"venueId":["a"]}', ""]));
    expect(codes.map(({ meta }) => meta.code)).toEqual([400, 200, 400, 400, 400]);
  });

  test("answers 5,000 lines in order, and refuses one more", async () => {
    const ids = [(await host.newVenue()).id, "unknown", (await host.newVenue()).id];
    const asked = Array.from({ length: 5000 }, (_, at) => ids[at % 3] ?? "");
    const found = envelopesOf(await lookUp(asked.map(ofId)));
    const shown = found.map(({ response }) => (response as { venue?: { id: string } }).venue?.id ?? "unknown");
    expect(shown).toEqual(asked);
    expectError(await lookUp([...asked, "unknown"].map(ofId)), 400, "param_error");
  });

  test("counts each line as a call", async () => {
    const left = (answer: Answer) => Number(answer.headers["x-ratelimit-remaining"]);
    expect(left(await lookUp(Array(15).fill(ofId("unknown")), limited))).toBe(5);
    expectError(await lookUp(Array(6).fill(ofId("unknown")), limited), 403, "rate_limit_exceeded");
  });

  test("needs credentials", async () => {
    expectError(await lookUp([ofId("unknown")], host, {}), 400, "invalid_auth");
  });
});
