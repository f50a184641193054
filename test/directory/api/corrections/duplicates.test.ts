import { describe, expect, test } from "vitest";
import { duplicateVenuesResponse } from "../../../../src/contract/resources.ts";
import { addedVenues, apiHost, freshVenue, venueOf } from "../host.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";

describe("a venue that already exists", () => {
  const original = freshVenue({ name: "The Same Old Spot", address: "12 Main St" });
  const again = { ...original, name: "Same Old Spot" };

  test("returns 409 with the candidates and a key, and is not added", async () => {
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

  test("gets a message that names the missing parameter of a forced add", async () => {
    const key = String((await host.asUser(PATH, again)).body.response.ignoreDuplicatesKey);
    const advice = "repeat the call with ignoreDuplicates=true and the ignoreDuplicatesKey of this response.";
    const detail = async (more: Record<string, string>) => {
      const { status, body } = await host.asUser(PATH, { ...again, ...more });
      expect(status).toBe(409);
      expect(duplicateVenuesResponse.parse(body.response).candidateDuplicateVenues).not.toEqual([]);
      expect(body.meta.errorDetail).toContain(advice);
      return body.meta.errorDetail;
    };
    expect(await detail({ ignoreDuplicates: "true" })).toBe(`Found duplicates. To add the venue anyway, ${advice}`);
    for (const ignoreDuplicates of ["", "false"])
      expect(await detail({ ignoreDuplicates, ignoreDuplicatesKey: key })).toContain("only with ignoreDuplicates=true");
    expect(await detail({ ignoreDuplicates: "true", ignoreDuplicatesKey: "0".repeat(32) })).toContain(
      "belongs to another call or has expired",
    );
  });
});

describe("venues that differ in one letter, number or direction", () => {
  const spot = { address: "2000 Post Rd", phone: "401-555-0170" };
  const add = (name: string, where: Record<string, string>) => host.asUser(PATH, { ...where, ...spot, name });

  test.each([
    ["Terminal A", "Terminal B"],
    ["Room 101", "Room 102"],
    ["Gate 4", "Gate 5"],
    ["Pier 39", "Pier 41"],
    ["Lecture Hall II", "Lecture Hall III"],
    ["1st Floor Kitchen", "2nd Floor Kitchen"],
    ["North Tower", "South Tower"],
    ["University Health Sciences Building A", "University Health Sciences Building B"],
  ])("are each added once: %s and %s", async (one, other) => {
    const where = freshVenue();
    expect((await add(one, where)).status).toBe(200);
    expect((await add(other, where)).status).toBe(200);
    for (const name of [one, other, one.toUpperCase()])
      expect([name, (await add(name, where)).status]).toEqual([name, 409]);
  });
});
