import { createReadStream, readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../../../src/harmonize/run/rows.ts";
import { ourDirectory } from "../add/our-directory.ts";

const { site, deps, accountId } = await ourDirectory();
const { prisma, pool } = site.database;
const { signal } = new AbortController();
const FILES = path.join(import.meta.dirname, "files");
await importVenues({
  ...site.database,
  file: path.join(import.meta.dirname, "venues.csv"),
  keepIds: true,
  replace: false,
});

interface Found {
  outcome: string;
  venue: string | null;
  best: string | null;
  ownId: string | null;
}

/** Harmonizes a file with the columns as guessed, or as given; returns its id and rows. */
async function harmonized(
  name: string,
  bytes: AsyncIterable<Buffer>,
  more: { columns?: object; previousId?: string } = {},
) {
  const id = await receiveFile(deps, { accountId, name, bytes, signal });
  const load = async () => (await loadHarmonization(deps, id)) ?? expect.fail();
  const { columns } = await load();
  const { previousId, columns: others } = more;
  const data = { columns: { ...columns, ...others }, ...(previousId !== undefined && { previousId }) };
  await prisma.harmonization.update({ where: { id }, data: { ...data, state: "reading" } });
  await readListings(deps, await load(), { signal });
  for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
    await matchPending(deps, await load(), { portion, signal });
  const { rows } = await pool.query<Found>(
    `SELECT ${OUTCOME} AS outcome, ${MATCHED_VENUE} AS venue, l.best_id AS best, l.own_id AS "ownId" FROM app.listing l
       JOIN app.harmonization h ON h.id = l.harmonization_id WHERE h.id = $1 ORDER BY l.number`,
    [id],
  );
  return { id, rows };
}

const text = (lines: string[]) => Readable.from([Buffer.from(`${lines.join("\n")}\n`)]);

const FOUR = ["fv-r1", "fv-r2", "fv-r3", "fv-r4"];

/** "!id": not matched with it; "~id": as match or first candidate; "-": not matched. */
const CASES: Record<string, string[]> = {
  ...{ p03: FOUR, p04: FOUR, p11: FOUR, c15: FOUR, n02: FOUR },
  p06: ["fv-h1", "!fv-h1", "!fv-h1", "!fv-h1"],
  p07: FOUR.map((id) => `~${id}`),
  v02: FOUR.map((id) => `~${id}`),
  v07: ["fv-r2", "fv-f1"],
  v08: ["fv-r1", "fv-r2", "fv-r3"],
  a03: ["fv-a03a", "fv-a03b"],
  a06: ["fv-a06a", "fv-a06b"],
  m05: ["fv-d0", "fv-d1", "fv-d2", "fv-d3"],
  m07: ["!fv-w2"],
  m10: ["-"],
  s02: ["fv-r1", "fv-r1", "fv-r1", "fv-r1"],
  h01: ["fv-p1", "fv-p2", "fv-p1", "fv-p2", "fv-p1", "fv-p2"],
};

describe("files from practice are matched", () => {
  test.each(Object.entries(CASES))("%s", async (name, wanted) => {
    const file = readdirSync(FILES).find((each) => each.startsWith(name)) ?? expect.fail();
    const columns = name === "p03" ? { address: 2 } : {};
    const { rows } = await harmonized(file, createReadStream(path.join(FILES, file)), { columns });
    const told = rows.map(({ outcome, venue, best }, at) => {
      const want = wanted[at] ?? "";
      const matched = outcome === "matched" ? venue : null;
      if (want.startsWith("!")) return matched === want.slice(1) ? matched : want;
      if (want.startsWith("~")) return outcome !== "failed" && (matched ?? best) === want.slice(1) ? want : `${best}`;
      return matched ?? "-";
    });
    expect(told).toEqual(wanted);
  });
});

test("F113: an id that a data frame has written is that of the previous edition, unless several are the same number", async () => {
  const rows = (ids: string[]) => ["id,name,lat,lng", ...ids.map((id, n) => `${id},Kiosk ${n},44.${1000 + n},-69.1`)];
  const before = await harmonized("kiosks.csv", text(rows(["770", "0771", "772", "773", "0773", "A1"])));
  const after = await harmonized("kiosks.csv", text(rows(["770.0", "771", "0772", "773.0", "774.0", "A1.0"])), {
    previousId: before.id,
  });
  expect(after.rows.map(({ ownId }) => ownId)).toEqual(["770", "0771", "772", "773.0", "774.0", "A1.0"]);
});
