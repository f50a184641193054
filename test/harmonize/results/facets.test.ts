import { expect, test } from "vitest";
import { BANDS, facetsOf } from "../../../src/harmonize/results/facets.ts";
import { listListings } from "../../../src/harmonize/results/listings.ts";
import type { Filter } from "../../../src/harmonize/review/filter.ts";
import type { Outcome } from "../../../src/harmonize/run/rows.ts";
import { testDatabase } from "../../support/database/database.ts";
import { makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const directory = "http://localhost:3002";
const { database } = await testDatabase();
const account = await makeAccount(database, "Ada", directory);
const header = ["id", "name", "town", "phone"];
const columns = { id: 0, name: 1, city: 2, phone: 3 };
const towns = ["Providence", "providence ", "Newport", "", "50% _"];

const made = Array.from({ length: 40 }, (_, at) => {
  const score = [0.3, 0.55, 0.8, 0.93, 0.99][at % 5] ?? 0;
  return {
    name: `Shop ${at}`,
    candidates:
      at % 8 === 0 ? [] : [makeCandidate(`v${at}`, score, { name: 3, phone: at % 2 ? -1 : -3, zip: at % 3 ? 1 : -1 })],
    more: { isClear: true, cells: [`own-${at}`, `Shop ${at}`, towns[at % 5] ?? "", at % 4 ? "401" : " "] },
  };
});
const h = await makeHarmonization(database, account, made, { directory, header, columns });
const facets = async (filter: Filter = {}, outcome?: Outcome, text = "") => {
  const { value } = await facetsOf(database, h, { outcome, text, filter });
  if (!value) throw new Error("not counted in time");
  return value;
};
const listed = async (filter: Filter, outcome?: Outcome, text?: string) =>
  (await listListings(database, h, { filter, outcome, text })).listings.length;

test("each count of a facet equals the length of the list that it leads to, alone and within an outcome and a search", async () => {
  for (const [outcome, text] of [
    [undefined, ""],
    ["review", ""],
    ["matched", ""],
    [undefined, "shop 1"],
  ] as const) {
    const { all, reasons, towns: found, bands, filled } = await facets({}, outcome, text);
    expect(all).toBe(await listed({}, outcome, text));
    for (const [reason, count] of reasons) expect(await listed({ reason }, outcome, text), reason).toBe(count);
    for (const [town, count] of found) expect(await listed({ town, townColumn: 3 }, outcome, text), town).toBe(count);
    for (const [at, from] of BANDS.entries())
      expect(await listed({ from, to: BANDS[at + 1] ?? 2 }, outcome, text), `from ${from}`).toBe(bands[at]);
    for (const [at, count] of filled.entries()) {
      expect(await listed({ column: at + 1, isFilled: true }, outcome, text), header[at]).toBe(count);
      expect(await listed({ column: at + 1, isFilled: false }, outcome, text), header[at]).toBe(all - count);
    }
  }
});

test("a reason counts however strong it is, a town in any case, and a blank cell as empty", async () => {
  const { reasons, towns: found, filled } = await facets();
  expect(Object.fromEntries(reasons)).toMatchObject({ "phone-": 35, "name+": 35 });
  expect(found[0]?.[0].toLowerCase()).toBe("providence");
  expect(found[0]?.[1]).toBe(16);
  expect(filled).toEqual([40, 40, 32, 30]);
});

test("facets are combined, and each narrows down the counts of the others", async () => {
  const filter: Filter = { town: "NEWPORT", townColumn: 3, reason: "phone-", column: 4, isFilled: true };
  const { all, bands } = await facets(filter);
  expect([all, bands]).toEqual([await listed(filter), [0, 0, all, 0, 0]]);
  expect(all).toBeGreaterThan(0);
  expect(await listed({ town: "50% _", townColumn: 3 })).toBe(8);
  expect(await listed({ town: "%", townColumn: 3 })).toBe(0);
});

test("a search finds a listing by its name as corrected and as in the file", async () => {
  const corrected = {
    ...made[0],
    name: "Plaza Grille",
    more: { ...made[0]?.more, cells: ["1", "PLUAA GRILLE", "", ""] },
  };
  const other = await makeHarmonization(database, account, [corrected], { directory, header, columns });
  for (const text of ["plaza", "pluaa"])
    expect((await listListings(database, other, { filter: {}, outcome: undefined, text })).listings, text).toHaveLength(
      1,
    );
});
