import type { DecidedHow, ListingDecision } from "../../db/generated/enums.ts";
import { patiently as aMinute, type Patiently } from "../../db/patiently.ts";
import { KnownError } from "../../shared/errors.ts";
import { NAME_OF } from "../review/listing.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { inPieces, pageSize } from "../run/page-size.ts";
import type { Problem } from "../run/problems.ts";
import type { Reason } from "../run/reasons.ts";
import { type Candidate, OUTCOME, type Outcome } from "../run/rows.ts";

/** A listing as exports need it. */
export interface ExportRow {
  line: number;
  cells: string[];
  own_id: string | null;
  outcome: Outcome;
  decision: ListingDecision | null;
  venue_id: string | null;
  venue_name: string | null;
  best_id: string | null;
  score: number | null;
  problem: Problem | null;
  why: Reason | null;
  /** How its position was put right; null where it is as the file has it. */
  repaired: string | null;
  decided_how: DecidedHow | null;
  /** Name or handle of whoever decided; null where nobody did, or is gone. */
  decided_by: string | null;
  decided_at: Date | null;
  matched_at: Date | null;
  skipped_at: Date | null;
  /** The candidate that is its venue, else the best; null where neither is among the candidates. */
  chosen: Candidate | null;
  /** Empty unless asked for. */
  candidates: Candidate[];
}

export interface ExportDeps extends Pick<Harmonizer, "pool"> {
  /** Reads a page while the database is away or busy: for a minute unless given. */
  patiently?: Patiently;
}

interface Wanted {
  /** Listings of this outcome only. */
  outcome?: Outcome | undefined;
  hasCandidates: boolean;
}

/**
 * The listings in the order of the file, some at a time. Pages are stretches of numbers, so that each is as cheap as the
 * one before however few of its listings are wanted, and nothing is held in between. The cuts are those that `h` had when
 * it was read: moving them meanwhile does not split an export. A busy database makes it slower and does not break it off.
 *
 * @throws KnownError 409 `deleted` at the end when the harmonization was deleted meanwhile: what was read is not all
 */
export async function* exportRows(
  { pool, patiently = aMinute }: ExportDeps,
  { id, acceptFrom, reviewFrom }: Harmonization,
  { outcome, hasCandidates }: Wanted,
): AsyncGenerator<ExportRow[]> {
  const { rows } = await patiently(() =>
    pool.query<{ last: number }>({
      name: "export-last",
      text: "SELECT coalesce(max(number), 0) AS last FROM app.listing WHERE harmonization_id = $1",
      values: [id],
    }),
  );
  const last = rows[0]?.last ?? 0;
  let read = 0;
  const size = pageSize();
  for (let [after, upTo] = [0, size.rows()]; after < last; [after, upTo] = [upTo, upTo + size.rows()]) {
    const page = await patiently(() =>
      pool.query<ExportRow>({
        name: `export-page${hasCandidates ? "-candidates" : ""}`,
        text: pageStatement(hasCandidates),
        values: [id, after, upTo, acceptFrom, reviewFrom, outcome ?? null],
      }),
    );
    read += page.rows.length;
    size.see(page.rows);
    yield* inPieces(page.rows);
  }
  if ((outcome === undefined && read < last) || (await patiently(() => isDeleted({ pool }, id)))) throw deleted();
}

/** A deletion says so first, and takes the listings afterwards. */
async function isDeleted({ pool }: ExportDeps, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "export-still-there",
    text: "SELECT FROM app.harmonization WHERE id = $1 AND state NOT IN ('uploading', 'deleting')",
    values: [id],
  });
  return rowCount === 0;
}

const deleted = () =>
  new KnownError(409, "deleted", "This was deleted while it was exported. The file is not complete.");

const pageStatement = (hasCandidates: boolean) => `
  SELECT l.*, ${NAME_OF} AS decided_by
    FROM (SELECT ${exportColumns(hasCandidates)}
            FROM app.listing l, (SELECT $4::real AS accept_from, $5::real AS review_from) AS h
           WHERE l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3) AS l
    LEFT JOIN app.account a ON a.id = l.account_id
   WHERE $6::text IS NULL OR l.outcome = $6
   ORDER BY l.number`;

/**
 * In SQL the columns of an ExportRow but `decided_by`, of a listing `l` and its harmonization's cuts `h`. The cells come as JSON,
 * because pg takes 60 ms for a megabyte of an array, and nobody else has their turn meanwhile (attacks F28).
 */
export const exportColumns = (hasCandidates: boolean): string => `
  l.number, l.line, to_json(l.cells) AS cells, l.own_id, ${OUTCOME} AS outcome, l.decision, l.venue_id, l.venue_name,
  l.best_id, l.score, l.problem, l.query->'repaired'->>'by' AS repaired, l.why, l.decided_how, l.decided_by AS account_id, l.decided_at, l.matched_at,
  l.skipped_at,
  (SELECT c FROM jsonb_array_elements(l.candidates) AS c
    WHERE c ->> 'id' = coalesce(l.venue_id, l.best_id) LIMIT 1) AS chosen,
  ${hasCandidates ? "l.candidates" : "'[]'::jsonb AS candidates"}`;
