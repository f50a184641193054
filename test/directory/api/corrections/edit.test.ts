import { expect, test } from "vitest";
import type { Venue } from "../../../../src/contract/resources.ts";
import { randomId } from "../../../../src/shared/crypto.ts";
import { apiHost, DOWNTOWN, venueOf, venuesOf } from "../host.ts";
import { linksHost } from "../links-host.ts";

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
