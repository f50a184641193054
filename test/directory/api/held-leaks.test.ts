import { beforeAll, expect, test } from "vitest";
import { openApi, operationsOf } from "../docs/openapi.ts";
import { V02, V10 } from "../reconcile/host.ts";
import { credentialsOf, freshVenue, V, venueOf } from "./host.ts";
import { linksHost, PROVIDER } from "./links-host.ts";

const host = await linksHost({ holdNewVenues: "all" });
const fields = freshVenue({
  ...{ name: "Zephyrquill Lanternworks", address: "17 Obscura Lane", city: "Heldhaven", phone: "+1 401 555 0177" },
  ...{ url: "https://zephyrquill.example/", twitter: "zephyrquill", description: "Zephyrquill Lanternworks" },
});
const { name, ll, address, phone, url } = fields as Record<string, string>;
let id = "";
let stranger = "";
let checkin = "";
beforeAll(async () => {
  id = venueOf(await host.asUser("/v2/venues/add", fields, { method: "POST" })).id;
  await host.annotate(id, "held listing", { url: "https://listing.example/held" });
  const { body } = await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
  checkin = (body.response.checkin as { id: string }).id;
  stranger = (await host.newUser()).token;
});

const listing = { name, ll, address, phone } as Record<string, string>;
const spot = { primaryCategoryId: fields.primaryCategoryId ?? "", ...listing };
const query02 = JSON.stringify({ q: { query: name, properties: [{ pid: "ll", v: ll }] } });
const extend = JSON.stringify({ ids: ["ID"], properties: [{ id: "name" }] });

/** Calls that would show a held venue, by the paths of the documentation. ID stands for its id, CHECKIN for that of one there. */
const CALLS: Record<string, [string, Record<string, string>][]> = {
  "/v2/venues/search": [
    ["/v2/venues/search", { ll: ll ?? "" }],
    ["/v2/venues/search", { ll: ll ?? "", query: name ?? "" }],
    ["/v2/venues/search", { ll: ll ?? "", radius: "500", categoryId: spot.primaryCategoryId ?? "" }],
    ["/v2/venues/search", { ll: ll ?? "", radius: "500", intent: "browse" }],
    ["/v2/venues/search", { query: name ?? "", intent: "global" }],
    ["/v2/venues/search", { query: "zephyrquil", intent: "global" }],
    ["/v2/venues/search", { near: "Heldhaven", query: name ?? "" }],
    ["/v2/venues/search", { ...listing, intent: "match", minScore: "0" }],
    ["/v2/venues/search", { url: url ?? "" }],
    ["/v2/venues/search", { url: "https://listing.example/held" }],
    ["/v2/venues/search", { providerId: PROVIDER, linkedId: "held listing" }],
  ],
  "/v2/venues/match": [["/v2/venues/match", { listings: JSON.stringify(Array(25).fill(listing)), minScore: "0" }]],
  "/v2/venues/add": [["/v2/venues/add", { ...spot, name: "Zephyrquill Lanternwork", address: "17 Obscure Lane" }]],
  "/v2/venues/{id}": [["/v2/venues/ID", {}]],
  "/v2/venues/{id}/links": [["/v2/venues/ID/links", {}]],
  "/v2/venues/lookup": [["/v2/venues/lookup", { venueId: "ID" }]],
  "/v2/venues/annotate": [["/v2/venues/annotate", { venueId: "ID", providerId: PROVIDER, linkedId: "other" }]],
  "/v2/venues/{id}/annotate": [["/v2/venues/ID/annotate", { providerId: PROVIDER, linkedId: "other" }]],
  "/v2/venues/delete": [["/v2/venues/delete", { venueId: "ID" }]],
  "/v2/venues/edit": [["/v2/venues/edit", { venueId: "ID", city: "Elsewhere" }]],
  "/v2/venues/propose": [["/v2/venues/propose", { venueId: "ID", city: "Elsewhere" }]],
  "/v2/venues/withdraw": [["/v2/venues/withdraw", { proposalId: "1" }]],
  "/v2/venues/merge": [["/v2/venues/merge", { venueId: "ID", into: "ID" }]],
  "/v2/venues/revert": [["/v2/venues/revert", { changeId: "1" }]],
  "/v2/venues/categories": [["/v2/venues/categories", {}]],
  "/v2/checkins/add": [["/v2/checkins/add", { venueId: "ID" }]],
  "/v2/checkins/edit": [["/v2/checkins/edit", { checkinId: "CHECKIN" }]],
  "/v2/checkins/delete": [["/v2/checkins/delete", { checkinId: "CHECKIN" }]],
  "/v2/users/{id}": [["/v2/users/self", {}]],
  "/v2/users/{id}/checkins": [["/v2/users/self/checkins", {}]],
  "/v2/users/{id}/proposals": [["/v2/users/self/proposals", { venueId: "ID" }]],
  "/v2/multi": [["/v2/multi", { requests: `/venues/ID,/venues/search?ll=${ll}` }]],
  "/v2/addresses/locate": [["/v2/addresses/locate", { address: address ?? "", near: "Heldhaven" }]],
  "/v2/map/tile": [["/v2/map/tile", { z: "0", x: "0", y: "0" }]],
};
const ENTITY = "/venues/{id}";
const RECONCILE: [string, Record<string, string>][] = [
  [V02, { queries: query02 }],
  [V02, { extend }],
  ...["/suggest/entity", "/flyout/entity", "/preview"].flatMap((path): [string, Record<string, string>][] => [
    [`${V02}${path}`, { prefix: name ?? "", id: "ID" }],
    [`${V10}${path}`, { prefix: name ?? "", id: "ID" }],
  ]),
  [ENTITY.replace("{id}", "ID"), {}],
];

const withId = (text: string) => text.replaceAll("CHECKIN", checkin).replaceAll("ID", id);

test("C70: the calls of this test cover every endpoint under /v2", async () => {
  const document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
  const paths = operationsOf(document).map(({ path }) => path);
  expect(Object.keys(CALLS).toSorted()).toEqual(
    // NDJSON leads to the same code as the call of each line.
    [...new Set(paths.filter((path) => path.startsWith("/v2/") && !path.endsWith("/lines")))].toSorted(),
  );
});

test.each([...Object.values(CALLS).flat(), ...RECONCILE])(
  "C70: %s with %o shows a held venue to nobody else",
  async (path, given) => {
    const parameters = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, key === "categoryId" ? value : withId(value)]),
    );
    const callers = [{ oauth_token: stranger }, credentialsOf(host.application)];
    for (const caller of callers)
      for (const method of ["GET", "POST"]) {
        const all = { v: V, ...caller, ...parameters };
        const { text } = await host.send(
          method,
          withId(path),
          method === "GET" ? all : {},
          method === "GET" ? {} : { body: all },
        );
        expect(text).not.toMatch(/Lanternworks|Obscura|"held listing"/);
        expect(text.includes(`"id":"${id}"`)).toBe(false);
      }
  },
);

test.each(
  Object.values(CALLS)
    .flat()
    .filter((call) => JSON.stringify(call).includes("ID")),
)("C70: %s with %o answers others as for an id that nobody has", async (path, given) => {
  const metaFor = async (venueId: string) => {
    const fields = Object.entries(given).map(([key, value]) => [key, value.replaceAll("ID", venueId)]);
    const method = /add|edit|delete|annotate|propose|merge/.test(path) ? "POST" : "GET";
    const call = host.asUser(path.replaceAll("ID", venueId), Object.fromEntries(fields), { token: stranger, method });
    const { meta, response } = (await call).body;
    return JSON.stringify([meta, response]).replaceAll(/"(?:requestId|referralId)":"[\w-]+"/g, "");
  };
  expect(await metaFor(id)).toBe(await metaFor("0123456789abcdef01234567"));
});

test("C70: a listing that is linked to a held venue is refused to others without showing the venue", async () => {
  const { id: other } = await host.newVenue();
  const theirs = venueOf(await host.asUser("/v2/venues/add", freshVenue(), { method: "POST", token: stranger }));
  const refused = await host.annotate(theirs.id, "held listing", {}, { token: stranger });
  expect(refused.body.meta).toMatchObject({ code: 409, errorDetail: expect.stringContaining("waits for approval") });
  expect(refused.text).not.toContain(id);
  expect((await host.annotate(other, "held listing")).text).toContain(id);
});
