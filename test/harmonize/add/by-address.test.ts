import { expect, test } from "vitest";
import { Prisma } from "../../../src/db/generated/client.ts";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import type { Query } from "../../../src/harmonize/run/rows.ts";
import { makeHarmonization } from "../rows.ts";
import { ourDirectory } from "./our-directory.ts";

const { site, deps, browser, accountId, person, category } = await ourDirectory();
const { prisma } = site.database;

const HERE = { lat: 41.8703, lng: -71.3705, estimated: true };
const NAMES = ["Qwyxelblatt Zorn", "Qwyxelblatt Zorn", "Vunkelhof Prax", "Ombrelsting Quay"];

/** Listings of a town: two equal ones and another by address, one that the directory cannot place, one with a position. */
async function begin() {
  const query = (name: string, at: number): Query => ({
    ...{ name, near: "Providence, RI", address: `${at} Zebulon Quay`, city: "Providence", state: "RI" },
    ...(at < 4 && { byAddress: { ...HERE, lat: HERE.lat + (at > 2 ? 0.01 : 0) } }),
  });
  const listings = NAMES.map((name, at) => ({
    name,
    more: { query: { ...query(name, Math.max(at + 1, 2)) } as object },
  }));
  const placed = {
    name: "Zzyvanterra Loft",
    more: { query: { name: "Zzyvanterra Loft", ll: { lat: 41.86, lng: -71.36 } } },
  };
  return makeHarmonization(site.database, accountId, [...listings, placed], { directory: site.apiUrl });
}
const decisions = async (harmonizationId: string) =>
  (await prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } })).map(
    ({ decision }) => decision,
  );

test("C74: listings with only an estimated position are added if a person says so, and their venues say it", async () => {
  const h = await begin();
  const counts = async () => {
    const { addable, addableByAddress, unplaced } = await progressOf(deps, h);
    return { addable, addableByAddress, unplaced };
  };
  expect(await counts()).toEqual({ addable: 1, addableByAddress: 3, unplaced: 1 });
  await startAdding(deps, h, person, { categoryId: category.id });
  await addListings(deps, h, { signal: new AbortController().signal });
  expect(await decisions(h.id)).toEqual([null, null, null, null, "added"]);
  expect(
    await prisma.listing.count({ where: { harmonizationId: h.id, NOT: { problem: { equals: Prisma.DbNull } } } }),
  ).toBe(0);
  const page = await browser.get(`/harmonizations/${h.id}/add`);
  expect(page.body).toContain("3 rows have only an estimated position: add them too");
  expect(page.body).toMatch(/name="byAddress" value="1" required>/);
  const sent = { primaryCategoryId: category.id, categoryId: category.id, byAddress: "1" };
  expect((await browser.submit(page, `/harmonizations/${h.id}/add`, sent)).status).toBe(303);
  const { task } = await prisma.harmonization.findUniqueOrThrow({ where: { id: h.id } });
  expect(task).toMatchObject({ kind: "add", byAddress: true });
  expect(await progressOf(deps, { ...h, state: "adding" })).toMatchObject({ total: 3, done: 0 });
  await addListings(deps, h, { signal: new AbortController().signal });
  expect(await decisions(h.id)).toEqual(["added", "matched", "added", null, "added"]);
  const venues = await prisma.venue.findMany({
    where: { name: { in: [...NAMES, "Zzyvanterra Loft"] } },
    orderBy: { name: "asc" },
  });
  expect(venues.map(({ name, lat, positionByAddress }) => [name, lat, positionByAddress])).toEqual([
    ["Qwyxelblatt Zorn", 41.8703, true],
    ["Vunkelhof Prax", 41.8803, true],
    ["Zzyvanterra Loft", 41.86, null],
  ]);
});

test("C74: before such an add a venue of the name is looked for in the whole town, not where the address may be", async () => {
  const there = { name: "Umbrelquist Vane", ll: "41.8100,-71.4300", primaryCategoryId: category.id };
  const auth = await deps.authFor(accountId);
  await deps.directory.addVenue(
    auth ?? { token: "" },
    { ...there, ll: { lat: 41.81, lng: -71.43 }, city: "Providence" },
    { idempotencyKey: "1" },
  );
  const query: Query = { name: there.name, near: "Providence, RI", address: "9 Zebulon Quay", byAddress: HERE };
  const h = await makeHarmonization(
    site.database,
    accountId,
    [{ name: there.name, more: { query: { ...query } as object } }],
    {
      directory: site.apiUrl,
    },
  );
  await startAdding(deps, h, person, { categoryId: category.id, byAddress: true });
  await addListings(deps, h, { signal: new AbortController().signal });
  const [listing] = await prisma.listing.findMany({ where: { harmonizationId: h.id } });
  expect([listing?.decision, listing?.candidates]).toMatchObject([null, [{ name: there.name }]]);
});
