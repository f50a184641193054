import { describe, expect, test } from "vitest";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { startUndoing, undoListings } from "../../../src/harmonize/add/undo-listings.ts";
import { countHeld, type Kept, noteKept, shareFile } from "../../../src/harmonize/add/undo-rows.ts";
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
    const announced = await countHeld(deps, await now(h), accountId);
    const task = await undo(h);
    return { h, venues, files, announced, task, rows: await listingsOf(h.id) };
  })();

  test.each(FAMILY.map((each, at) => ({ ...each, at })))("$name: $isHeld", async ({ at, isHeld, left, owner }) => {
    const { venues, files, rows } = await made;
    const [venue = "", row, of] = [venues[at], rows[at], files[at]];
    const [holder] = await listingsOf(of?.id ?? "");
    expect(await exists(venue)).toBe(isHeld);
    if (!isHeld) {
      expect(row).toMatchObject({ decision: null, venueId: null, problem: null, why: { code: "add_undone" } });
      expect(holder).toMatchObject(left ?? {});
      return;
    }
    const says = owner === accountId ? "“second.csv” (1 row)" : "1 row of other people’s files";
    expect(row).toMatchObject({ decision: "added", venueId: venue });
    expect(wordsOf(row?.problem as Problem)).toBe(`The add was not undone, because its venue is also in ${says}.`);
    expect(holder?.venueId ?? holder?.bestId).toBe(venue);
  });

  test("F78: the number that is announced before is the number that stays, and the report has it", async () => {
    const { announced, task } = await made;
    const held = FAMILY.filter(({ isHeld }) => isHeld).length;
    expect(announced).toBe(held);
    expect(task).toMatchObject({ report: { held, undone: FAMILY.length - held, failed: 0 } });
  });
});

describe("F78: the names of files", () => {
  const rows = (venueId: string, count: number): MadeListing[] =>
    Array.from({ length: count }, () => ({ name: "Held", more: { ...decided(venueId), decidedHow: "person" } }));
  const says = async (h: Harmonization) => wordsOf((await listingsOf(h.id))[0]?.problem as unknown as Problem);

  test("F78: the newest three are named, others are counted, and other people’s are not told apart", async () => {
    const { h, venues } = await added(1, "Ablunquist");
    for (const name of ["a.csv", "b.csv", "c.csv", "d.csv"]) await file(accountId, rows(venues[0] ?? "", 2), { name });
    await file(strangerId, rows(venues[0] ?? "", 1), { name: "secret-1.csv" });
    await file(strangerId, rows(venues[0] ?? "", 3), { name: "secret-2.csv" });
    await undo(h);
    expect(await says(h)).toBe(
      "The add was not undone, because its venue is also in “d.csv” (2 rows), “c.csv” (2 rows), “b.csv” (2 rows), 2 rows of other files of the same person and 4 rows of other people’s files.",
    );
    await shareFile(deps, h);
    expect((await now(h)).isShared).toBe(true);
    expect(await says(h)).toBe(
      "The add was not undone, because its venue is also in 8 rows of other files of the same person and 4 rows of other people’s files.",
    );
  });

  const written: Kept["problem"] = {
    ...{ code: "venue_held", own: 1, others: 0, files: [{ name: "second.csv", rows: 1 }] },
  };
  const kept = (venue: string, decision: "added" | "rejected") => ({
    name: "Kept",
    more: { decision, venueId: venue, problem: written },
  });

  test("F78: are gone before others see the file, also from a row that was decided otherwise since", async () => {
    const h = await file(accountId, [kept("a", "added"), kept("b", "rejected")]);
    await refuse("app.listing", "OLD.problem ? 'files'", async () => {
      await expect(shareFile(deps, h)).rejects.toThrow("refused");
      expect((await now(h)).isShared, "nobody else sees what still has names").toBe(false);
    });
    await shareFile(deps, h);
    for (const { problem } of await listingsOf(h.id))
      expect(problem).toEqual({ code: "venue_held", own: 1, others: 0 });
  });

  test("F78: are gone too if an undo writes one while the file is shared, or the file is not shared", async () => {
    const h = await file(accountId, [kept("a", "added")]);
    const late: Deps = {
      ...deps,
      pool: new Proxy(pool, {
        get: (target, name) =>
          name === "query"
            ? async (statement: { text?: string }, ...rest: []) => {
                const done = await target.query(statement as never, ...rest);
                if (statement.text?.includes("SET problem = l.problem - 'files'"))
                  await noteKept(deps, h.id, [{ number: 1, venueId: "a", problem: written }]);
                return done;
              }
            : Reflect.get(target, name, target),
      }),
    };
    await refuse("app.listing", "OLD.problem ? 'at'", async () => {
      await expect(shareFile(late, h)).rejects.toThrow("refused");
      expect((await now(h)).isShared).toBe(false);
    });
    await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { problem: { ...written } } });
    await shareFile(late, h);
    expect((await listingsOf(h.id))[0]?.problem).not.toHaveProperty("files");
  });

  /** Has PostgreSQL refuse changes of such rows of a table meanwhile. */
  async function refuse(table: string, when: string, meanwhile: () => Promise<void>): Promise<void> {
    await pool.query(
      `CREATE FUNCTION app.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
    );
    await pool.query(
      `CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION app.refuse()`,
    );
    await meanwhile().finally(() => pool.query("DROP FUNCTION app.refuse CASCADE"));
  }

  test("F78: a file that others may see names no other", async () => {
    const { h, venues } = await added(1, "Brottelheim", { isShared: true });
    await file(accountId, rows(venues[0] ?? "", 1));
    await undo(h);
    expect(await says(h)).toBe(
      "The add was not undone, because its venue is also in 1 row of other files of the same person.",
    );
  });
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
