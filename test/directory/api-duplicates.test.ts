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

  test("says what a call that meant to be forced lacks", async () => {
    const key = String((await host.asUser(PATH, again)).body.response.ignoreDuplicatesKey);
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
});
