import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { FIELDS, indexesOf } from "../../../src/files/columns.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../../../src/harmonize/run/rows.ts";
import { ourDirectory } from "../add/our-directory.ts";

const FOLDER = import.meta.dirname;

/** A directory with the venues of venues.csv, and files that are harmonized with the columns as guessed. */
export async function startField() {
  const { site, deps, accountId } = await ourDirectory();
  const { prisma, pool } = site.database;
  const { signal } = new AbortController();
  await importVenues({ ...site.database, file: path.join(FOLDER, "venues.csv"), keepIds: true, replace: false });

  /** Returns the outcome of each row: its venue if it is matched, with ~ if it is to review, or -; and the columns by name. */
  async function harmonize(name: string, text: string | Buffer = readFileSync(path.join(FOLDER, "files", name))) {
    const bytes = (async function* () {
      yield Buffer.from(text);
    })();
    const id = await receiveFile(deps, { accountId, name, bytes, signal });
    const load = async () => (await loadHarmonization(deps, id)) ?? expect.fail();
    const { columns, header } = await load();
    await prisma.harmonization.update({ where: { id }, data: { state: "reading" } });
    await readListings(deps, await load(), { signal });
    for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
      await matchPending(deps, await load(), { portion, signal });
    const { rows } = await pool.query<{ outcome: string; venue: string | null }>(
      `SELECT ${OUTCOME} AS outcome, ${MATCHED_VENUE} AS venue FROM app.listing l JOIN app.harmonization h
         ON h.id = l.harmonization_id WHERE h.id = $1 ORDER BY l.number`,
      [id],
    );
    await prisma.harmonization.delete({ where: { id } }); // the next file of these columns is guessed anew
    const said = rows.map(({ outcome, venue }) =>
      outcome === "matched" ? venue : outcome === "review" ? `~${venue}` : outcome === "failed" ? "failed" : "-",
    );
    const named = FIELDS.flatMap((field): [string, string][] => {
      const names = indexesOf(columns, field).map((index) => header[index] ?? "");
      return names.length > 0 ? [[field, names.join(" + ")]] : [];
    });
    return { rows: said, columns: Object.fromEntries(named) as Record<string, string> };
  }
  return { harmonize };
}
