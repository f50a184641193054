import { LOCATE_PATH } from "../../contract/addresses.ts";
import { MAP_TILE_PATH } from "../../contract/map.ts";
import { PROPOSE_PATH, WITHDRAW_PATH } from "../../contract/proposals.ts";
import { BLUE_STATE, COFFEE_SHOP, FOOD, STARBUCKS as STARBUCKS_ID } from "../../contract/sample-ids.ts";
import { LOOKUP_PATH, VENUES_MATCH_PATH } from "../../contract/search-parameters.ts";
import type { Json } from "../../http/json-schema.ts";
import { manifest10 } from "../reconcile/app.ts";

const USER_ID = "f704ddca408d78318be86caf";

/** 2026-01-01 17:00 UTC, noon in Providence, in epoch seconds. */
const NOON = 1_767_286_800;

/** Responses on the sample venues, shortened: most optional fields that are zero or empty are left out. */
export function examplesOfAnswers(apiUrl: string): Record<string, Json> {
  const icon = (name: string) => ({ prefix: `${apiUrl}/icons/${name}_`, suffix: ".svg" });
  const coffee = { id: COFFEE_SHOP, name: "Coffee Shop", pluralName: "Coffee Shops", shortName: "Coffee" };
  const food = { id: FOOD, name: "Food", pluralName: "Food", shortName: "Food", icon: icon("utensils") };
  const categories = [{ ...coffee, icon: icon("coffee"), primary: true }];
  const venue = { ...STARBUCKS, categories };
  const complete = { ...venue, canonicalUrl: `${apiUrl}/venues/${STARBUCKS_ID}`, ...SINCE };
  const dated = { id: "21e221d21d268d93b315abb9", createdAt: NOON, timeZoneOffset: -300 };
  const checkin = { ...dated, type: "checkin", venue, source: MAP_APP, ...NOTHING_SAID };
  const person = {
    ...{ id: USER_ID, handle: "maria", firstName: "Maria", relationship: "self", type: "user", createdAt: NOON },
  };
  const user = { ...person, photo: icon("users"), contact: {}, checkins: { count: 1 }, friends: { count: 0 } };
  const categoryTree = [{ ...food, categories: [{ ...coffee, icon: icon("coffee"), categories: [] }] }];
  const evidence = [{ comparison: "name", weight: 5.5, text: "same name" }];
  const matched = { venues: [{ ...venue, score: 0.98, needsReview: false, evidence }], confident: true };
  const searched = { ...venue, location: { ...venue.location, distance: 100 } };
  return {
    "/v2/venues/search": { venues: [searched], confident: false },
    "/v2/venues/match": {
      responses: [
        { meta: { code: 200, requestId: "32a8cb8348b1c9c0f631fd49" }, response: matched },
        { meta: { code: 200, requestId: "f8296e19ac5f6b15976e54e4" }, response: { venues: [], confident: false } },
      ],
    },
    "/v2/venues/categories": { categories: categoryTree },
    "/v2/venues/add": { venue: { ...complete, location: { ...venue.location, distance: 0 } } },
    "/v2/venues/delete": OTHER_VENUE,
    "/v2/venues/edit": { venue, change: { id: "17" } },
    "/v2/venues/merge": { venue, change: { id: "17" } },
    "/v2/venues/revert": { venue, change: { id: "17" } },
    [PROPOSE_PATH]: { proposal: PROPOSAL },
    [WITHDRAW_PATH]: { proposal: { ...PROPOSAL, state: "withdrawn", decidedAt: NOON } },
    "/v2/users/:id/proposals": { proposals: { count: 1, items: [PROPOSAL] } },
    [LOOKUP_PATH]: { venue: complete },
    "/v2/venues/:id": { venue: complete },
    "/v2/venues/:id/links": { links: { count: 1, items: [LINK] } },
    "/v2/venues/:id/annotate": { venue: complete, link: LINK },
    "/v2/venues/annotate": { venue: complete, link: LINK },
    "/v2/users/:id": { user },
    "/v2/users/:id/checkins": { checkins: { count: 1, items: [{ ...checkin, shout: "Hello" }] } },
    "/v2/checkins/add": { checkin: { ...checkin, shout: "Hello" } },
    "/v2/checkins/edit": { checkin: { ...checkin, shout: "Hello again", editable: true } },
    "/v2/checkins/delete": { checkin: { id: checkin.id } },
    [LOCATE_PATH]: { position: { lat: 41.8246, lng: -71.4139, estimated: false } },
    [MAP_TILE_PATH]: { tile: MAP_TILE },
    "/v2/multi": {
      responses: [
        {
          meta: { code: 200, requestId: "32a8cb8348b1c9c0f631fd49" },
          response: { venues: [searched], confident: false },
        },
        { meta: { code: 200, requestId: "f8296e19ac5f6b15976e54e4" }, response: { categories: categoryTree } },
      ],
    },
  };
}

const SINCE = { createdAt: NOON, timeZone: "America/New_York" };

const MAP_APP = { name: "Map app", url: "https://app.example" };

const MAP_TILE = {
  streets: [{ name: "Dorrance St", line: "_atfG`uzsLhFkH" }],
  spots: [{ name: "Slater Mill", line: "_atfG`uzsL" }],
  towns: [{ name: "Providence", lat: 41.8241, lng: -71.4128, venues: 3186 }],
  areas: [],
};

const NOTHING_SAID = {
  photos: { count: 0 },
  comments: { count: 0 },
  posts: { count: 0, textCount: 0 },
  likes: { count: 0 },
  like: false,
  isMayor: false,
};

const STARBUCKS = {
  id: STARBUCKS_ID,
  name: "Starbucks Coffee",
  contact: {},
  location: {
    address: "11 Dorrance St",
    city: "Providence",
    state: "RI",
    postalCode: "02903",
    country: "United States",
    cc: "US",
    lat: 41.8246,
    lng: -71.413902,
    labeledLatLngs: [{ label: "display", lat: 41.8246, lng: -71.413902 }],
    formattedAddress: ["11 Dorrance St", "Providence, RI 02903", "United States"],
  },
  categories: [],
  verified: false,
  stats: { checkinsCount: 0, usersCount: 0, tipCount: 0 },
  url: "http://www.starbucks.com",
  referralId: `v-${NOON}`,
};

export const DUPLICATES = { candidateDuplicateVenues: [STARBUCKS], ignoreDuplicatesKey: "KEY-OF-THIS-CALL" };
export const OTHER_VENUE = { venue: { id: STARBUCKS_ID, name: STARBUCKS.name } };

/** Lines of NDJSON by endpoint. */
export const LINES: Record<string, readonly object[]> = {
  [VENUES_MATCH_PATH]: [
    { name: STARBUCKS.name, ll: "41.824,-71.413" },
    { name: "No Such Place", near: "Providence, RI" },
  ],
  [LOOKUP_PATH]: [{ venueId: STARBUCKS_ID }, { venueId: BLUE_STATE }],
  "/v2/venues/add": [
    { name: "Corner Bakery", ll: "41.8245,-71.4128", primaryCategoryId: COFFEE_SHOP, idempotencyKey: "listing-4711" },
  ],
  "/v2/venues/annotate": [
    { venueId: STARBUCKS_ID, providerId: "listings", linkedId: "4711", idempotencyKey: "listing-4711" },
  ],
  "/v2/venues/delete": [{ venueId: STARBUCKS_ID }],
};

const LINK = { provider: { id: "listings" }, linkedId: "4711", url: "https://listings.example/4711" };

const PROPOSAL = {
  ...{ id: "5", venueId: BLUE_STATE, state: "open", createdAt: NOON, values: { phone: "+1 401 555 0100" } },
  comment: "I was there yesterday.",
};

const named = {
  id: BLUE_STATE,
  name: "Blue State Coffee",
  description: "300 Thayer St, Providence, RI 02906, United States",
};
const types = [{ id: COFFEE_SHOP, name: "Coffee Shop" }];
const candidate = {
  ...named,
  score: 80.2,
  match: false,
  type: [{ id: "venue", name: "Venue" }, ...types, { id: FOOD, name: "Food" }],
};
const extended = { id: BLUE_STATE, properties: [{ id: "zip", values: [{ str: "02906" }] }] };

export function reconcileExamples(apiUrl: string) {
  const manifest = manifest10(apiUrl);
  return {
    Manifest10: { ...manifest, defaultTypes: manifest.defaultTypes.slice(0, 2) },
    Results02: { q0: { result: [{ ...candidate, features: [{ id: "name", value: 4.72 }] }] } },
    Results10: {
      results: [{ candidates: [{ ...candidate, features: [{ id: "name", name: "Name", value: 4.72 }] }] }],
    },
    Extended10: { meta: [{ id: "zip", name: "Postal code" }], rows: [extended] },
    SuggestedEntity: { result: [{ ...named, notable: types }] },
    SuggestedProperty: { result: [{ id: "zip", name: "Postal code", description: "For matching and fetching" }] },
    SuggestedType: {
      result: [{ id: COFFEE_SHOP, name: "Coffee Shop", description: "Food", broader: [{ id: FOOD, name: "Food" }] }],
    },
    Proposed: { properties: [{ id: "zip", name: "Postal code" }], type: "" },
  } satisfies Record<string, Json>;
}

export const MATCH_BODY = {
  queries: [{ conditions: [{ matchType: "name", propertyValue: "Blue State Coffee" }], limit: 1 }],
};
