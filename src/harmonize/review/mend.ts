import { execute, sql } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { t } from "../../language/translate.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { askFormers } from "../match/former-venues.ts";
import { placeOf } from "../match/place.ts";
import { textOf } from "../query/corrected.ts";
import { asInFile, type Mend, type MendErrors, mendQuery } from "../query/mend.ts";
import { type Assessment, assess } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Problem } from "../run/problems/problems.ts";
import { asListing, MOST_CANDIDATES, type Query } from "../run/rows.ts";
import { writeDecisions } from "../run/write-decisions.ts";
import { CHANGED_AT, type Reviewed, type ReviewListing, reviewListing } from "./listing.ts";
import { isFree } from "./locks.ts";

/** Whether a listing may be mended: undecided, and read from a whole line. */
export const isMendable = ({ decision, status, isAdding, problem }: ReviewListing): boolean =>
  decision === null &&
  status !== "pending" &&
  !isAdding &&
  problem?.code !== "unreadable_line" &&
  problem?.code !== "too_many_cells";

interface Wish {
  auth: Auth;
  /** `changedAt` of the ReviewListing that the person saw. */
  seen: Date | null;
  /** What was typed; null takes the correction back. */
  mend: Mend | null;
}

/**
 * Asks the directory about one listing again, with its fields as typed, or as in the file. Its cells stay as in the file.
 * Returns how many candidates there are, what is wrong with which field, or, if the correction was taken back, the problem with
 * which a listing of the file fails again.
 * @throws KnownError 409 if the listing has changed; DirectoryError
 */
export async function mendListing(
  deps: Pick<Harmonizer, "pool" | "directory">,
  reviewed: Reviewed,
  { auth, seen, mend }: Wish,
): Promise<{ candidates: number } | { errors: MendErrors } | { problem: Problem }> {
  const { h, person } = reviewed;
  const listing = await reviewListing(deps, reviewed);
  if (!listing) throw notFound(t("There is no such row."));
  if (!isMendable(listing)) throw changed();
  const made = mend ? mendQuery(listing.cells, h, mend, listing.query) : asInFile(listing, h);
  if ("errors" in made) return made;
  if ("problem" in made) {
    await write(deps, reviewed, seen, made);
    return made;
  }
  const { query, mended } = made;
  const by = mended && { mended: { ...mended, by: person.id, at: new Date().toISOString() } };
  const asked = { minScore: WORTH_A_LOOK, limit: MOST_CANDIDATES };
  const found = await deps.directory.matchVenues(auth, asListing(query), asked);
  const [former] = await askFormers(deps, auth, [listing.was ? { was: listing.was, query, found } : undefined]);
  if (former && "error" in former) throw former.error;
  const category = textOf({ ...listing, query: { ...query, ...by } }, h, "category");
  const assessed = assess(found, query, { former, category });
  await write(deps, reviewed, seen, { query: { ...query, ...by }, ...assessed });
  return { candidates: assessed.candidates.length };
}

async function write(
  db: Pick<Harmonizer, "pool">,
  { h, person, number }: Reviewed,
  seen: Date | null,
  asked: ({ query: Query } & Assessment) | { problem: Problem },
): Promise<void> {
  const { query, score, isClear, bestId, candidates, pattern } = "problem" in asked ? NOTHING : asked;
  const status = "problem" in asked ? "failed" : "asked";
  const problem = "problem" in asked ? JSON.stringify(asked.problem) : null;
  const isGoneNow = isGone(sql`${bestId}::text`, h.id);
  const written = await execute(db)`
    ${writeDecisions({
      run: h.id,
      rows: sql`(SELECT ${number}::int AS number) d`,
      where: sql`${CHANGED_AT} IS NOT DISTINCT FROM ${seen}::timestamptz(3)
       AND l.decision IS NULL AND l.status <> 'pending' AND l.adding IS NULL AND ${isFree(person.id)}`,
      decision: {},
      also: [
        sql`query = ${query && JSON.stringify(query)}::jsonb`,
        sql`place = ${query?.ll ? placeOf(query.ll) : null}`,
        sql`status = ${status}::app.listing_status`,
        sql`problem = ${problem}::jsonb`,
        sql`score = ${score}`,
        sql`is_clear = ${isClear} AND NOT ${isGoneNow}`,
        sql`best_id = ${bestId}`,
        sql`candidates = ${JSON.stringify(candidates)}::jsonb`,
        sql`pattern = ${pattern}`,
        sql`matched_at = now()`,
        sql`skipped_at = NULL`,
      ],
    })}`;
  if (written === 0) throw changed();
}

const NOTHING = { query: null, score: null, isClear: false, bestId: null, candidates: [], pattern: null };

const changed = () =>
  new KnownError(
    409,
    "conflict",
    t("This row has changed since you opened it, so nothing was corrected. Check it again."),
    { title: t("Not corrected") },
  );
