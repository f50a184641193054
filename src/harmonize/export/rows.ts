import type { LocatedAddress } from "../../contract/addresses.ts";
import type { LatLng } from "../../contract/parameters.ts";
import type { DecidedHow, ListingDecision } from "../../db/generated/enums.ts";
import { type Db, execute, queryRow, queryRows, type Sql, sql } from "../../db/sql.ts";
import { patiently as aMinute, type Patiently } from "../../db/unavailable.ts";
import { KnownError } from "../../shared/errors.ts";
import { hasOutcome, hasText } from "../results/facets.ts";
import { type Filter, fitsFilter } from "../review/filter.ts";
import { NOTES } from "../review/notes.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import { inPieces, pageSize } from "../run/page-size.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { type Candidate, MATCHED_VENUE, type Mended, OUTCOME, type Outcome, type Was } from "../run/rows.ts";

export interface ExportRow {
  line: number;
  cells: string[];
  /** As asked for; null if the listing has only a town, or failed. */
  ll: LatLng | null;
  own_id: string | null;
  outcome: Outcome;
  decision: ListingDecision | null;
  venue_id: string | null;
  venue_name: string | null;
  best_id: string | null;
  score: number | null;
  is_clear: boolean;
  problem: Problem | null;
  why: Reason | null;
  was: Was | null;
  repaired: string | null;
  mended: Mended | null;
  by_address: LocatedAddress | null;
  decided_how: DecidedHow | null;
  decided_by: string | null;
  decided_at: Date | null;
  matched_at: Date | null;
  skipped_at: Date | null;
  /** The venue or else the best candidate; null if not among the candidates. */
  chosen: Candidate | null;
  /** The candidate after the best. */
  second: Candidate | null;
  candidates: Candidate[];
  /** What became of the venue by the last look (src/harmonize/changes), if there was one. */
  now: { state: string; id: string; name: string | null; credit?: string | null } | null;
  /** What people wrote about the row, one note a line. */
  notes: string | null;
}

export interface ExportDeps extends Pick<Harmonizer, "pool"> {
  patiently?: Patiently;
}

interface Wanted {
  outcome?: Outcome | undefined;
  text?: string;
  filter?: Filter;
  hasCandidates: boolean;
  hasNotes?: boolean;
}

/**
 * Yields listings in file order. Uses the cuts of `h`, even if they move meanwhile.
 * @throws KnownError 409 `deleted` at the end if the harmonization was deleted meanwhile
 */
export async function* exportRows(
  { pool, patiently = aMinute }: ExportDeps,
  h: Harmonization,
  { outcome, text = "", filter = {}, hasCandidates, hasNotes = false }: Wanted,
): AsyncGenerator<ExportRow[]> {
  const { id } = h;
  const last = await patiently(() => lastNumber({ pool }, id));
  let read = 0;
  const size = pageSize();
  for (let [after, upTo] = [0, size.rows()]; after < last; [after, upTo] = [upTo, upTo + size.rows()]) {
    const where = sql`${hasOutcome(outcome)} AND ${hasText(text)} AND ${fitsFilter(filter)}`;
    const rows = await patiently(() => readPage({ pool }, h, { after, upTo, hasCandidates, hasNotes, where }));
    read += rows.length;
    size.see(rows);
    yield* inPieces(rows);
  }
  const isWhole = outcome === undefined && text === "" && Object.values(filter).every((value) => value === undefined);
  if ((isWhole && read < last) || (await patiently(() => isDeleted({ pool }, id)))) throw deleted();
}

async function lastNumber(db: Db, id: string): Promise<number> {
  const row = await queryRow<{ last: number }>(db)`
    SELECT coalesce(max(number), 0) AS last FROM app.listing WHERE harmonization_id = ${id}`;
  return row?.last ?? 0;
}

// A deletion sets the state first, then deletes listings.
const isDeleted = async (db: Db, id: string): Promise<boolean> =>
  (await execute(db)`
    SELECT FROM app.harmonization WHERE id = ${id} AND state NOT IN ('uploading', 'deleting')`) === 0;

const deleted = () =>
  new KnownError(409, "deleted", "The harmonization was deleted during the export. The file is incomplete.");

interface Page {
  after: number;
  upTo: number;
  hasCandidates: boolean;
  hasNotes: boolean;
  /** SQL: which listings `l` are wanted. */
  where: Sql;
}

const readPage = (
  db: Db,
  { id, acceptFrom, reviewFrom }: Harmonization,
  { after, upTo, hasCandidates, hasNotes, where }: Page,
): Promise<ExportRow[]> =>
  queryRows<ExportRow & { account_id: string | null; number: number }>(db)`
  SELECT l.*, ${NAME_OF} AS decided_by
    FROM (SELECT ${exportColumns(hasCandidates, hasNotes)}
            FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
           WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo} AND ${where}) AS l
    LEFT JOIN app.account a ON a.id = l.account_id
   ORDER BY l.number`;

// SQL: the columns of ExportRow except `decided_by`, of a listing `l` with the cuts `h`. Cells as JSON: pg blocks for
// 60 ms to parse a megabyte of array (attacks F28).
export const exportColumns = (hasCandidates: boolean, hasNotes = false): Sql => sql`
  l.number, l.line, to_json(l.cells) AS cells, l.own_id, ${OUTCOME} AS outcome, l.decision, l.venue_id, l.venue_name,
  l.best_id, l.score, l.is_clear, l.problem, l.query->'repaired'->>'by' AS repaired, l.query->'byAddress' AS by_address, l.query->'mended' AS mended,
  l.query->'ll' AS ll, l.why, l.edition->'was' AS was, l.decided_how, l.decided_by AS account_id, l.decided_at, l.matched_at,
  l.skipped_at,
  (SELECT c FROM jsonb_array_elements(l.candidates) AS c
    WHERE c ->> 'id' = coalesce(l.venue_id, l.best_id) LIMIT 1) AS chosen,
  l.candidates->1 AS second,
  (SELECT jsonb_build_object('state', v.state, 'id', coalesce(v.now_id, v.venue_id), 'name', v.name, 'credit', v.credit)
     FROM app.venue_look v
    WHERE v.harmonization_id = l.harmonization_id AND v.venue_id = ${MATCHED_VENUE} AND v.state IS NOT NULL) AS now,
  ${hasNotes ? NOTES : sql`NULL::text`} AS notes,
  ${hasCandidates ? sql`l.candidates` : sql`'[]'::jsonb AS candidates`}`;
