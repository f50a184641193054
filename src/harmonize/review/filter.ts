import { joinSql, type Sql, sql } from "../../db/sql.ts";
import type { ProblemCode } from "../run/problems/problems.ts";
import type { InEdition } from "../run/rows.ts";
import { ANNOTATION_PROBLEM } from "./listing.ts";
import { isAsked, waitsFor } from "./notes.ts";

/** What listings have in common. Columns are counted from 1, scores from 0 to 1. */
export interface Filter {
  /** What is compared, and whether it speaks for or against the best candidate: `phone-`. */
  reason?: string | undefined;
  /** As in the file, in upper or lower case; with the column of towns. */
  town?: string | undefined;
  townColumn?: number | undefined;
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
  column?: number | undefined;
  isFilled?: boolean | undefined;
  /** What went wrong with the listing. */
  problem?: ProblemCode | undefined;
  /** How it stands to the previous edition. */
  edition?: InEdition["is"] | undefined;
  /** Matched, with an id that the directory did not accept. */
  isUnwritten?: boolean | undefined;
  /** Id of a person who is asked about the listing (review/notes.ts). */
  asked?: string | undefined;
  /** Id of a person whom the listing waits for: they are asked, or have an answer. */
  waitsFor?: string | undefined;
  /** A later edition, which lacks the listing's id. */
  missingIn?: string | undefined;
}

/** SQL: whether a listing `l` fits a filter, whose reason has no wildcards of LIKE. */
export const fitsFilter = (filter: Filter): Sql => {
  const { reason, town, townColumn = null, from, to = null, problem, isUnwritten, edition, missingIn } = filter;
  const { column, isFilled = null } = filter;
  const conditions = [
    sql`true`,
    reason !== undefined && sql`' ' || l.pattern LIKE '% ' || ${reason} || '%'`,
    town !== undefined && sql`lower(btrim(l.cells[${townColumn}::int])) = lower(${town})`,
    from !== undefined && sql`l.score >= ${from}::real AND l.score < ${to}::real`,
    problem !== undefined && sql`l.problem->>'code' = ${problem}`,
    isUnwritten && sql`${ANNOTATION_PROBLEM} IS NOT NULL`,
    edition !== undefined && sql`l.edition->>'is' = ${edition}`,
    filter.asked !== undefined && isAsked(filter.asked),
    filter.waitsFor !== undefined && waitsFor(filter.waitsFor),
    missingIn !== undefined &&
      sql`l.own_id <> '' AND NOT EXISTS (SELECT FROM app.listing n WHERE n.harmonization_id = ${missingIn} AND n.own_id = l.own_id)`,
    column !== undefined && sql`(btrim(coalesce(l.cells[${column}::int], '')) <> '') = ${isFilled}::boolean`,
  ];
  return joinSql(
    conditions.filter((each) => each !== false && each !== undefined),
    " AND ",
  );
};

/** Orders other than the file's; `score`: surest first; `reason`: those that differ in the same way one after the other. */
export const SORTS = ["score", "town", "reason"] as const;
export type Sort = (typeof SORTS)[number];

const TOWN = sql`lower(coalesce(l.query->>'city', l.query->>'near'))`;
const KEYS: Record<Sort, Sql> = {
  score: sql`coalesce(-l.score, 1)`,
  town: sql`${TOWN} IS NULL, coalesce(${TOWN}, '')`,
  reason: sql`coalesce(l.problem->>'code', l.pattern, '')`,
};

/** SQL: what listings `l` are sorted by, without NULL, so that two of them can be compared as rows. */
export const sortKey = (sort?: Sort): Sql => (sort ? sql`${KEYS[sort]}, l.number` : sql`l.number`);
