import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { listListings } from "../../../src/harmonize/results/listings.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import type { Reason } from "../../../src/harmonize/run/problems/reasons.ts";
import type { Candidate } from "../../../src/harmonize/run/rows.ts";
import { listingRow } from "../../../src/web/harmonize/results/listings.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database } = await testDatabase();
const DIRECTORY = "https://api.example";
const FORMAT = { encoding: "utf-8", separator: ",", hasHeader: true };

/** Of the limits, and scores beside them that a page could round to them. */
const LIMITS = [0.77, 0.765, 0.999, 0.5];
const SCORES = [
  0.39,
  0.05,
  0.99,
  1,
  0.2,
  0.1996,
  ...LIMITS.flatMap((limit) => [limit, limit - 0.0003, limit + 0.0003]),
];

const SENT_BACK: Reason = { code: "sent_back" };
const DELETED: Reason = { code: "venue_deleted" };

/** Every way in which a row came to be what it is, with what speaks for and against it. */
const WAYS: ((best: Candidate) => Partial<MadeListing> | undefined)[] = [
  () => ({ more: { isClear: true } }),
  () => ({ more: { isClear: false } }),
  () => ({ more: { isClear: false, why: SENT_BACK } }),
  () => ({ more: { isClear: false, why: DELETED } }),
  (best) => ({ candidates: [best, makeCandidate("v2", best.score ?? 0)], more: { isClear: false } }),
  (best) => ({
    candidates: [{ ...best, ...makeCandidate("v1", best.score ?? 0, { zip: -0.04, distance: -0.1 }) }],
    more: { isClear: false },
  }),
  () => ({ more: { isClear: true, score: null } }),
  ...(["person", "family", "many", "kept"] as const).map((decidedHow) => () => ({
    more: { isClear: true, decision: "matched" as const, decidedHow, venueId: "v1", venueName: "Venue v1" },
  })),
  () => ({ more: { isClear: true, decision: "rejected" as const, decidedHow: "person" as const } }),
  (best) => ({
    more: {
      isClear: true,
      query: { name: "Shop", near: "Town", repaired: { by: "shared", was: { lat: best.lat, lng: best.lng } } },
    },
  }),
];

interface Said {
  outcome: string;
  isByRule: boolean;
  reason: string;
  page: string;
}

let said: Said[];

beforeAll(async () => {
  const account = await makeAccount(database, "Ada", DIRECTORY);
  const listings = SCORES.flatMap((score) =>
    WAYS.map((way): MadeListing => {
      const best = makeCandidate("v1", +score.toFixed(6), { name: 2 });
      return { name: "Shop", candidates: [best], ...way(best) };
    }),
  );
  const first = await makeHarmonization(database, account, listings, { directory: DIRECTORY, format: FORMAT });
  const files = LIMITS.map((acceptFrom): Harmonization => ({ ...first, acceptFrom, reviewFrom: 0.2 }));
  said = (await Promise.all(files.map(saidOf))).flat();
});

async function saidOf(h: Harmonization): Promise<Said[]> {
  let text = "";
  for await (const piece of exportText(database, h, { format: "csv", hasCandidates: false })) text += piece;
  const exported = parse(text, { columns: true, bom: true }) as Record<string, string>[];
  const pages: Awaited<ReturnType<typeof listListings>>["listings"] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await listListings(database, h, { after });
    pages.push(...page.listings);
    after = page.after;
  }
  expect(pages.length).toBe(exported.length);
  return pages.map((row, at) => {
    const { sure, why, who } = listingRow(h, row);
    const page = [sure, who, why].filter(Boolean).join(" | ");
    return {
      outcome: row.outcome,
      isByRule: row.outcome === "matched" && row.decision === null,
      reason: exported[at]?.reason ?? "",
      page,
    };
  });
}

/** Numbers in the first two places of the pattern, of each row that says so. */
const saying = (pattern: RegExp) =>
  said.flatMap((row) =>
    [...`${row.reason} | ${row.page}`.matchAll(pattern)].map(([, ...numbers]) => ({
      row,
      numbers: numbers.map(Number),
    })),
  );

test("a row names the limit from which it was accepted only if its score accepted it, and reaches it", () => {
  const accepted = saying(/([\d.]+) %, accepted from ([\d.]+) %/g);
  expect(accepted.length).toBeGreaterThan(20);
  expect(accepted.filter(({ row, numbers: [score = 0, limit = 0] }) => score < limit || !row.isByRule)).toEqual([]);
  expect(said.filter(({ isByRule, reason }) => isByRule !== reason.includes("accepted from"))).toEqual([]);
});

test("a score that is said to be below a limit looks so", () => {
  const below = saying(/([\d.]+) % \(your limit(?: for review)? is ([\d.]+) %\)/g);
  expect(below.length).toBeGreaterThan(50);
  expect(below.filter(({ numbers: [score = 0, limit = 0] }) => score >= limit)).toEqual([]);
});

test("how sure a match is does not reach the limit if it waits below it, and reaches it if it was accepted", () => {
  for (const row of said.filter(({ isByRule, reason }) => isByRule || /your limit is/.test(reason))) {
    const [, limit = ""] = /(?:accepted from|your limit is) ([\d.]+) %/.exec(row.reason) ?? [];
    const [, sure = ""] = /([\d.]+) % sure/.exec(row.page) ?? [];
    expect([row, Number(sure) >= Number(limit)]).toEqual([row, row.isByRule]);
  }
});

test("a match is held back by a limit, by another venue, by what speaks against it, or left to a person, and never if a person sent it back", () => {
  expect(said.filter(({ reason }) => reason.startsWith("sent back") && /held back|leaves/.test(reason))).toEqual([]);
  const reasons = new Set(
    said.flatMap(({ reason }) => /needs review: ([^;]+)/.exec(reason)?.[1]?.replace(/[\d.]+ %/, "N %") ?? []),
  );
  expect([...reasons].sort()).toEqual([
    "different postal code",
    "the directory asks for a person to decide this match",
    "“Venue v2” is almost as likely, N %",
  ]);
});
