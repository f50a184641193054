import { queryRows } from "../../db/sql.ts";
import { readRows } from "../../files/formats/table.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { PARTS_LOOKED_AT, readParts } from "../file/parts.ts";
import { repairedRow } from "../query/repaired-row.ts";
import { changesIn, type RowChange } from "../query/row-changes.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { KeptRepair, RowRepair } from "../run/row-repairs.ts";
import { REPAIRED } from "./apply.ts";

export interface RepairPreview {
  /** Rows that would change, of those looked at. */
  rows: number;
  /** Of these, decided ones: those that a person looks at again, if they then say something else to the directory. */
  decided: number;
  lookedAt: number;
  isWhole: boolean;
  first: { line: number; name: string; changes: RowChange[] }[];
}

const EXAMPLES = 5;
const STRETCH = 5000;
const PATIENCE_MS = 3000;

interface Row {
  line: number;
  cells: string[];
  isDecided: boolean;
}

/** What one more repair would change in the rows of a file. Of a large one it looks at the first rows only. */
export async function previewRepair(
  deps: Pick<Harmonizer, "pool">,
  h: Harmonization,
  repair: RowRepair,
): Promise<RepairPreview> {
  const kept: KeptRepair = { id: "", by: null, at: "", repair };
  const now = { ...h, repairs: [...h.repairs, kept] };
  const found: RepairPreview = { rows: 0, decided: 0, lookedAt: 0, isWhole: true, first: [] };
  const until = performance.now() + PATIENCE_MS;
  const giveWay = givingWay();
  for await (const { line, cells, isDecided } of h.state === "draft" ? draftRows(deps, h) : listedRows(deps, h)) {
    await giveWay();
    if (performance.now() > until) return { ...found, isWhole: false };
    found.lookedAt += 1;
    const changes = changesIn(cells, h, now);
    if (changes.length === 0) continue;
    found.rows += 1;
    if (isDecided) found.decided += 1;
    const { name = "" } = repairedRow(cells, h).given;
    if (found.first.length < EXAMPLES) found.first.push({ line, name, changes });
  }
  return { ...found, isWhole: h.state !== "draft" || (await isRead(deps, h)) };
}

// Of a draft only its first parts are looked at.
const isRead = async ({ pool }: Pick<Harmonizer, "pool">, { id }: Harmonization): Promise<boolean> =>
  (
    await queryRows(
      pool,
    )`SELECT FROM app.file_part WHERE harmonization_id = ${id} AND part >= ${PARTS_LOOKED_AT} LIMIT 1`
  ).length === 0;

async function* draftRows(
  { pool }: Pick<Harmonizer, "pool">,
  { id, format, header }: Harmonization,
): AsyncGenerator<Row> {
  for await (const row of readRows(readParts(pool, id, PARTS_LOOKED_AT), format, header))
    if (!row.problem) yield { line: row.line, cells: row.cells, isDecided: false };
}

async function* listedRows(
  { pool }: Pick<Harmonizer, "pool">,
  { id, listingCount }: Harmonization,
): AsyncGenerator<Row> {
  for (let after = 0; after < listingCount; after += STRETCH)
    yield* await queryRows<Row>(pool)`
      SELECT l.line, to_json(l.cells) AS cells, l.decision IS NOT NULL AND l.decided_by IS NOT NULL AS "isDecided" FROM app.listing l
       WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${after + STRETCH} AND ${REPAIRED} ORDER BY l.number`;
}
