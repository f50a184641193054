import { describe, expect, test } from "vitest";
import { randomId } from "../../../src/shared/crypto.ts";
import { expectError, venuesOf } from "./host.ts";
import { idsOf, linksHost, PROVIDER } from "./links-host.ts";

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
