import { expect, test } from "vitest";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { addOnce } from "../../../src/harmonize/add/once.ts";
import { listingRecord } from "../../../src/harmonize/add/record.ts";
import { annotateListings, startAnnotating } from "../../../src/harmonize/annotate/annotate-listings.ts";
import { withPoints } from "../points.ts";
import { makeHarmonization } from "../rows.ts";
import { ourDirectory } from "./our-directory.ts";

const { site, web, deps, accountId, person, category } = await ourDirectory();
const { prisma, pool } = site.database;
const { signal } = new AbortController();

/** Starts a run with listings on one point in the sample's town. */
async function begin(names: string[], ll = { lat: 41.824, lng: -71.4128 }) {
  const listings = names.map((name) => ({ name, more: { query: { name, ll } } }));
  return makeHarmonization(site.database, accountId, listings, { directory: site.apiUrl });
}
const listings = (id: string) =>
  prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
const venues = (name: string) => prisma.venue.count({ where: { name } });

test("our own directory gets one venue for two equal rows, existing venues are matched, and the ids are annotated", async () => {
  const there = await prisma.venue.findFirstOrThrow({ where: { city: "Providence", phone: { not: null } } });
  const h = await begin(["Qwyxelblatt Zorn", "Qwyxelblatt Zorn", there.name]);
  const query = {
    name: there.name,
    ll: { lat: there.lat, lng: there.lng },
    phone: there.phone,
    address: there.address,
  };
  await prisma.listing.updateMany({ where: { harmonizationId: h.id, number: 3 }, data: { query } });
  await startAdding(deps, h, person, { categoryId: category.id });
  await addListings(deps, h, { signal });
  const after = await listings(h.id);
  expect(after.map(({ decision }) => decision)).toEqual(["added", "matched", "matched"]);
  expect([after[1]?.venueId === after[0]?.venueId, after[2]?.venueId]).toEqual([true, there.id]);
  expect(await venues("Qwyxelblatt Zorn")).toBe(1);

  const { clientId } = await web.credentials();
  await prisma.provider.create({ data: { id: "listings-of-ada", clientId } });
  const annotating = { ...deps, providerId: async () => "listings-of-ada" };
  await startAnnotating(annotating, h, person);
  await annotateListings(annotating, h, { signal });
  const links = await prisma.link.findMany({ orderBy: { linkedId: "asc" } });
  expect(links.map(({ linkedId, venueId }) => [linkedId, venueId])).toEqual(after.map((l) => [l.ownId, l.venueId]));
  await prisma.link.updateMany({ where: { linkedId: "own-1" }, data: { venueId: there.id } });
  await pool.query("UPDATE app.listing SET annotated_at = NULL");
  await startAnnotating(annotating, h, person);
  await annotateListings(annotating, h, { signal });
  const { task } = await prisma.harmonization.findUniqueOrThrow({ where: { id: h.id } });
  expect(task).toMatchObject({ report: { annotated: 2, conflicts: 1 } });
  expect((await listings(h.id))[0]?.annotationProblem).toEqual({ code: "already_on", name: there.name, id: there.id });
});

test("F01: a run killed repeatedly after a response adds each listing once", async () => {
  const names = ["Vunkelhof Prax", "Ombrelsting Quay", "Zzyvanterra Loft"];
  const h = await begin(names);
  await startAdding(deps, h, person, { categoryId: category.id });
  let kills = 0;
  const killed = withPoints(deps, (name) => {
    if (name !== "add: answered") return;
    kills += 1;
    throw new Error("killed");
  });
  for (let round = 0; round < 5; round++) await addListings(killed, h, { signal }).catch(() => undefined);
  expect(kills).toBe(5);
  await addListings(deps, h, { signal });
  expect((await listings(h.id)).map(({ decision, adding }) => [decision, adding])).toEqual(
    names.map(() => ["added", null]),
  );
  expect(await Promise.all(names.map(venues))).toEqual([1, 1, 1]);
});

test("sixteen users who add one listing at once add one venue", async () => {
  const h = await begin(["Hrumblegate Nook"]);
  const auth = await deps.authFor(accountId);
  if (!auth) throw new Error("not connected");
  const venue = { name: "Hrumblegate Nook", ll: { lat: 41.824, lng: -71.4128 }, primaryCategoryId: category.id };
  // With all venues seen, only claim and key prevent sixteen adds.
  const seen = (await prisma.venue.findMany({ select: { id: true } })).map(({ id }) => id);
  const wish = { auth, accountId, venue, seen, how: "person" as const };
  const listing = listingRecord(deps, { id: h.id, number: 1 });
  const all = await Promise.all(Array.from({ length: 16 }, () => addOnce(deps, listing, wish)));
  expect(new Set(all.map((added) => added.kind)).size).toBe(1);
  expect(await venues("Hrumblegate Nook")).toBe(1);
});

test("a listing at a venue's very address waits for a person, though the venue's position is a kilometre off", async () => {
  const there = await prisma.venue.findFirstOrThrow({ where: { address: "1 Financial Plaza" } });
  const h = await begin(["Starbucks"]);
  const query = { name: "Starbucks", ll: { lat: 41.8246, lng: -71.4105 }, address: "1 Financial Plaza" };
  await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { query } });
  const before = await prisma.venue.count();
  await startAdding(deps, h, person, { categoryId: category.id });
  await addListings(deps, h, { signal });
  const [row] = await listings(h.id);
  expect([row?.decision, await prisma.venue.count()]).toEqual([null, before]);
  expect(row?.candidates).toContainEqual(expect.objectContaining({ id: there.id }));
});
