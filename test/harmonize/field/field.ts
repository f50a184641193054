import { readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { FIELDS, indexesOf } from "../../../src/files/columns.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../../../src/harmonize/run/rows.ts";
import type { Web } from "../../../src/web/base/deps.ts";
import { sameIdsInWords } from "../../../src/web/harmonize/results/edition.ts";
import { ourDirectory } from "../add/our-directory.ts";

const FOLDER = import.meta.dirname;

interface Found {
  outcome: string;
  venue: string | null;
  best: string | null;
  ownId: string | null;
}

interface More {
  /** Instead of the file of that name in `files`. */
  bytes?: Buffer;
  previousId?: string;
}

export const fieldFile = (name: string): Buffer => readFileSync(path.join(FOLDER, "files", name));

/** A directory with the venues of venues.csv, and files that are harmonized with the columns as guessed. */
export async function startField() {
  const { site, deps } = await ourDirectory();
  const { prisma, pool } = site.database;
  const { signal } = new AbortController();
  await importVenues({ ...site.database, file: path.join(FOLDER, "venues.csv"), keepIds: true, replace: false });

  /** Without an owner, for whom columns of an earlier file would be kept. Returns the rows, and the columns by name. */
  async function harmonize(name: string, { bytes = fieldFile(name), previousId }: More = {}) {
    const id = await receiveFile(deps, { accountId: null, name, bytes: Readable.from([bytes]), signal });
    const load = async () => (await loadHarmonization(deps, id)) ?? expect.fail();
    const { columns, header, format } = await load();
    await prisma.harmonization.update({
      where: { id },
      data: { state: "reading", ...(previousId !== undefined && { previousId }) },
    });
    await readListings(deps, await load(), { signal });
    for (const { number: portion } of await prisma.portion.findMany({ where: { harmonizationId: id } }))
      await matchPending(deps, await load(), { portion, signal });
    const { rows } = await pool.query<Found>(
      `SELECT ${OUTCOME.text} AS outcome, ${MATCHED_VENUE.text} AS venue, l.best_id AS best, l.own_id AS "ownId" FROM app.listing l
         JOIN app.harmonization h ON h.id = l.harmonization_id WHERE h.id = $1 ORDER BY l.number`,
      [id],
    );
    const named = FIELDS.flatMap((field): [string, string][] => {
      const names = indexesOf(columns, field).map((index) => header[index] ?? "");
      return names.length > 0 ? [[field, names.join(" + ")]] : [];
    });
    /** The rows of the CSV that the owner gets back, by column. */
    async function exported(): Promise<Record<string, string>[]> {
      let text = "";
      for await (const piece of exportText(deps, await load(), { format: "csv", hasCandidates: false })) text += piece;
      return parse(text, { bom: true, columns: true, delimiter: format.separator });
    }
    return { id, rows, exported, columns: Object.fromEntries(named) as Record<string, string> };
  }
  /** Of a run: what the page says once of ids that were written otherwise. */
  async function sameIds(id: string) {
    const found = (await loadHarmonization(deps, id)) ?? expect.fail();
    return sameIdsInWords({ harmonizer: deps } as unknown as Web, found);
  }
  return { harmonize, sameIds };
}
