import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { VenueOutcome } from "../../src/directory-client/venues.ts";
import { directoryClients, MULTI } from "./directory-clients.ts";

const { directory, newClient, app, user } = await directoryClients();
afterAll(() => directory.close());
beforeEach(() => directory.reset());

const names = Array.from({ length: 12 }, (_, at) => `Shop ${at}`);
const ids: string[] = [];
for (const name of names) {
  const venue = { name, ll: { lat: 41, lng: -71 }, primaryCategoryId: "4bf58dd8d48988d1e0931735" };
  ids.push((await newClient().addVenue(user, venue, { idempotencyKey: name })).id);
}

const shown = (outcomes: VenueOutcome[]) =>
  outcomes.map((each) => ("venue" in each ? each.venue.name : each.error.kind));
describe("many venues are asked for", () => {
  test("five a call at a directory with multi, and in order", async () => {
    directory.offerMulti();
    const before = directory.calls(MULTI);
    expect(shown(await newClient().venues(app, ids))).toEqual(names);
    expect(directory.calls(MULTI) - before).toBe(3);
  });

  test("one by one at a directory without multi", async () => {
    expect(shown(await newClient().venues(app, ids))).toEqual(names);
  });

  test("without the unknown ones spoiling others, and without a call for what is no id", async () => {
    directory.offerMulti();
    const asked = [ids[0] ?? "", "unknown", "add", "../users/self", "a,b", ids[1] ?? ""];
    const kinds = ["Shop 0", "not_found", "not_found", "not_found", "not_found", "Shop 1"];
    expect(shown(await newClient().venues(app, asked))).toEqual(kinds);
    expect(await newClient().venues(app, [])).toEqual([]);
  });

  test("until the directory refuses the token, which then holds for all that are left", async () => {
    const outcomes = await newClient().venues({ token: "revoked" }, ids);
    expect(new Set(shown(outcomes))).toEqual(new Set(["refused_token"]));
  });
});
