import { expect, test } from "vitest";
import { carryDecisionsOver } from "../../../src/harmonize/file/carry-over.ts";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { reviewListing } from "../../../src/harmonize/review/listing.ts";
import { countSteps, listSteps, type StepFilter, undoSteps } from "../../../src/harmonize/review/steps.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { testDatabase } from "../../support/database/database.ts";
import { makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const DIRECTORY = "http://directory.test";
const { database } = await testDatabase();
const { prisma, pool } = database;
const directory = { looksUpVenues: async () => false };
const deps = { prisma, pool, directory, directoryUrl: DIRECTORY } as unknown as Harmonizer;
const people = [await makeAccount(database, "Ann", DIRECTORY), await makeAccount(database, "Bob", DIRECTORY)] as const;
const ann = { id: people[0], isAdmin: false };

const CHOICES = ["a", "b", null] as const;
const ROWS = 6;

async function newFile(more: object = {}): Promise<Harmonization> {
  const listings = Array.from({ length: ROWS }, (_, at) => ({
    name: `Shop ${at}`,
    candidates: [makeCandidate("a", 0.6), makeCandidate("b", 0.5)],
    more: { print: Buffer.from([at]) },
  }));
  const made = await makeHarmonization(database, ann.id, listings, { directory: DIRECTORY, isShared: true, ...more });
  return (await loadHarmonization(deps, made.id)) as Harmonization;
}

/** The newest edition, as one that was read now: rows that have not changed keep their decisions. */
async function newEdition(previous: Harmonization): Promise<Harmonization> {
  const h = await newFile({ previousId: previous.id });
  await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { status: "pending" } });
  const client = await pool.connect();
  await carryDecisionsOver(client, h, previous.id).finally(() => client.release());
  return h;
}

/** Everything that was decided becomes a day older. */
async function sleep(): Promise<void> {
  await pool.query(
    "UPDATE app.decision_step SET created_at = created_at - interval '1 day', undone_at = undone_at - interval '1 day'",
  );
  await pool.query(
    "UPDATE app.listing SET decided_at = decided_at - interval '1 day', matched_at = matched_at - interval '1 day'",
  );
}

async function choose(h: Harmonization, by: string, number: number, venueId: string | null): Promise<void> {
  const person = { id: by, isAdmin: false };
  const seen = (await reviewListing(deps, { h, person, number }))?.changedAt ?? null;
  const wish = venueId === null ? { decision: "rejected" as const } : { decision: "matched" as const, venueId };
  await decide(deps, { h, person, number }, { ...wish, seen });
}

const now = async ({ id }: Harmonization) =>
  (await prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } })).map(
    ({ decision, venueId }) => (decision === null ? "open" : (venueId ?? "none")),
  );

interface Made {
  by: string;
  daysAgo: number;
  is: string;
}

/** Two people decide six rows on three days, several times; `draw` says what happens. Returns what was decided, row by row. */
async function threeDays(h: Harmonization, draw: (most: number) => number): Promise<Made[][]> {
  const made: Made[][] = Array.from({ length: ROWS }, () => []);
  for (const daysAgo of [2, 1, 0]) {
    for (let times = 0; times < 5; times += 1) {
      const [row, by, venue] = [draw(ROWS), people[draw(2)] ?? "", CHOICES[draw(3)] ?? null];
      await choose(h, by, row + 1, venue);
      made[row]?.push({ by, daysAgo, is: venue ?? "none" });
    }
    if (daysAgo > 0) await sleep();
  }
  return made;
}

const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const FILTERS = [{ by: 1 }, { daysAgo: 1 }, { by: 1, daysAgo: 1 }, { by: 0, daysAgo: 0 }, { by: 0, daysAgo: 2 }].map(
  (each) => ({ by: undefined, daysAgo: undefined, ...each }),
);

/** A generator of numbers, always the same for a seed. */
function numbers(seed: number): (most: number) => number {
  let state = seed + 1;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

test.each(FILTERS.map((each, seed) => ({ ...each, seed })))(
  "W125: undoing what $by decided $daysAgo days ago leaves each row as it was before, unless somebody decided since",
  async ({ by, daysAgo, seed }) => {
    await prisma.decisionStep.deleteMany();
    const h = await newFile();
    const made = await threeDays(h, numbers(seed));
    const later = await newEdition(h);
    expect(await now(later)).toEqual(await now(h));
    const filter: StepFilter = {
      by: by === undefined ? undefined : people[by],
      day: daysAgo === undefined ? undefined : dayOf(daysAgo),
    };
    const fits = (each: Made) => (filter.by ?? each.by) === each.by && (daysAgo ?? each.daysAgo) === each.daysAgo;
    const all = made.flat().filter(fits).length;
    expect(await countSteps(pool, h, ann, filter)).toBe(all);
    const expected = made.map((row) => {
      const at = row.findLastIndex((each) => !fits(each));
      return row[at]?.is ?? "open";
    });
    const undone = await undoSteps(deps, later, ann, filter);
    expect(await now(h)).toEqual(expected);
    expect(await now(later), "the edition that kept them").toEqual(expected);
    expect(undone.restored + undone.left).toBe(all);
    expect(await undoSteps(deps, later, ann, filter), "again").toEqual({ restored: 0, kept: 0, left: 0 });
    expect(await countSteps(pool, h, ann, filter)).toBe(0);
  },
);

test("W125: a step says who, when, from where, what was before and after, also once it is undone, and by whom", async () => {
  await prisma.decisionStep.deleteMany();
  const h = await newFile();
  const [first, second] = people;
  await choose(h, first, 1, "a");
  await choose(h, second, 1, null);
  await choose(h, first, 2, "b");
  await undoSteps(deps, h, ann, { by: second });
  await choose(h, first, 1, "b");
  const steps = await listSteps(pool, h, ann, { most: 10 });
  expect(
    steps.map((each) => [
      each.number,
      each.by,
      each.before.venueId,
      each.after.decision,
      each.after.venueId,
      each.undoneBy,
    ]),
  ).toEqual([
    [1, "Ann", "a", "matched", "b", null],
    [2, "Ann", null, "matched", "b", null],
    [1, "Bob", "a", "rejected", null, "Ann"],
    [1, "Ann", null, "matched", "a", null],
  ]);
  expect(new Set(steps.map(({ via }) => via))).toEqual(new Set(["card"]));
  const page = await listSteps(pool, h, ann, { most: 1, before: steps[1]?.id });
  expect(page.map(({ id }) => id)).toEqual([steps[2]?.id]);
});

test("W125: steps of a file that somebody may not see are not listed", async () => {
  await prisma.decisionStep.deleteMany();
  const h = await newFile({ isShared: false });
  await choose(h, ann.id, 1, "a");
  expect(await listSteps(pool, h, ann, { most: 10 })).toHaveLength(1);
  expect(await listSteps(pool, h, { id: people[1], isAdmin: true }, { most: 10 })).toEqual([]);
});
