import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { VenueOutcome } from "../../src/directory-client/venues.ts";
import { answers, answersError } from "../support/fake-directory/behaviours.ts";
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
const LOOKUP = "/v2/venues/lookup";
const linesOf = () =>
  directory.requests.filter(({ path }) => path === LOOKUP).map(({ body }) => body.trim().split("\n").length);

describe("many venues are asked for by lines where the directory has venues/lookup", () => {
  beforeEach(() => {
    directory.offerMulti();
    directory.offerLookup();
  });

  test("all in one call and in order, with the unknown ones in their place", async () => {
    const asked = [...ids.slice(0, 6), "unknown", "add", ...ids.slice(6)];
    const kinds = [...names.slice(0, 6), "not_found", "not_found", ...names.slice(6)];
    expect(shown(await newClient().venues(app, asked))).toEqual(kinds);
    expect([linesOf(), directory.calls(MULTI)]).toEqual([[13], 0]);
  });

  test("few at first, then as many as a twentieth of the limit that it reports", async () => {
    directory.behave(LOOKUP, ({ response, usual }) => {
      const { headers, body } = usual();
      response.writeHead(200, { ...headers, "x-ratelimit-limit": "1000" }).end(body);
    });
    const client = newClient();
    const many = Array.from({ length: 100 }, (_, at) => ids[at % 12] ?? "");
    await client.venues(app, many);
    expect(linesOf()).toEqual([25, 50, 25]);
  });

  test("otherwise after it refuses the call, which is then not tried again", async () => {
    directory.behave(LOOKUP, answersError(404, "endpoint_error"));
    const client = newClient();
    for (let time = 0; time < 2; time += 1) expect(shown(await client.venues(app, ids))).toEqual(names);
    expect([linesOf(), directory.calls(MULTI)]).toEqual([[12], 6]);
  });

  test("otherwise after an answer with fewer lines, or with a line that is no answer", async () => {
    directory.behave(LOOKUP, answers(200, "no line"));
    expect(shown(await newClient().venues(app, ids))).toEqual(names);
  });

  test("and all that are left are told why if the directory limits calls", async () => {
    directory.behave(LOOKUP, answersError(403, "rate_limit_exceeded"));
    expect(new Set(shown(await newClient().venues(app, ids)))).toEqual(new Set(["rate_limited"]));
    expect(directory.calls(MULTI)).toBe(0);
  });
});

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
