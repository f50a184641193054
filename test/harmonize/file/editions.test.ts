import { beforeAll, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import { countQueue, nextListing } from "../../../src/harmonize/review/order.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import type { Candidate, InEdition, Query } from "../../../src/harmonize/run/rows.ts";
import { OUTCOME } from "../../../src/harmonize/run/rows.ts";
import { startFiles } from "./reader.ts";

const { database, deps, load, uploadAndRead, listings } = await startFiles();
const { prisma, pool } = database;

const SIGNAL = new AbortController().signal;
const venue = (id: string, score?: number) =>
  ({ id, name: `Venue ${id}`, location: { lat: 41.8, lng: -71.4 }, ...(score !== undefined && { score }) }) as never;

/** What the directory finds for a row, which says so itself in its town; its venue is called by its postal code. */
const FINDS: Record<string, (own: string) => { venues: never[]; confident: boolean }> = {
  own: (own) => ({ venues: [venue(own, 0.97)], confident: true }),
  "own, unlikely": (own) => ({ venues: [venue("other", 0.9), venue(own, 0.05)], confident: false }),
  other: () => ({ venues: [venue("other", 0.98)], confident: true }),
  nothing: () => ({ venues: [], confident: false }),
};

const directory = {
  async matchListings(_auth: object, queries: Query[]) {
    return queries.map(({ city = "", zip = "" }) => ({ found: { ...FINDS[city]?.(`v-${zip}`), geocode: undefined } }));
  },
  async venues(_auth: object, ids: string[]) {
    return ids.map((id) => (id.includes("gone") ? { error: new DirectoryError("not_found") } : { venue: venue(id) }));
  },
} as unknown as DirectoryClient;
const harmonizer = { ...deps, directory, authFor: async () => ({ token: "t" }) } as unknown as Harmonizer;

async function match(id: string): Promise<void> {
  const h = await load(id);
  for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
    await matchPending(harmonizer, h, { portion, signal: SIGNAL });
  await prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
}

interface Case {
  change: string;
  before: string;
  finds: string;
}
const CHANGES: Record<string, (row: string[]) => string[]> = {
  name: (row) => row.with(1, `${row[1]} & Sons`),
  address: (row) => row.with(2, "9 New Street"),
  position: (row) => row.with(3, `${Number(row[3]) + 0.1}`),
};
/** What a row was in the first edition: columns of its listing. Those with a decision or with their id at a venue, and those without. */
const asked = (own: string) => ({ status: "asked", score: 0.9, bestId: own, candidates: [{ id: own, name: "V" }] });
const DECIDED: Record<string, (own: string) => object> = {
  accepted: (own) => ({ ...asked(own), decision: "matched", venueId: own, decidedHow: "person" }),
  "accepted by its score": (own) => ({ ...asked(own), isClear: true }),
  rejected: (own) => ({ ...asked(own), decision: "rejected", decidedHow: "person" }),
  added: (own) => ({ status: "asked", decision: "added", venueId: own, decidedHow: "many" }),
  "with its id at a venue": (own) => ({ ...asked(own), annotatedAt: new Date() }),
};
const NEITHER: Record<string, (own: string) => object> = {
  "in review": asked,
  "without a match": () => ({ status: "asked" }),
  failed: () => ({ status: "failed" }),
};

const cases = Object.keys(CHANGES).flatMap((change) =>
  Object.keys({ ...DECIDED, ...NEITHER }).flatMap((before) =>
    Object.keys(FINDS).map((finds): Case => ({ change, before, finds })),
  ),
);
const rowOf = ({ finds }: Case, at: number) => [
  `id${at}`,
  `Shop ${at}`,
  "1 Old Street",
  String(41 + at / 1000),
  "-71.4",
  finds,
  `${at}`,
];
const csv = (rows: string[][]) =>
  ["id,name,address,lat,lng,city,zip", ...rows.map((row) => row.map((cell) => `"${cell}"`).join(","))].join("\n");

interface Found extends Case {
  number: number;
  outcome: string;
  first: string | undefined;
  edition: InEdition | null;
}

/** Matches an edition in which every row has changed as its case says. */
async function nextEdition(previousId: string, rows: string[][], more: object = {}) {
  const { id } = await uploadAndRead(csv(rows), { previousId, ...more });
  await match(id);
  return id;
}

async function outcomesOf(id: string): Promise<Found[]> {
  const { rows } = await pool.query<{
    number: number;
    outcome: string;
    candidates: Candidate[];
    edition: InEdition | null;
  }>(
    `SELECT l.number, ${OUTCOME.text} AS outcome, l.candidates, l.edition FROM app.listing l JOIN app.harmonization h
         ON h.id = l.harmonization_id WHERE h.id = $1 ORDER BY l.number`,
    [id],
  );
  return rows.map(({ number, outcome, candidates, edition }, at) => ({
    ...(cases[at] as Case),
    ...{ number, outcome, first: candidates[0]?.id, edition },
  }));
}

async function queued(id: string): Promise<number[]> {
  const [h, seen] = [await load(id), [] as number[]];
  const reviewing = {
    h,
    person: { id: "00000000-0000-4000-8000-000000000000", isAdmin: true },
    queue: { show: "review" },
  };
  for (let number = 0; ; ) {
    const next = await nextListing(harmonizer, reviewing as never, number);
    if (next === undefined || seen.includes(next)) return seen.sort((a, b) => a - b);
    seen.push(next);
    number = next;
  }
}

describe("a row that has changed since the edition before", () => {
  let first: string;
  let changed: string[][];
  beforeAll(async () => {
    const rows = cases.map(rowOf);
    first = (await uploadAndRead(csv(rows))).id;
    const of = { ...DECIDED, ...NEITHER };
    for (const [at, { before }] of cases.entries())
      await prisma.listing.update({
        where: { harmonizationId_number: { harmonizationId: first, number: at + 1 } },
        data: of[before]?.(`v-${at}`) ?? {},
      });
    changed = rows.map((row, at) => CHANGES[cases[at]?.change ?? ""]?.(row) ?? row);
  });

  test.each([
    { acceptFrom: 0.77, reviewFrom: 0.2 },
    { acceptFrom: 0.5, reviewFrom: 0.5 },
    { acceptFrom: 0.95, reviewFrom: 0.95 },
  ])(
    "F119: goes to review with its venue first, and never into Add all, if it had a decision or its id at a venue ($acceptFrom, $reviewFrom)",
    async (cuts) => {
      const id = await nextEdition(first, changed);
      await prisma.harmonization.update({ where: { id }, data: cuts });
      const found = await outcomesOf(id);
      const [decided, neither] = [
        found.filter(({ before }) => before in DECIDED),
        found.filter(({ before }) => before in NEITHER),
      ];
      expect(decided.length + neither.length).toBe(cases.length);
      expect(decided.filter(({ outcome }) => outcome !== "review")).toEqual([]);
      const own = decided.filter(({ before }) => before !== "rejected");
      expect(own.filter(({ first, number }) => first !== `v-${number - 1}`)).toEqual([]);
      const review = found.filter(({ outcome }) => outcome === "review").map(({ number }) => number);
      expect(await queued(id), "the queue has exactly these").toEqual(review);
      expect(await countQueue(harmonizer, { id }, { show: "review" })).toMatchObject({ left: review.length });
      const none = found.filter(({ outcome }) => outcome === "none");
      expect(none.every(({ before }) => before in NEITHER)).toBe(true);
      expect((await progressOf(harmonizer, await load(id))).addable).toBe(none.length);
      expect(found.every(({ edition }) => edition?.is === "changed")).toBe(true);
    },
  );

  test("F119: is matched as any other row if it had neither", async () => {
    const [next, alone] = [await nextEdition(first, changed), await uploadAndRead(csv(changed))];
    await match(alone.id);
    const neither = ({ before }: Case) => before in NEITHER;
    const plain = (found: Found[]) => found.filter(neither).map(({ outcome, first }) => [outcome, first]);
    expect(plain(await outcomesOf(next))).toEqual(plain(await outcomesOf(alone.id)));
  });

  test("F119: is still reviewed with its venue first in the editions after, until a person decides", async () => {
    const second = await nextEdition(first, changed);
    const third = await nextEdition(second, changed);
    const again = changed.map((row) => row.with(1, `${row[1]} (new)`));
    const fourth = await nextEdition(third, again);
    for (const id of [third, fourth]) {
      const decided = (await outcomesOf(id)).filter(({ before }) => before in DECIDED);
      expect(decided.filter(({ outcome }) => outcome !== "review")).toEqual([]);
      const own = decided.filter(({ before }) => before !== "rejected");
      expect(own.filter(({ first, number }) => first !== `v-${number - 1}`)).toEqual([]);
    }
    const is = async (id: string) => new Set((await outcomesOf(id)).map(({ edition }) => edition?.is));
    expect([await is(third), await is(fourth)]).toEqual([new Set([undefined]), new Set(["changed"])]);
  });

  test("is shown without a venue that the directory no longer has", async () => {
    const { id: before } = await uploadAndRead(csv([rowOf({ finds: "nothing" } as Case, 1)]));
    const set = { status: "asked", decision: "matched", venueId: "v-gone" } as const;
    await prisma.listing.updateMany({ where: { harmonizationId: before }, data: set });
    const id = await nextEdition(before, [rowOf({ finds: "nothing" } as Case, 1).with(1, "Other")]);
    expect((await outcomesOf(id))[0]).toMatchObject({ outcome: "review", first: undefined });
  });
});

test("an edition notes which rows are new and which have changed, and leaves the others as they are", async () => {
  const row = (id: string, name: string) => [id, name, "1 Old Street", "41.8", "-71.4", "other", "1"];
  const { id: previousId } = await uploadAndRead(
    csv([row("1", "A"), row("2", "B"), row("2", "B2"), row("3", "C"), row("", "D")]),
  );
  const now = [row("1", "A"), row("2", "B2"), row("2", "Bee"), row("4", "E"), row("", "D"), row("1", "A2")];
  const { id } = await uploadAndRead(csv(now), { previousId });
  const is = (await listings(id)).map(({ edition }) => (edition as InEdition | null)?.is);
  expect(is).toEqual([undefined, undefined, "changed", "new", undefined, "changed"]);
});
