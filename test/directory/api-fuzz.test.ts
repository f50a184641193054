import fc from "fast-check";
import { expect, test } from "vitest";
import { envelope } from "../../src/contract/envelope.ts";
import { annotateVenueParameters } from "../../src/contract/link-parameters.ts";
import { addVenueCall, checkinsParameters } from "../../src/contract/parameters.ts";
import { searchParameters } from "../../src/contract/search-parameters.ts";
import { apiHost, categoryId, credentialsOf, DOWNTOWN, V } from "./api-host.ts";

const host = await apiHost();

const plausible = fc.constantFrom(
  DOWNTOWN,
  "0,0",
  "90,180",
  "-90,-180",
  "41,-71",
  "match",
  "browse",
  "global",
  "checkin",
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
  categoryId("Bar"),
  "https://spot.example",
  "02903",
  "+1 401 555 0100",
  "/users/self,/venues/search?ll=1,1,/venues/add,/multi?requests=/users/self",
);
const value = fc.oneof(
  { weight: 6, arbitrary: plausible },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "null", "%", "\\", "'", "__proto__", "a".repeat(3000), "\ud800", "-0,0"),
  },
);
const known = [
  ...Object.keys({
    ...searchParameters.shape,
    ...addVenueCall.shape,
    ...annotateVenueParameters.shape,
    ...checkinsParameters.shape,
  }),
  "requests",
  "v",
  "oauth_token",
  "client_id",
  "client_secret",
  "venueId",
  "shout",
];

const name = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
);
const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      "/v2/venues/search",
      "/v2/venues/add",
      "/v2/venues/categories",
      "/v2/users/self/checkins",
      "/v2/checkins/add",
      "/v2/venues/annotate",
      "/v2/multi",
    ),
  },
  { weight: 1, arbitrary: fc.webPath().map((rest) => `/v2${rest}`) },
);
const request = fc.record({
  method: fc.constantFrom("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE"),
  path,
  fields: fc.dictionary(name, value, { maxKeys: 8 }),
  inBody: fc.boolean(),
  authorized: fc.constantFrom("user", "application", "nobody"),
});

test("no request, however odd, is answered with a 5xx or with anything but an envelope", async () => {
  const slowest = { ms: 0 };
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, fields, inBody, authorized }) => {
      const credentials = {
        user: { v: V, oauth_token: host.user.token },
        application: { v: V, ...credentialsOf(host.application) },
        nobody: {},
      }[authorized];
      const all = { ...credentials, ...fields };
      const begun = performance.now();
      const answer =
        inBody && method !== "GET"
          ? await host.send(method, path, {}, { body: all })
          : await host.send(method, path, all);
      slowest.ms = Math.max(slowest.ms, performance.now() - begun);
      expect(answer.status).toBeLessThan(500);
      expect(envelope.parse(answer.body).meta.code).toBe(answer.status);
    }),
    { numRuns: 1500 },
  );
  expect(slowest.ms).toBeLessThan(1000);
}, 120_000);
