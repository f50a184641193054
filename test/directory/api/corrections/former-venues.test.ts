import { describe, expect, test } from "vitest";
import { mergeVenues } from "../../../../src/directory/import/release/merge-venues.ts";
import { randomId } from "../../../../src/shared/crypto.ts";
import { freshVenue, venueOf, venuesOf } from "../host.ts";
import { idsOf, linksHost, PROVIDER } from "../links-host.ts";

const host = await linksHost();
const { annotate, linksOf, newVenue, deps } = host;
const get = (id: string) => host.userless(`/v2/venues/${id}`);

async function merge(merges: { id: string; into: string }[]) {
  const client = await deps.pool.connect();
  return mergeVenues(client, merges).finally(() => client.release());
}

describe("a venue that was merged into another", () => {
  test("leads to the other, with its links and check-ins", async () => {
    const [former, venue] = [await newVenue(), await newVenue()];
    const [before, after] = [randomId(), randomId()];
    await annotate(former.id, before);
    await host.asUser("/v2/checkins/add", { venueId: former.id }, { method: "POST" });
    await host.asUser("/v2/checkins/add", { venueId: venue.id }, { method: "POST" });
    expect(await merge([{ id: former.id, into: venue.id }])).toHaveLength(1);
    expect(venueOf(await get(former.id))).toMatchObject({ id: venue.id, stats: { checkinsCount: 2, usersCount: 1 } });
    expect((await annotate(former.id, after)).status).toBe(200);
    expect((await linksOf(former.id)).items.map(({ linkedId }) => linkedId).sort()).toEqual([before, after].sort());
    expect(idsOf(await host.userless("/v2/venues/search", { providerId: PROVIDER, linkedId: before }))).toEqual([
      venue.id,
    ]);
    await host.asUser("/v2/checkins/add", { venueId: former.id }, { method: "POST" });
    expect(venueOf(await get(venue.id)).stats).toMatchObject({ checkinsCount: 3 });
    const page = await host.send("GET", `/venues/${former.id}`);
    expect([page.status, page.headers.location]).toEqual([301, `http://localhost:3002/venues/${venue.id}`]);
  });

  test("still leads to the right one when that is merged too, and never in a circle", async () => {
    const [first, second, third] = [await newVenue(), await newVenue(), await newVenue()];
    await merge([{ id: first.id, into: second.id }]);
    await merge([{ id: second.id, into: third.id }]);
    expect(venueOf(await get(first.id)).id).toBe(third.id);
    expect(await merge([{ id: third.id, into: first.id }])).toEqual([]);
    expect(venueOf(await get(third.id)).id).toBe(third.id);
  });
});

test("two venues that are merged into one at once bring it their check-ins, each counted once", async () => {
  const [one, other, venue] = [await newVenue(), await newVenue(), await newVenue()];
  for (const { id } of [one, other, venue]) await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
  await merge([one, other].map(({ id }) => ({ id, into: venue.id })));
  expect(venueOf(await get(venue.id)).stats).toMatchObject({ checkinsCount: 3, usersCount: 1 });
});

describe("a closed venue", () => {
  const CLOSE = "UPDATE directory.venue SET closed_at = now() WHERE id = $1";

  test("is found by no search, but by its id", async () => {
    const name = `Quixotic ${randomId()}`;
    const fields = { name, phone: "(401) 555-7788", url: `https://${randomId()}.example/` };
    const venue = await newVenue(fields);
    const { ll } = venue;
    const searches = [
      { ll },
      { ll, query: name },
      { query: name, intent: "global" },
      { ll, name, intent: "match", phone: fields.phone },
      { url: fields.url },
    ];
    const found = async () => {
      const answers = await Promise.all(searches.map((search) => host.userless("/v2/venues/search", search)));
      return answers.map((answer) => venuesOf(answer).some(({ id }) => id === venue.id));
    };
    expect(await found()).toEqual(searches.map(() => true));
    await deps.pool.query(CLOSE, [venue.id]);
    expect(await found()).toEqual(searches.map(() => false));
    expect(venueOf(await get(venue.id))).toMatchObject({ id: venue.id, name, closed: true });
    expect((await host.send("GET", `/venues/${venue.id}`)).text).toContain("Closed for good");
  });

  test("prevents no venue of the same name in its place", async () => {
    const fields = { name: `Revenant ${randomId()}` };
    const venue = await newVenue(fields);
    await deps.pool.query(CLOSE, [venue.id]);
    const again = await host.asUser("/v2/venues/add", freshVenue({ ...fields, ll: venue.ll }));
    expect(again.status).toBe(200);
  });
});

test("C73: an imported venue says where it comes from, in the API and on its page", async () => {
  const { id } = await newVenue();
  expect(venueOf(await get(id))).not.toHaveProperty("source");
  const { rows } = await deps.pool.query(
    `INSERT INTO directory.source (release, dataset, attribution, licence, url)
     VALUES ('overture', 'meta', 'Data from <Meta>', 'CDLA-Permissive-2.0', 'https://licence.example/') RETURNING id`,
  );
  await deps.pool.query("UPDATE directory.venue SET source_id = $2 WHERE id = $1", [id, rows[0].id]);
  const source = { attribution: "Data from <Meta>", licence: "CDLA-Permissive-2.0", url: "https://licence.example/" };
  expect(venueOf(await get(id))).toMatchObject({ source });
  const { name, ll } = freshVenue();
  const other = await newVenue({ name, ll });
  await deps.pool.query("UPDATE directory.venue SET source_id = $2 WHERE id = $1", [other.id, rows[0].id]);
  const matched = await host.asUser(
    "/v2/venues/match",
    { listings: JSON.stringify([{ name, ll }]) },
    { method: "POST" },
  );
  expect(matched.body.response.responses).toMatchObject([{ response: { venues: [{ id: other.id, source }] } }]);
  expect((await host.send("GET", `/venues/${id}`)).text).toContain("Data from &lt;Meta&gt;, CDLA-Permissive-2.0");
});
