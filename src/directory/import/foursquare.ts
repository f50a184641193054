import { numberAt, type Place, type Release, textAt, textsAt } from "./release.ts";
import { isGoneFlag } from "./venue-row.ts";

/** Columns that need no change but their name. */
const FIELDS = {
  name: "name",
  address: "address",
  zip: "postcode",
  country: "country",
  phone: "tel",
  url: "website",
  city: "locality",
  state: "region",
  postTown: "post_town",
  adminRegion: "admin_region",
  twitter: "twitter",
};

export const FOURSQUARE: Release = {
  id: "foursquare",
  name: "Foursquare OS Places",
  hallmarks: ["fsq_place_id", "name", "latitude", "longitude"],
  columns: [
    "fsq_place_id",
    "latitude",
    "longitude",
    "date_closed",
    "unresolved_flags[]",
    "fsq_category_labels[]",
    ...Object.values(FIELDS),
  ],
  box: { west: "longitude", south: "latitude", east: "longitude", north: "latitude" },
  country: "country",
  hasConfidence: false,
  place(columns, at): Place {
    const fields = Object.entries(FIELDS).map(([ours, theirs]) => [ours, textAt(columns, theirs, at)]);
    return {
      id: textAt(columns, "fsq_place_id", at),
      lat: numberAt(columns, "latitude", at),
      lng: numberAt(columns, "longitude", at),
      country: textAt(columns, "country", at),
      confidence: undefined,
      gone: goneAt(columns, at),
      dataset: "",
      licence: undefined,
      fields: Object.fromEntries(fields),
      categories: textsAt(columns, "fsq_category_labels[]", at),
    };
  },
  sourceOf: () => ({
    attribution: "© Foursquare Labs, Inc. Foursquare OS Places",
    licence: "Apache-2.0",
    url: "https://opensource.foursquare.com/places-notice-txt/",
  }),
};

/** `date_closed` is text or a date. */
function goneAt(columns: Parameters<Release["place"]>[0], at: number): Place["gone"] {
  const closed = columns.date_closed?.[at];
  if (closed instanceof Date || (typeof closed === "string" && /\d/.test(closed))) return "closed";
  return textsAt(columns, "unresolved_flags[]", at).some(isGoneFlag) ? "flagged" : undefined;
}
