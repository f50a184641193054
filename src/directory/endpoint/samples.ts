import { BLUE_STATE, COFFEE_SHOP, FOOD, STARBUCKS } from "../../contract/sample-ids.ts";

const USER_ID = "f704ddca408d78318be86caf";

/** 2026-01-01 17:00 UTC, noon in Providence, in epoch seconds. */
const NOON = 1_767_286_800;

/** An envelope of several has the ids of their requests. */
export const inEnvelopes = (first: object, second: object) => [
  { meta: { code: 200, requestId: "32a8cb8348b1c9c0f631fd49" }, response: first },
  { meta: { code: 200, requestId: "f8296e19ac5f6b15976e54e4" }, response: second },
];

export type Samples = ReturnType<typeof samplesAt>;

/** What the examples of answers are made of: the sample venues, shortened. Most optional fields that are zero or empty are left out. */
export function samplesAt(apiUrl: string) {
  const icon = (name: string) => ({ prefix: `${apiUrl}/icons/${name}_`, suffix: ".svg" });
  const coffee = { id: COFFEE_SHOP, name: "Coffee Shop", pluralName: "Coffee Shops", shortName: "Coffee" };
  const food = { id: FOOD, name: "Food", pluralName: "Food", shortName: "Food", icon: icon("utensils") };
  const categories = [{ ...coffee, icon: icon("coffee"), primary: true }];
  const venue = { ...SAMPLE_VENUE, categories };
  const complete = { ...venue, canonicalUrl: `${apiUrl}/venues/${STARBUCKS}`, ...SINCE };
  const dated = { id: "21e221d21d268d93b315abb9", createdAt: NOON, timeZoneOffset: -300 };
  const checkin = { ...dated, type: "checkin", venue, source: MAP_APP, ...NOTHING_SAID };
  const person = {
    id: USER_ID,
    handle: "maria",
    firstName: "Maria",
    relationship: "self",
    type: "user",
    createdAt: NOON,
  };
  const user = { ...person, photo: icon("users"), contact: {}, checkins: { count: 1 }, friends: { count: 0 } };
  const categoryTree = [{ ...food, categories: [{ ...coffee, icon: icon("coffee"), categories: [] }] }];
  /** As a search finds it. */
  const found = { venues: [{ ...venue, location: { ...venue.location, distance: 100 } }], confident: false };
  return { venue, complete, found, checkin, user, categoryTree };
}

const SINCE = { createdAt: NOON, timeZone: "America/New_York" };

const MAP_APP = { name: "Map app", url: "https://app.example" };

const NOTHING_SAID = {
  photos: { count: 0 },
  comments: { count: 0 },
  posts: { count: 0, textCount: 0 },
  likes: { count: 0 },
  like: false,
  isMayor: false,
};

export const SAMPLE_VENUE = {
  id: STARBUCKS,
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

/** Another venue, by its name only. */
export const OTHER_VENUE = { venue: { id: STARBUCKS, name: SAMPLE_VENUE.name } };

export const SAMPLE_LINK = { provider: { id: "listings" }, linkedId: "4711", url: "https://listings.example/4711" };

export const SAMPLE_PROPOSAL = {
  id: "5",
  venueId: BLUE_STATE,
  state: "open",
  createdAt: NOON,
  values: { phone: "+1 401 555 0100" },
  comment: "I was there yesterday.",
};

export const WITHDRAWN_PROPOSAL = { ...SAMPLE_PROPOSAL, state: "withdrawn", decidedAt: NOON };
