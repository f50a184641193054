import type { Pool } from "pg";
import type { Database } from "../../src/db/database.ts";
import { Prisma } from "../../src/db/generated/client.ts";
import { patternOf } from "../../src/harmonize/run/candidates.ts";
import { type Harmonization, WITH_LIST } from "../../src/harmonize/run/harmonizations.ts";
import { newList } from "../../src/harmonize/run/lists.ts";
import type { Problem } from "../../src/harmonize/run/problems/problems.ts";
import type { Reason } from "../../src/harmonize/run/problems/reasons.ts";
import type { Candidate } from "../../src/harmonize/run/rows.ts";

/** A listing to create: matched, with these candidates, unless `more` differs. */
export interface MadeListing {
  name: string;
  candidates?: Candidate[];
  /** Columns of its row. */
  more?: Omit<Partial<Prisma.ListingUncheckedCreateInput>, "problem" | "why" | "annotationProblem"> & {
    problem?: Problem;
    why?: Reason;
    annotationProblem?: Problem;
  };
}

const HEADER = ["id", "name", "lat", "lng", "address", "phone"];
const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3, address: 4, phone: 5 };

/** Creates an account of the directory, without a log-in. */
export async function makeAccount({ prisma }: Database, firstName: string, directory: string): Promise<string> {
  const account = await prisma.account.create({ data: { directory, externalId: firstName, firstName } });
  return account.id;
}

/**
 * Creates a harmonization ready for review, with listings numbered from 1, in one transaction. `more` has columns of
 * its row.
 */
export async function makeHarmonization(
  { prisma, pool }: Database,
  accountId: string | null,
  listings: MadeListing[],
  more: Partial<Prisma.HarmonizationUncheckedCreateInput> & { directory: string },
): Promise<Harmonization> {
  const { state = "ready", ...rest } = more;
  const file = { accountId, name: "shops.csv", header: HEADER, columns: COLUMNS, listingCount: listings.length };
  const before = rest.previousId
    ? await prisma.harmonization.findUnique({ where: { id: `${rest.previousId}` } })
    : null;
  const named = { directory: rest.directory, name: String(rest.name ?? file.name), accountId };
  const listId = rest.listId ?? before?.listId ?? (await newList(prisma, named));
  const { id } = await prisma.harmonization.create({ data: { ...file, ...rest, listId, state: "draft" } });
  await insert(
    pool,
    listings.map((listing, index) => rowOf(id, listing, index + 1)),
  );
  const row = await prisma.harmonization.update({ where: { id }, data: { state }, include: WITH_LIST });
  return row as unknown as Harmonization;
}

/** Prisma's createMany needs two milliseconds of the processor for each row. */
async function insert(pool: Pool, rows: Prisma.ListingUncheckedCreateInput[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].map(columnOf).join();
  const written = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), inJson(value)])),
  );
  if (rows.length > 0)
    await pool.query(
      `INSERT INTO app.listing (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::app.listing, $1)`,
      [JSON.stringify(written)],
    );
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function inJson(value: unknown): unknown {
  if (value === Prisma.DbNull) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return typeof value === "bigint" ? String(value) : value;
}

function rowOf(harmonizationId: string, { name, candidates = [], more = {} }: MadeListing, number: number) {
  const ll = { lat: 41.82 + number / 1000, lng: -71.41 };
  const cells = [`own-${number}`, name, String(ll.lat), String(ll.lng), `${number} Main Street`, "+1 401 555 0100"];
  const [best] = candidates;
  return {
    ...{ harmonizationId, number, line: number + 1, cells, ownId: `own-${number}`, status: "asked" as const },
    query: { name, ll, address: `${number} Main Street`, phone: "+1 401 555 0100" },
    isClear: false,
    ...{ score: best?.score ?? null, bestId: best?.id ?? null, pattern: best ? patternOf(best) : null },
    candidates: candidates as unknown as Prisma.InputJsonValue,
    ...more,
  };
}

/** Creates a candidate with score and reasons: weights in log-odds by comparison. */
export function makeCandidate(id: string, score: number, weights: Record<string, number> = {}): Candidate {
  const texts: Record<string, string> = { phone: "phone", name: "name", distance: "position", zip: "postal code" };
  const evidence = Object.entries(weights).map(([comparison, weight]) => {
    const what = texts[comparison] ?? comparison;
    return { comparison, weight, text: `${weight > 0 ? "same" : "different"} ${what}` };
  });
  return { id, name: `Venue ${id}`, lat: 41.82, lng: -71.41, address: "1 Main St", score, evidence };
}
