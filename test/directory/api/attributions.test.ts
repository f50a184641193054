import { beforeAll, expect, test } from "vitest";
import { openApi, operationsOf } from "../docs/openapi.ts";
import { credentialsOf, freshVenue, V } from "./host.ts";
import { linksHost, PROVIDER } from "./links-host.ts";

const host = await linksHost();
const fields = freshVenue({ name: "Zephyrquill Lanternworks", address: "17 Obscura Lane", city: "Heldhaven" });
const { name, ll } = fields as Record<string, string>;
let id = "";
let sourceId = 0;
beforeAll(async () => {
  ({ id } = await host.newVenue(fields));
  const { rows } = await host.deps.pool.query<{ id: number }>(
    "INSERT INTO directory.source (release, dataset, attribution) VALUES ('overture', 'meta', 'Data from Meta') RETURNING id",
  );
  sourceId = rows[0]?.id ?? 0;
  await host.deps.pool.query("UPDATE directory.venue SET source_id = $1", [sourceId]);
  await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
});

const listing = { name: name ?? "", ll: ll ?? "" };

/** A call of every endpoint, by its path in the documentation. ID stands for the venue. Undefined: no venue is in its answer. */
const CALLS: Record<string, Record<string, string> | undefined> = {
  "/v2/venues/search": { ...listing, intent: "match" },
  "/v2/venues/match": { listings: JSON.stringify([listing]) },
  "/v2/venues/add": { ...listing, primaryCategoryId: fields.primaryCategoryId ?? "" },
  "/v2/venues/{id}": {},
  "/v2/venues/lookup": { venueId: "ID" },
  "/v2/venues/annotate": { venueId: "ID", providerId: PROVIDER, linkedId: "one" },
  "/v2/venues/{id}/annotate": { providerId: PROVIDER, linkedId: "one" },
  "/v2/venues/edit": undefined, // an imported venue: operators only, who get what venues/merge answers
  "/v2/venues/merge": undefined,
  "/v2/venues/revert": undefined,
  "/v2/checkins/add": { venueId: "ID" },
  "/v2/checkins/edit": undefined, // what checkins/add answers
  "/v2/checkins/delete": undefined,
  "/v2/users/{id}/checkins": {},
  "/v2/multi": { requests: `/venues/ID,/venues/search?ll=${ll}` },
  "/v2/venues/{id}/links": undefined,
  "/v2/venues/delete": undefined,
  "/v2/venues/propose": undefined,
  "/v2/venues/withdraw": undefined,
  "/v2/venues/categories": undefined,
  "/v2/users/{id}": undefined,
  "/v2/users/{id}/proposals": undefined,
  "/v2/addresses/locate": undefined,
  "/v2/map/tile": undefined,
};

/** The objects within an answer that show the venue by its name. */
function shownIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(shownIn);
  return "id" in value && value.id === id && "name" in value ? [value as Record<string, unknown>, ...inside] : inside;
}

test("C73: the calls of this test cover every endpoint under /v2", async () => {
  const document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
  const paths = operationsOf(document).map(({ path }) => path);
  expect(Object.keys(CALLS).toSorted()).toEqual(
    [...new Set(paths.filter((path) => path.startsWith("/v2/") && !path.endsWith("/lines")))].toSorted(),
  );
});

test.each(Object.entries(CALLS).flatMap(([path, call]) => (call ? [[path, call] as const] : [])))(
  "C73: %s names the source of every venue that it shows",
  async (path, call) => {
    const parameters = Object.fromEntries(Object.entries(call).map(([key, value]) => [key, value.replace("ID", id)]));
    const at = path.replace("users/{id}", "users/self").replace("{id}", id);
    const method = /match$|annotate|add$|lookup/.test(path) ? "POST" : "GET";
    const { body } = await host.asUser(at, parameters, { method });
    const shown = shownIn(body.response);
    expect(shown.length).toBeGreaterThan(0);
    for (const venue of shown) expect(venue).toMatchObject({ source: { attribution: "Data from Meta" } });
  },
);

test("C73: the page and the previews of a venue name its source", async () => {
  const caller = { v: V, ...credentialsOf(host.application), id };
  for (const path of [`/venues/${id}`, "/reconcile/0.2/preview", "/reconcile/1.0/preview"])
    expect((await host.send("GET", path, caller)).text).toContain("Data from Meta");
});
