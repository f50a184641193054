import type { LatLng } from "../../contract/parameters.ts";
import { deleteRows, inStretches } from "../../db/bulk.ts";
import { execute, prepared, queryRows } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { DirectoryError } from "../../directory-client/calls/errors.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Harmonizer } from "../run/deps.ts";
import { noteGone } from "../run/gone-venues.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { runSideTask } from "../run/side-task.ts";
import { lookUpVenues, type VenueState } from "../run/venues.ts";
import type { Change, Look } from "./changes.ts";

interface Run {
  signal: AbortSignal;
  calls: AbortSignal;
}

/** The task `changes`: looks up every venue of a file once. Each step may be interrupted. */
export const lookForChanges = (deps: Harmonizer, h: Harmonization, run: Run): Promise<void> =>
  runSideTask<Look>(deps, h, "changes", async ({ about }, auth) => {
    await collect(deps, h, about);
    const failure = await lookUpAll(deps, h, { ...about, auth, ...run });
    if (failure) return failure;
    const rows = await queryRows<{ change: Change; venues: number }>(deps)`
        SELECT change, count(*)::int AS venues FROM app.venue_look WHERE harmonization_id = ${h.id} AND change IS NOT NULL GROUP BY 1`;
    return { ...about, counts: Object.fromEntries(rows.map(({ change, venues }) => [change, venues])) };
  });

const STRETCH = 20_000;

/** Notes the venues of the matched listings, each with what it was when it was matched, and forgets others. */
async function collect({ pool }: Harmonizer, h: Harmonization, { at }: Look): Promise<void> {
  const { id, acceptFrom, reviewFrom, listingCount } = h;
  await inStretches(
    listingCount,
    STRETCH,
    (after, upTo) =>
      execute(pool)`
        INSERT INTO app.venue_look AS v (harmonization_id, venue_id, number, wanted_at, was_name, was_lat, was_lng)
         SELECT DISTINCT ON (venue) ${id}::uuid, venue, number, ${at}::timestamptz, coalesce(c->>'name', venue_name),
                (c->>'lat')::float8, (c->>'lng')::float8
           FROM (SELECT l.number, ${MATCHED_VENUE} AS venue, l.venue_name,
                        (SELECT c FROM jsonb_array_elements(l.candidates) AS c WHERE c->>'id' = ${MATCHED_VENUE} LIMIT 1) AS c
                   FROM app.listing l, (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
                  WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo} AND ${OUTCOME} = 'matched') AS matched
          WHERE venue IS NOT NULL ORDER BY venue, number
         ON CONFLICT (harmonization_id, venue_id) DO UPDATE SET wanted_at = ${at}::timestamptz,
           number = CASE WHEN v.wanted_at = ${at}::timestamptz THEN least(v.number, excluded.number) ELSE excluded.number END`,
  );
  const quoted = new Date(at).toISOString();
  await deleteRows(pool, "app.venue_look", `harmonization_id = '${id}' AND wanted_at <> '${quoted}'`);
}

interface Known {
  venueId: string;
  /** As the last look found it; null before the first. */
  state: VenueState["is"] | null;
  nowId: string | null;
  name: string | null;
  lat: number | null;
  lng: number | null;
  credit: string | null;
  wasName: string | null;
  wasLat: number | null;
  wasLng: number | null;
  change: Change | null;
}

/** Venues asked for together. */
const VENUES = 1000;

async function lookUpAll(
  deps: Harmonizer,
  { id }: Harmonization,
  { at, auth, signal, calls }: Look & Run & { auth: Auth },
): Promise<DirectoryError | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const rows = await queryRows<Known>(deps)`
      SELECT venue_id AS "venueId", state, now_id AS "nowId", name, lat, lng, credit, was_name AS "wasName",
             was_lat AS "wasLat", was_lng AS "wasLng", change
        FROM app.venue_look WHERE harmonization_id = ${id} AND wanted_at = ${at} AND looked_at IS DISTINCT FROM ${at}
       ORDER BY venue_id LIMIT ${VENUES}`;
    if (rows.length === 0) return undefined;
    const { found, failure } = await lookUpVenues(
      deps,
      auth,
      rows.map(({ venueId }) => venueId),
      calls,
    );
    const looked = rows.flatMap((known) => {
      const now = found.get(known.venueId);
      return now ? [compared(known, now)] : [];
    });
    await noteGone(
      deps,
      [...found].flatMap(([venueId, { is }]) => (is === "gone" ? [venueId] : [])),
    );
    // A second worker that has read the same rows writes nothing.
    await execute(prepared(deps))`
      UPDATE app.venue_look v SET looked_at = ${at}, state = f.state, now_id = f."nowId", name = f.name, lat = f.lat,
          lng = f.lng, credit = f.credit, was_name = f."wasName", was_lat = f."wasLat", was_lng = f."wasLng", change = f.change, metres = f.metres
        FROM json_to_recordset(${JSON.stringify(looked)}) AS f("venueId" text, state text, "nowId" text, name text, lat float8, lng float8, credit text,
          "wasName" text, "wasLat" float8, "wasLng" float8, change text, metres int)
       WHERE v.harmonization_id = ${id} AND v.venue_id = f."venueId" AND v.looked_at IS DISTINCT FROM ${at}`;
    if (failure) return failure;
  }
}

/** Metres, as for the next edition of a release (docs/venues.md). */
const MOVED = 20;

/** Changes that tell where the venue is. */
const TELLING: (Change | null)[] = ["moved", "merged", "reopened", "closed"];

/**
 * What the look before found is what the venue was; its position is the one last told, or many short moves would never be told. A venue
 * without an answer stays as it was.
 */
function compared(known: Known, now: VenueState) {
  const isFirst = known.state === null;
  const isTold = TELLING.includes(known.change) || known.wasLat === null;
  const was = {
    wasName: (isFirst ? null : known.name) ?? known.wasName,
    wasLat: (isTold ? known.lat : null) ?? known.wasLat,
    wasLng: (isTold ? known.lng : null) ?? known.wasLng,
  };
  const { venueId, state, nowId } = known;
  const old = { name: was.wasName, ll: llOf(was.wasLat, was.wasLng) };
  if (now.id === undefined) {
    const change: Change = now.is === "unreadable" ? "unanswered" : state === "gone" ? "unchanged" : "gone";
    const kept = { state: now.is === "unreadable" ? state : now.is, nowId, name: old.name, credit: known.credit };
    return { venueId, ...was, ...kept, lat: was.wasLat, lng: was.wasLng, change, metres: null };
  }
  const metres = old.ll && now.ll ? Math.round(distanceBetween(old.ll, now.ll)) : null;
  const wasId = nowId ?? venueId;
  const change = changeOf({
    isMerged: now.id !== wasId && now.id !== venueId,
    isSeparated: now.id !== wasId && now.id === venueId,
    was: state ?? "open",
    is: now.is,
    metres,
    isRenamed: old.name !== null && old.name.normalize() !== now.name.normalize(),
  });
  const { lat = null, lng = null } = now.ll ?? {};
  return {
    venueId,
    ...was,
    state: now.is,
    nowId: now.id,
    name: now.name,
    lat,
    lng,
    credit: now.credit,
    change,
    metres,
  };
}

const llOf = (lat: number | null, lng: number | null): LatLng | null =>
  lat === null || lng === null ? null : { lat, lng };

interface Compared {
  isMerged: boolean;
  /** Whether its merge was reverted. */
  isSeparated: boolean;
  was: VenueState["is"];
  is: VenueState["is"];
  metres: number | null;
  isRenamed: boolean;
}

function changeOf({ isMerged, isSeparated, was, is, metres, isRenamed }: Compared): Change {
  if (isMerged) return "merged";
  if (is === "closed") return was === "closed" && !isSeparated ? "unchanged" : "closed";
  if (was === "closed" || was === "gone" || isSeparated) return "reopened";
  if (metres !== null && metres >= MOVED) return "moved";
  return isRenamed ? "renamed" : "unchanged";
}
