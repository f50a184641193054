import { expect, test } from "vitest";
import type { Venue } from "../../../src/contract/resources.ts";
import { besideVenues, findNamesakes } from "../../../src/harmonize/positions/evidence.ts";

const SPOT = { line: 2, name: "Walrus Tavern", is: { lat: 41.8, lng: -71.4 }, isPossible: true, place: undefined };
const spots = [{ ...SPOT, country: undefined }];

const asking = (venue: Partial<Venue>) => {
  const found = {
    venues: [{ id: "v", name: "Walrus Tavern", location: { lat: 41.9, lng: -71.4 }, score: 0.99, ...venue }],
    ...{ confident: true, geocode: undefined },
  };
  const { signal } = new AbortController();
  const directory = { searchVenues: async () => found, matchListings: async () => [{ found }] };
  return { directory, auth: { token: "" }, signal, calls: signal } as unknown as Parameters<typeof besideVenues>[0];
};

test("C74: venues at the position of their address say nothing of a file's positions", async () => {
  expect(await besideVenues(asking({}), spots)).toMatchObject([{ isWell: true }]);
  expect(await besideVenues(asking({ positionByAddress: true }), spots)).toMatchObject([{ isWell: false }]);
  const namesakes = async (venue: Partial<Venue>) => (await findNamesakes(asking(venue), spots, new Map()))[0]?.venues;
  expect(await namesakes({})).toEqual([{ lat: 41.9, lng: -71.4 }]);
  expect(await namesakes({ positionByAddress: true })).toEqual([]);
});
