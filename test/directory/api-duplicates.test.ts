import { describe, expect, test } from "vitest";
import { duplicateVenuesResponse } from "../../src/contract/resources.ts";
import { addedVenues, apiHost, freshVenue, venueOf } from "./api-host.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";

describe("a venue that is there already", () => {
  const original = freshVenue({ name: "The Same Old Spot", address: "12 Main St" });
  const again = { ...original, name: "Same Old Spot" };

  test("is answered 409 with the candidates and a key, and nothing is added", async () => {
    const { id } = venueOf(await host.asUser(PATH, original));
    const before = await addedVenues(host);
    const answer = await host.asUser(PATH, again);
    expect(answer.status).toBe(409);
    expect(answer.body.meta).toMatchObject({
      code: 409,
      errorType: "other",
      errorDetail: expect.stringContaining("Found duplicates"),
      errorMessage: expect.any(String),
    });
    const response = duplicateVenuesResponse.parse(answer.body.response);
    expect(response.candidateDuplicateVenues[0]).toMatchObject({ id, location: { distance: 0 } });
    expect(response.ignoreDuplicatesKey).toMatch(/^[0-9a-f]{32}$/);
    expect(await addedVenues(host)).toBe(before);
  });

  const keyFor = async (fields: Record<string, string>, token?: string) => {
    const answer = await host.asUser(PATH, fields, token === undefined ? {} : { token });
    return String(answer.body.response.ignoreDuplicatesKey);
  };
  const force = (fields: Record<string, string>, ignoreDuplicatesKey: string, token = host.user.token) =>
    host.asUser(PATH, { ...fields, ignoreDuplicates: "true", ignoreDuplicatesKey }, { token });

  test("is added all the same with the key and ignoreDuplicates", async () => {
    const answer = await force(again, await keyFor(again));
    expect(answer.status).toBe(200);
    expect(venueOf(answer).name).toBe("Same Old Spot");
  });

  test("stays 409 with ignoreDuplicates alone, with the key alone, and with a key that was made up", async () => {
    const key = await keyFor(again);
    expect((await host.asUser(PATH, { ...again, ignoreDuplicates: "true" })).status).toBe(409);
    expect((await host.asUser(PATH, { ...again, ignoreDuplicatesKey: key })).status).toBe(409);
    expect((await host.asUser(PATH, { ...again, ignoreDuplicates: "false", ignoreDuplicatesKey: key })).status).toBe(
      409,
    );
    expect((await force(again, "0".repeat(32))).status).toBe(409);
    expect((await force(again, "é")).status).toBe(409);
  });

  test("says what a call that meant to be forced lacks", async () => {
    const key = await keyFor(again);
    const advice = "repeat the call with ignoreDuplicates=true and the ignoreDuplicatesKey of this answer.";
    const detail = async (more: Record<string, string>) => {
      const { status, body } = await host.asUser(PATH, { ...again, ...more });
      expect(status).toBe(409);
      expect(duplicateVenuesResponse.parse(body.response).candidateDuplicateVenues).not.toEqual([]);
      expect(body.meta.errorDetail).toContain(advice);
      return body.meta.errorDetail;
    };
    expect(await detail({ ignoreDuplicates: "true" })).toBe(
      `Found duplicates. To add the venue all the same, ${advice}`,
    );
    for (const ignoreDuplicates of ["", "false"])
      expect(await detail({ ignoreDuplicates, ignoreDuplicatesKey: key })).toContain("only with ignoreDuplicates=true");
    expect(await detail({ ignoreDuplicates: "true", ignoreDuplicatesKey: "0".repeat(32) })).toContain(
      "does not fit this call or is too old",
    );
  });

  test("stays 409 with the key of another user, name or place", async () => {
    const key = await keyFor(again);
    const other = await host.newUser();
    expect((await force(again, key, other.token)).status).toBe(409);
    expect((await force({ ...again, name: "Same Old Spot Cafe" }, key)).status).toBe(409);
    const [lat, lng] = String(again.ll).split(",");
    expect((await force({ ...again, ll: `${lat}1,${lng}` }, key)).status).not.toBe(500);
    expect((await force({ ...again, ll: `${Number(lat) + 0.0005},${lng}` }, key)).status).toBe(409);
  });

  test("is added once by eight calls at the same moment", async () => {
    const given = freshVenue();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => host.asUser(PATH, given)))).map(
      (a) => a.status,
    );
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test("is added once by calls at the same moment that write its name differently", async () => {
    const { ll } = freshVenue();
    const names = ["Zebra Lantern Cafe", "The Zebra Lantern Cafe", "Zebra Lantern Café Inc", "Zebra Lantern  Cafe"];
    const answers = await Promise.all(names.map((name) => host.asUser(PATH, { ...freshVenue(), name, ll })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
