import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { mendListing } from "../../../src/harmonize/review/mend.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../../../src/harmonize/run/rows.ts";
import { ourDirectory } from "../add/our-directory.ts";

const { site, deps, accountId, person } = await ourDirectory();
const { prisma, pool } = site.database;
const { signal } = new AbortController();

const BRANCHES = 40;
const HEADQUARTERS = { lat: 45, lng: -68.5 };
/** Such that no two differ by few letters. */
const TOWNS = Array.from(
  { length: BRANCHES },
  (_, n) =>
    `${["Ash", "Brook", "Calder", "Dunmore", "Elder"][n % 5]}${["by", "dale", "ford", "ham", "mouth", "stead", "wick", "worth"][Math.floor(n / 5)]}`,
);
const street = (n: number) => `${10 + 7 * n} High Street`;

const venues = [
  ...TOWNS.map((town, n) => `h${n},Quillon & Marsh,${45 + n / 5},-68.5,${street(n)},${town},ME,${4110 + n}`),
  `x0,Ferret & Quay,45,-70,,,,`,
  ...TOWNS.slice(0, 12).map((_, n) => `t${n},Walrus Records,${44 + n / 100},-67,${street(n)},Newtport,ME,`),
  ...TOWNS.slice(0, 12).map((_, n) => `m${n},Shop of ${TOWNS[n]} ${n}wide,43,-69,1 Mall Way,Mallham,ME,`),
];
const file = path.join(inject("run").folder, "one-position.csv");
writeFileSync(file, `id,name,lat,lng,address,city,state,zip\n${venues.join("\n")}\n`);
await importVenues({ ...site.database, file, keepIds: true, replace: false });

/** Matches a file of rows `name,lat,lng,address,city`; returns what each cut accepts. */
async function matched(rows: string[]) {
  const text = `name,lat,lng,address,city\n${rows.join("\n")}\n`;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const id = await receiveFile(deps, { accountId, name: "branches.csv", bytes, signal });
  await prisma.harmonization.update({ where: { id }, data: { state: "reading" } });
  const load = async () => (await loadHarmonization(deps, id)) ?? expect.fail();
  await readListings(deps, await load(), { signal });
  for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
    await matchPending(deps, await load(), { portion, signal });
  const accepted = async (cut: number) => {
    await prisma.harmonization.update({ where: { id }, data: { acceptFrom: cut } });
    const { rows } = await pool.query<{ venue: string | null }>(
      `SELECT CASE WHEN ${OUTCOME.text} = 'matched' THEN ${MATCHED_VENUE.text} END AS venue FROM app.listing l JOIN app.harmonization h
         ON h.id = l.harmonization_id WHERE h.id = $1 ORDER BY l.number`,
      [id],
    );
    return rows.map(({ venue }) => venue);
  };
  return {
    id,
    load,
    accepted,
    listings: () => prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } }),
  };
}

const CUTS = [0.5, 0.6, 0.77, 0.9];
const branches = (name: string, { lat, lng } = HEADQUARTERS, city = (n: number) => TOWNS[n]) =>
  TOWNS.map((_, n) => `${name},${lat},${lng},${street(n)},${city(n)}`);

describe("a file that puts every branch at one position", () => {
  test("F80: has each branch matched in its own town, and none with another, at every cut", async () => {
    const { accepted, listings } = await matched(branches("Quillon & Marsh"));
    for (const cut of CUTS) expect(await accepted(cut)).toEqual(TOWNS.map((_, n) => `h${n}`));
    expect((await listings())[3]?.query).toMatchObject({
      near: TOWNS[3],
      repaired: { by: "shared", was: HEADQUARTERS },
      byAddress: { lat: 45.6, lng: -68.5 },
    });
  });

  test("F80: matches none with a venue at that position of which nothing else is known", async () => {
    const there = { lat: 45, lng: -70 };
    for (const city of [(n: number) => `Unheardof${n}ville`, () => ""]) {
      const { accepted, listings } = await matched(branches("Ferret & Quay", there, city));
      for (const cut of CUTS) expect(await accepted(cut)).toEqual(TOWNS.map(() => null));
      const found = await listings();
      expect(found.map(({ status }) => status)).toEqual(TOWNS.map(() => "asked"));
      expect(found.map(({ bestId }) => bestId)).toEqual(TOWNS.map(() => "x0"));
    }
  });

  test("F80: has branches of one town matched by their house numbers", async () => {
    const rows = branches("Walrus Records", { lat: 44.05, lng: -67 }, () => "Newtport").slice(0, 12);
    expect(await (await matched(rows)).accepted(0.77)).toEqual(rows.map((_, n) => `t${n}`));
  });

  test("F80: keeps the position of shops with names of their own, and of two branches", async () => {
    const shops = TOWNS.slice(0, 12).map((town, n) => `Shop of ${town} ${n}wide,43,-69,${n} Mall Way,Mallham`);
    const two = branches("Quillon & Marsh").slice(0, 2);
    const { listings } = await matched([...shops, ...two]);
    expect((await listings()).filter(({ query }) => (query as { ll?: object }).ll === undefined)).toEqual([]);
  });

  test("F80: keeps the position of one address with many floors and spellings", async () => {
    const floors = [1, 2, 3, 4].map((level) => `Grab Locker,43,-69,"Level ${level}, 1 Mall Way",Mallham`);
    const spellings = ["Street", "St", "St."].map((street) => `Corner Cafe,43,-69,12 High ${street},Mallham`);
    const { listings } = await matched([...floors, ...spellings]);
    const points = (await listings()).map(({ query }) => (query as { ll?: object; repaired?: object }) ?? {});
    expect(points.map(({ ll, repaired }) => [ll, repaired])).toEqual(
      points.map(() => [{ lat: 43, lng: -69 }, undefined]),
    );
  });

  test("F80: is corrected row by row: another field leaves the position out, a position typed counts", async () => {
    const { id, load, listings } = await matched(branches("Quillon & Marsh"));
    const auth = (await deps.authFor(accountId)) ?? expect.fail();
    const mend = async (typed: { lat: string; lng: string; phone?: string }) => {
      const [, , , seen] = await listings();
      const reviewed = { h: await load(), person, number: 4 };
      await mendListing(deps, reviewed as never, {
        auth,
        seen: seen?.matchedAt ?? null,
        mend: { name: "Quillon & Marsh", ...typed },
      });
      return (await listings())[3]?.query;
    };
    expect(await mend({ lat: "", lng: "", phone: "207 555 0101" })).toMatchObject({
      near: TOWNS[3],
      repaired: { by: "shared" },
    });
    expect(await mend({ lat: "45.6", lng: "-68.5" })).toMatchObject({ ll: { lat: 45.6, lng: -68.5 } });
    expect(id).toBeTruthy();
  });
});
