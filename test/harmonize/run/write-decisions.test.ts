import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { execute, type Sql, sql } from "../../../src/db/sql.ts";
import { isOfGroup, undoSome } from "../../../src/harmonize/review/undo.ts";
import {
  BEFORE,
  type DecisionValues,
  decidedNow,
  FOR_MANY,
  keepSteps,
  writeDecisions,
} from "../../../src/harmonize/run/write-decisions.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database } = await testDatabase();
const DIRECTORY = "http://directory.test";
const ada = await makeAccount(database, "Ada", DIRECTORY);

const LONG_AGO = { decidedBy: ada, decidedAt: new Date("2026-01-02T03:04:05.678Z") };
const ROWS: NonNullable<MadeListing["more"]>[] = [
  {},
  { skippedAt: new Date("2026-01-01") },
  { ...LONG_AGO, decision: "matched", venueId: "v1", venueName: "One", decidedHow: "person" },
  {
    ...LONG_AGO,
    decision: "matched",
    venueId: "v9",
    decidedHow: "kept",
    why: { code: "found_by_hand", said: ["same name"] },
  },
  { ...LONG_AGO, decision: "rejected", decidedHow: "family", why: { code: "none_alike" } },
  { ...LONG_AGO, decision: "added", venueId: "v7", venueName: "New", decidedHow: "many", why: { code: "added" } },
  { ...LONG_AGO, why: { code: "sent_back" } },
];
const DECISIONS: Record<string, DecisionValues> = {
  matched: FOR_MANY.matched,
  rejected: FOR_MANY.rejected,
  added: {
    decision: "added",
    venueId: sql`'v' || d.number`,
    decidedHow: "many",
    why: JSON.stringify({ code: "added" }),
  },
  undecided: { why: JSON.stringify({ code: "none_alike" }) },
};

const rowsOf = (harmonizationId: string) =>
  database.prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });

test.each(Object.keys(DECISIONS))(
  "%s in place of each decision, every column that is written is as before once it is undone",
  async (kind) => {
    const listings = ROWS.map((more) => ({ name: "Shop", candidates: [makeCandidate("v1", 0.6)], more }));
    const { id: run } = await makeHarmonization(database, ada, listings, { directory: DIRECTORY });
    const before = await rowsOf(run);
    const [group, due] = [randomUUID(), sql`due d`];
    const decision = { ...DECISIONS[kind], ...decidedNow(ada) };
    const written = await execute(database)`
    WITH due AS MATERIALIZED (SELECT l.number, ${BEFORE} AS before FROM app.listing l WHERE l.harmonization_id = ${run}),
    kept AS (${keepSteps({ via: "card", run, accountId: ada, group, rows: due })})
    ${writeDecisions({ run, rows: due, decision })}`;
    expect(written).toBe(ROWS.length);
    for (const row of await rowsOf(run)) {
      expect(row.decision).toBe(decision.decision ?? null);
      expect(row.venueId === null).toBe(kind === "rejected" || kind === "undecided");
    }
    const undone = await undoSome(database, { id: run }, { which: isOfGroup(group, ada), by: ada });
    expect(undone).toMatchObject({ steps: ROWS.length, restored: ROWS.length, gone: 0 });
    expect(await rowsOf(run)).toEqual(before);
  },
);

/** SQL that gives a column of the decision a value, wherever it stands; not one that compares it. */
const WRITES = /(?:\bSET|,)\s*\(?(?:decision|venue_id|venue_name|decided_how|decided_by|decided_at|why)\s*=(?! sql|=)/;

test("no other module of harmonizing writes a decision, and one that did would be found", () => {
  const files = globSync("src/harmonize/**/*.ts").filter((file) => WRITES.test(readFileSync(file, "utf8")));
  expect(files).toEqual([]);
  const planted: Sql[] = [
    sql`UPDATE app.listing SET decision = NULL`,
    sql`UPDATE app.listing l SET status = 'asked', decided_at = now()`,
  ];
  expect(planted.every(({ text }) => WRITES.test(text))).toBe(true);
});
