import { describe, expect, test } from "vitest";
import type { Venue } from "../../../../src/contract/resources.ts";
import { mergeVenues } from "../../../../src/directory/import/release/edition.ts";
import { randomId } from "../../../../src/shared/crypto.ts";
import { apiHost, DOWNTOWN, freshVenue, venueOf, venuesOf } from "../host.ts";
import { idsOf, linksHost, PROVIDER } from "../links-host.ts";

const operators: string[] = [];
const sampled = await apiHost({ sample: true, operators });
const host = await linksHost();
const { prisma } = host.deps;

const edit = (fields: Record<string, string>, token = host.user.token) =>
  host.asUser("/v2/venues/edit", fields, { method: "POST", token });
const metaOf = async (...of: Parameters<typeof edit>) => (await edit(...of)).body.meta;
const codeOf = async (...of: Parameters<typeof edit>) => (await metaOf(...of)).code;

test("an operator's edit is found by the new name, telephone number and place in every search, and no longer by the old", async () => {
  operators.splice(0, Infinity, "owner", sampled.user.userId);
  const search = async (fields: Record<string, string>) => {
    const parameters = { ll: DOWNTOWN, limit: "50", ...fields };
    return venuesOf(await sampled.asUser("/v2/venues/search", parameters)).map(({ id }) => id);
  };
  const [first] = venuesOf(await sampled.asUser("/v2/venues/search", { ll: DOWNTOWN, limit: "1" }));
  const { id, name, location } = first as Venue;
  const old = `${location?.lat},${location?.lng}`;
  const ll = "41.9012,-71.2345";
  const changes = { name: "Qwyxelblatt Zorn", phone: "+1 401 555 0987", ll, city: "Zornville", empty: "url,zip" };
  const edited = await sampled.asUser("/v2/venues/edit", { venueId: id, ...changes }, { method: "POST" });
  expect(edited.body.response).toMatchObject({
    venue: { id, name: changes.name, contact: { phone: "+14015550987" }, location: { city: "Zornville" } },
    change: { id: expect.stringMatching(/^\d+$/) },
  });
  const { phone } = changes;
  const found = [
    { ll, query: "Qwyxelblatt" },
    { ll, name: changes.name, intent: "match" },
    { ll, name: "Another name", phone, intent: "match", minScore: "0" },
    { ll, limit: "1" },
    { ll: "", near: "Zornville", query: "zorn" },
  ];
  for (const fields of found) expect(await search(fields), JSON.stringify(fields)).toContain(id);
  const gone = [
    { ll: old, query: name },
    { ll: old, name, intent: "match", minScore: "0" },
    { ll: old, limit: "50" },
  ];
  for (const fields of gone) expect(await search(fields), JSON.stringify(fields)).not.toContain(id);
  const closing = { venueId: id, closed: "true" };
  const closed = await sampled.asUser("/v2/venues/edit", closing, { method: "POST" });
  expect(venueOf(closed)).toMatchObject({ id, closed: true });
  for (const fields of found) expect(await search(fields), JSON.stringify(fields)).not.toContain(id);
  const { change } = closed.body.response as { change: { id: string } };
  await sampled.asUser("/v2/venues/revert", { changeId: change.id }, { method: "POST" });
  expect(await search({ ll, query: "Qwyxelblatt" })).toContain(id);
});

test("the user who added a venue may edit it, by the rules of adding, and nothing else is changed", async () => {
  const { id, name } = await host.newVenue({ phone: "+1 401 555 0123", city: "Providence" });
  expect(venueOf(await edit({ venueId: id, twitter: "@corner", empty: "phone" }))).toMatchObject({
    ...{ name, contact: { twitter: "corner" }, location: { city: "Providence" } },
  });
  expect(await prisma.venue.findUnique({ where: { id } })).toMatchObject({ phone: null, phoneNorm: null });
  const refused: [Record<string, string>, string][] = [
    [{ phone: "none" }, "phone must hold a telephone number"],
    [{ name: "…" }, "name must hold a letter or a digit"],
    [{ ll: "91,0" }, "ll is out of range"],
    [{ primaryCategoryId: "none" }, "primaryCategoryId is not a category id"],
    [{ empty: "name" }, "empty must name attributes to be emptied"],
    [{ was: "[1]" }, "was must be a JSON object"],
    [{ closed: "maybe" }, "closed must be true or false"],
    [{}, "Send at least one value to change"],
  ];
  for (const [fields, message] of refused)
    expect(await metaOf({ venueId: id, ...fields })).toMatchObject({
      ...{ code: 400, errorType: "param_error", errorDetail: expect.stringContaining(message) },
    });
  expect(await metaOf({ venueId: id, twitter: "corner" })).toMatchObject({ code: 409 });
  expect(await metaOf({ venueId: randomId(), city: "X" })).toMatchObject({ code: 400 });
});

test("C38: another user, another application and an operator with another's application may edit nothing", async () => {
  const { id } = await host.newVenue();
  const change = { venueId: id, city: "Elsewhere" };
  const before = await prisma.venue.findUnique({ where: { id } });
  expect([await codeOf(change, (await host.newUser()).token), await codeOf(change, host.rivalToken)]).toEqual([
    403, 403,
  ]);
  expect((await host.userless("/v2/venues/edit", change)).status).not.toBe(200);
  expect(await codeOf(change, "none")).toBe(401);
  const [foreign] = venuesOf(await sampled.asUser("/v2/venues/search", { ll: DOWNTOWN, limit: "1" }));
  for (const names of [[], ["owner"], [sampled.user.userId]]) {
    operators.splice(0, Infinity, ...names);
    const fields = { venueId: foreign?.id ?? "", city: "Elsewhere" };
    expect((await sampled.asUser("/v2/venues/edit", fields, { method: "POST" })).status).toBe(403);
  }
  expect(await prisma.venue.findUnique({ where: { id } })).toEqual(before);
});

test("C38: a venue that others use may not be edited by who added it", async () => {
  const [visited, old, changed] = [await host.newVenue(), await host.newVenue(), await host.newVenue()];
  await host.asUser("/v2/checkins/add", { venueId: visited.id }, { method: "POST" });
  await prisma.venue.update({ where: { id: old.id }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
  const before = { venue: { id: changed.id }, links: [] };
  await prisma.venueChange.create({ data: { venueId: changed.id, kind: "edited", userId: "olga", before, after: {} } });
  const refusals = await Promise.all([visited, old, changed].map(({ id }) => metaOf({ venueId: id, city: "X" })));
  expect(refusals).toMatchObject([
    { code: 409, errorDetail: "Somebody has checked in at this venue." },
    { code: 409, errorDetail: "A venue may be edited only within a day after it was added." },
    { code: 409, errorDetail: "Somebody else has changed this venue." },
  ]);
});

test("C39: an edit based on a value that was changed meanwhile is refused with the present one; other values may differ", async () => {
  const { id } = await host.newVenue({ city: "Providence" });
  expect(await codeOf({ venueId: id, city: "Cranston", was: '{"city":"Providence"}' })).toBe(200);
  const late = await metaOf({ venueId: id, city: "Warwick", was: '{"city":"Providence"}' });
  expect(late).toMatchObject({ code: 409, errorDetail: expect.stringContaining('city "Cranston"') });
  expect(await codeOf({ venueId: id, zip: "02903", was: '{"zip":"","city":"Providence"}' })).toBe(200);
  expect(await prisma.venue.findUnique({ where: { id } })).toMatchObject({ city: "Cranston", zip: "02903" });
});
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
