import fc from "fast-check";
import { addCheckinParameters, checkinsParameters } from "../../src/contract/checkins.ts";
import { annotateVenueParameters } from "../../src/contract/correction-parameters.ts";
import { addVenueCall } from "../../src/contract/parameters.ts";
import { searchParameters } from "../../src/contract/search-parameters.ts";
import { categoryId, V } from "./running-directory.ts";

type Fields = Record<string, string>;

export interface RandomRequest {
  method: string;
  path: string;
  headers: Fields;
  body: string;
}

const plausible = fc.constantFrom(
  ...["41.8240,-71.4128", "0,0", "90,180", "-90,-180", "41,-71", "41.9,-71.3", "match", "browse", "global", "checkin"],
  ...[
    "1",
    "50",
    "250",
    "100000",
    "0.5",
    "coffee",
    "Dunkin' Donuts",
    "星巴克",
    "true",
    V,
    "oldestfirst",
    "Providence, RI",
  ],
  ...[categoryId("Bar"), "https://spot.example", "02903", "+1 401 555 0100", "0123456789abcdef01234567", "maps"],
  "/users/self,/venues/search?ll=1,1,/venues/add,/multi?requests=/users/self",
  "/venues/search?ll=1,1&query=%00,/venues/%00,/users/self/checkins?limit=x",
);
const value = fc.oneof(
  { weight: 6, arbitrary: plausible },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...["", " ", "\u0000", "null", "%", "\\", "'", '"', "__proto__", "a".repeat(3000), "\ud800", "-0,0", "NaN,NaN"],
      ...["1e999,0", "99999999999999999999", "-1", "\u202e", "\ufffd", "{}", "[]", "{{7*7}}", "$1", "';--"],
    ),
  },
);
const NAMES = [
  ...[searchParameters, addVenueCall, annotateVenueParameters, checkinsParameters, addCheckinParameters].flatMap(
    ({ shape }) => Object.keys(shape),
  ),
  ...["requests", "v", "oauth_token", "client_id", "client_secret", "access_token", "callback", "m", "locale"],
];
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "ll[]", "query[a]", "", "=", "&") },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
);
const segment = fc
  .oneof(value, fc.constantFrom("self", "search", "add", "venues", "..", "%00", "%ff", ";x"))
  .map((text) => (/^(?:%\w\w|;x|\.\.)$/.test(text) ? text : encodeURIComponent(text.toWellFormed())));
const path = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ...["/v2/venues/search", "/v2/venues/search", "/v2/venues/add", "/v2/venues/categories", "/v2/users/self"],
      ...["/v2/users/self/checkins", "/v2/checkins/add", "/v2/venues/annotate", "/v2/multi"],
    ),
  },
  { weight: 3, arbitrary: segment.map((id) => `/v2/venues/${id}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(segment, fc.constantFrom("links", "annotate")).map((all) => `/v2/venues/${all.join("/")}`),
  },
  { weight: 1, arbitrary: segment.map((id) => `/v2/users/${id}/checkins`) },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 4 }).map((all) => `/v2/${all.join("/")}`) },
);
const FORM = "application/x-www-form-urlencoded";
const header = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Fields>({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fields>(
      ...[{ "idempotency-key": "k" }, { "idempotency-key": " " }, { accept: "image/png" }, { "content-type": "x" }],
      ...[{ "content-type": "application/json" }, { "content-type": "multipart/form-data; boundary=x" }],
      ...[
        { cookie: "a=b" },
        { authorization: "Basic x" },
        { "if-none-match": "*" },
        { "x-http-method-override": "PUT" },
      ],
    ),
  },
);

const place = fc.tuple(fc.integer({ min: -85, max: 85 }), fc.integer({ min: -179, max: 179 })).map(String);

/**
 * Generates a request of one of the callers, often with valid parameters, so that the invalid ones are examined too.
 */
export function anyRequest(callers: Record<string, Fields>, venueId: string): fc.Arbitrary<RandomRequest> {
  const shape = {
    method: fc.constantFrom("GET", "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"),
    path,
    fields: fc.array(fc.tuple(name, value), { maxLength: 8 }),
    caller: fc.constantFrom(...Object.values(callers)),
    isComplete: fc.boolean(),
    ll: place,
    inBody: fc.boolean(),
    header,
    // Occasionally bytes that are no parameters.
    tail: fc.constantFrom(...Array(12).fill(""), "&%ff=%00", "&query=%C0%AF", "&&&", "&=", "&ll"),
  };
  return fc.record(shape).map(({ method, path, fields, caller, isComplete, ll, inBody, header, tail }) => {
    const needed = isComplete ? Object.entries(needs(path, ll, venueId)) : [];
    const rest = needed.filter(([name]) => !fields.some(([given]) => given === name));
    const pairs = [...Object.entries(caller), ...rest, ...fields].map((pair) =>
      pair.map((text) => text.toWellFormed()),
    );
    const query = new URLSearchParams(pairs) + tail;
    const hasBody = inBody && method !== "GET" && method !== "OPTIONS";
    const headers = hasBody ? { "content-type": FORM, ...header } : header;
    return { method, path: hasBody ? path : `${path}?${query}`, headers, body: hasBody ? query : "" };
  });
}

function needs(path: string, ll: string, venueId: string): Fields {
  if (path === "/v2/venues/add") return { name: "Spot", ll, primaryCategoryId: categoryId("Bar") };
  if (path === "/v2/venues/annotate") return { venueId, providerId: "maps", linkedId: "1" };
  if (path === "/v2/checkins/add") return { venueId };
  return path === "/v2/venues/search" ? { ll } : {};
}
