import { describe, expect, test } from "vitest";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { startUndoing, undoListings } from "../../../src/harmonize/add/undo-listings.ts";
import { countHeld } from "../../../src/harmonize/add/undo-rows.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import type { AddTask, Deps } from "../../../src/harmonize/run/long-task.ts";
import type { Problem } from "../../../src/harmonize/run/problems/problems.ts";
import { wordsOf } from "../../../src/harmonize/run/problems/words.ts";
import type { Candidate } from "../../../src/harmonize/run/rows.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";
import { ourDirectory } from "./our-directory.ts";

const { site, deps, accountId, person, category } = await ourDirectory();
const { prisma, pool } = site.database;
const { signal } = new AbortController();
const strangerId = await makeAccount(site.database, "Stranger", site.authUrl);
const other = makeCandidate("other", 0.3);

/** What a row of another file may have to do with an added venue. */
interface Case {
  row(venueId: string): Omit<NonNullable<MadeListing["more"]>, "candidates"> & { candidates?: Candidate[] };
  file?: object;
  isHeld: boolean;
  /** What is left of the row if the venue goes. */
  left?: object;
}

const decidedAt = new Date("2026-11-20T08:00:00Z");
const decided = (venueId: string) => ({ decision: "matched", venueId, venueName: "V", decidedAt }) as const;
const best = (venueId: string, score: number) => ({ candidates: [makeCandidate(venueId, score), other] });
const withoutIt = { bestId: "other", candidates: [other] };

const CASES: Record<string, Case> = {
  "matched by a person": { row: (id) => ({ ...decided(id), decidedHow: "person" }), isHeld: true },
  "matched by a person who found it by words": {
    row: (id) => ({ ...decided(id), decidedHow: "person", candidates: [other] }),
    isHeld: true,
  },
  "matched with others": { row: (id) => ({ ...decided(id), decidedHow: "family" }), isHeld: true },
  "added in the edition before": {
    row: (id) => ({ ...decided(id), decision: "added", decidedHow: "kept" }),
    isHeld: true,
  },
  "taken over from a bridge file": {
    row: (id) => ({ ...decided(id), decidedHow: "many", why: { code: "elsewhere", file: "bridge.csv" } }),
    isHeld: true,
  },
  "accepted by its score": { row: (id) => ({ ...best(id, 0.99), isClear: true }), isHeld: true },
  "matched in a file that still runs": {
    row: (id) => ({ ...best(id, 0.99), isClear: true }),
    file: { state: "matching" },
    isHeld: true,
  },
  "matched in a file that was cancelled": {
    row: (id) => ({ ...decided(id), decidedHow: "person" }),
    file: { state: "cancelled" },
    isHeld: true,
  },
  "in review, with the venue as its best candidate": {
    row: (id) => best(id, 0.5),
    isHeld: false,
    left: { decision: null, ...withoutIt },
  },
  "below the limit, though clear": {
    row: (id) => ({ ...best(id, 0.6), isClear: true }),
    isHeld: false,
    left: { decision: null, isClear: false, ...withoutIt },
  },
  "rejected by a person": {
    row: (id) => ({ ...best(id, 0.99), isClear: true, decision: "rejected", decidedHow: "person", decidedAt }),
    isHeld: false,
    left: { decision: "rejected", decidedAt, ...withoutIt },
  },
  "matched with another venue": {
    row: (id) => ({ ...best(id, 0.9), ...decided("other"), decidedHow: "person" }),
    isHeld: false,
    left: { decision: "matched", venueId: "other", decidedAt },
  },
  "in a file that is being deleted": {
    row: (id) => ({ ...decided(id), decidedHow: "person" }),
    file: { state: "deleting" },
    isHeld: false,
    left: { venueId: expect.any(String) },
  },
  "of a file of another directory": {
    row: (id) => ({ ...decided(id), decidedHow: "person" }),
    file: { directory: "http://elsewhere.test" },
    isHeld: false,
    left: { decision: "matched", venueId: expect.any(String) },
  },
};

const OWNERS = { own: accountId, "another person’s": strangerId };
const FAMILY = Object.entries(CASES).flatMap(([name, each]) =>
  Object.entries(OWNERS).map(([whose, owner]) => ({ name: `${whose} row, ${name}`, owner, ...each })),
);

/** Adds listings far from each other and from all venues. */
async function added(count: number, town: string, more: object = {}): Promise<{ h: Harmonization; venues: string[] }> {
  const word = (number: number) =>
    [...String(number)].map((digit) => "bo ka lu mi ne po ra si tu ve".split(" ")[+digit]);
  const listings = Array.from({ length: count }, (_, at) => {
    const name = `${town} ${word(at + 100).join("")}`;
    return { name, more: { query: { name, ll: { lat: 20 + at / 50, lng: 50 } }, decision: null } };
  });
  const file = { directory: site.apiUrl, name: "first.csv", ...more };
  const h = await makeHarmonization(site.database, accountId, listings, file);
  await startAdding(deps, h, person, { categoryId: category.id });
  while (!((await now(h)).task as unknown as AddTask).report) await addListings(deps, h, { signal });
  const rows = await listingsOf(h.id);
  return { h, venues: rows.map(({ venueId }) => venueId ?? "") };
}

const listingsOf = (id: string) =>
  prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } });
const now = async ({ id }: Pick<Harmonization, "id">) => (await loadHarmonization(deps, id)) as Harmonization;
const exists = async (id: string) => (await prisma.venue.count({ where: { id } })) === 1;
const file = (owner: string, rows: MadeListing[], more: object = {}) =>
  makeHarmonization(site.database, owner, rows, { directory: site.apiUrl, name: "second.csv", ...more });

async function undo(h: Harmonization, with_: Deps = deps): Promise<unknown> {
  await startUndoing(with_, h, person);
  await undoListings(with_, await now(h), { signal });
  return (await now(h)).task;
}

describe("F78: an undo of adds while", () => {
  const made = (async () => {
    const { h, venues } = await added(FAMILY.length, "Grindelbrock");
    const files = [];
    for (const [at, { row, owner, file: more }] of FAMILY.entries()) {
      const { candidates = [], ...columns } = row(venues[at] ?? "");
      files.push(await file(owner, [{ name: "Held", candidates, more: columns }], more));
    }
    const announced = (await countHeld(deps, await now(h))).venues;
    const task = await undo(h);
    return { h, venues, files, announced, task, rows: await listingsOf(h.id) };
  })();

  test.each(FAMILY.map((each, at) => ({ ...each, at })))("$name: $isHeld", async ({ at, isHeld, left }) => {
    const { venues, files, rows } = await made;
    const [venue = "", row, of] = [venues[at], rows[at], files[at]];
    const [holder] = await listingsOf(of?.id ?? "");
    expect(await exists(venue)).toBe(isHeld);
    if (!isHeld) {
      expect(row).toMatchObject({ decision: null, venueId: null, problem: null, why: { code: "add_undone" } });
      expect(holder).toMatchObject(left ?? {});
      return;
    }
    expect(row).toMatchObject({ decision: "added", venueId: venue });
    expect(wordsOf(row?.problem as Problem)).toBe("The addition was not undone: 1 row of another list uses its venue.");
    expect(holder?.venueId ?? holder?.bestId).toBe(venue);
  });

  test("F78: the number that is announced before is the number that stays, and the report has it", async () => {
    const { announced, task } = await made;
    const held = FAMILY.filter(({ isHeld }) => isHeld).length;
    expect(announced).toBe(held);
    expect(task).toMatchObject({ report: { held, undone: FAMILY.length - held, failed: 0 } });
  });
});

test("F78: rows and lists of who holds a venue are counted before and said after, and none of them is named", async () => {
  const rows = (venueId: string, count: number): MadeListing[] =>
    Array.from({ length: count }, () => ({ name: "Held", more: { ...decided(venueId), decidedHow: "person" } }));
  const { h, venues } = await added(2, "Ablunquist");
  const [first = "", second = ""] = venues;
  const before = await file(accountId, rows(first, 2), { name: "secret-1.csv" });
  await file(accountId, rows(first, 1), { name: "secret-2.csv", previousId: before.id });
  await file(strangerId, [...rows(first, 3), ...rows(second, 1)], { name: "secret-3.csv" });
  await file(accountId, rows(second, 1), { name: "edition.csv", previousId: h.id });
  const held = await countHeld(deps, await now(h));
  expect(held).toMatchObject({ venues: 2, rows: 8 });
  expect(held.lists.toSorted()).toEqual([before.listId, h.listId, expect.any(String)].toSorted());
  await undo(h);
  expect((await listingsOf(h.id)).map(({ problem }) => wordsOf(problem as Problem))).toEqual([
    "The addition was not undone: 6 rows of 2 other lists use its venue.",
    "The addition was not undone: 2 rows of another list use its venue.",
  ]);
});

describe("F78: a row that comes to hold a venue while it is deleted", () => {
  const accept =
    "UPDATE app.listing SET decision = 'matched', venue_id = best_id, decided_at = now() WHERE harmonization_id = $1";
  const undecided = { decision: null, venueId: null, isClear: false, why: { code: "venue_deleted" }, ...withoutIt };
  const deleting = (before: () => Promise<unknown>): Deps => ({
    ...deps,
    directory: {
      ...deps.directory,
      deleteVenues: async (...asked) => {
        await before();
        return deps.directory.deleteVenues(...asked);
      },
    },
  });

  test("F78: is undecided again and says why", async () => {
    const { h, venues } = await added(2, "Cravenholt");
    const inReview = await file(strangerId, [{ name: "Held", ...best(venues[0] ?? "", 0.6) }]);
    const byScore = await file(strangerId, [{ name: "Held", ...best(venues[1] ?? "", 0.6), more: { isClear: true } }]);
    const meanwhile = async () => {
      await pool.query(accept, [inReview.id]);
      await pool.query("UPDATE app.harmonization SET accept_from = 0.5 WHERE id = $1", [byScore.id]);
    };
    expect(await undo(h, deleting(meanwhile))).toMatchObject({ report: { undone: 2, held: 0 } });
    for (const { id } of [inReview, byScore]) expect((await listingsOf(id))[0]).toMatchObject(undecided);
  });

  test("F78: also if its decision commits after the venue is gone", async () => {
    const { h, venues } = await added(1, "Dunkelfurt");
    const { id } = await file(strangerId, [{ name: "Held", ...best(venues[0] ?? "", 0.6) }]);
    const client = await pool.connect();
    await client.query("BEGIN");
    await client.query(accept, [id]);
    const undoing = undo(h);
    await waitForLock();
    await client.query("COMMIT");
    client.release();
    await undoing;
    expect((await listingsOf(id))[0]).toMatchObject(undecided);
  });

  async function waitForLock(): Promise<void> {
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH found AS%'";
    while (!(await pool.query(waiting)).rowCount) await new Promise((done) => setTimeout(done, 20));
  }
});
