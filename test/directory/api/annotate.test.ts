import { describe, expect, test } from "vitest";
import { annotateResponse } from "../../../src/contract/resources.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { randomId, randomToken } from "../../../src/shared/crypto.ts";
import { credentialsOf, expectError, freshVenue, V } from "./host.ts";
import { ANNOTATE, idsOf, linksHost, PROVIDER, RIVAL } from "./links-host.ts";

const host = await linksHost();
const { annotate, linksOf, newVenue } = host;

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

  test.each(["GET", "POST"])("C03: by %s rejects a userless call", async (method) => {
    const { id } = await newVenue();
    const fields = { v: V, ...credentialsOf(host.application), providerId: PROVIDER, linkedId: randomId() };
    expectError(await host.send(method, `/v2/venues/${id}/annotate`, fields), 400, "invalid_auth");
    expectError(await host.send(method, ANNOTATE, { ...fields, venueId: id }), 400, "invalid_auth");
    expect(await linksOf(id)).toMatchObject({ count: 0 });
  });

  test("C13: rejects any other method, without any effect", async () => {
    const { id } = await newVenue();
    const fields = { v: V, oauth_token: host.user.token, venueId: id, providerId: PROVIDER, linkedId: randomId() };
    const headers = { "x-http-method-override": "POST" };
    for (const path of [ANNOTATE, `/v2/venues/${id}/annotate`])
      for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"]) {
        const answer = await host.send(method, path, fields, { headers });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "GET, POST"]);
      }
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
