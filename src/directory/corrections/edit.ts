import type { PoolClient } from "pg";
import { differing, VALUE_NAMES, type Values } from "../../contract/correction-parameters.ts";
import { ll as point } from "../../contract/parameters.ts";
import { queryRow } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { recordPlacesWith } from "../places/refresh.ts";
import { countriesAt } from "../venues/add.ts";
import { VENUE_COLUMNS, type VenueRow } from "../venues/rows.ts";
import { lockVenues } from "./merged-names.ts";
import { refusalOf, usesOf, venuesWith } from "./own.ts";
import { columnsOf, EDITED, type Row, readRow, valuesOf, writeColumns } from "./values.ts";

type Deps = Pick<DirectoryDeps, "pool">;

export interface Edit {
  id: string;
  /** As checkValues() returns them. */
  wanted: Values;
  /** What the edit is based on; undefined if it does not matter. */
  was: Values | undefined;
}

/** `clientId` is null on a page of the directory. Users who are no operators may edit what they have just added. */
export interface Editor {
  userId: string;
  clientId: string | null;
  isOperator: boolean;
}

/**
 * Edits, moves, closes or reopens a venue, and records it. Returns the id of the change. Throws KnownError 403 or 409 if the user
 * may not, and 409 if the venue is gone, is like that already, or has values other than `was`.
 */
export async function editVenue(deps: Deps, edit: Edit, by: Editor): Promise<string> {
  const cc = await countryOf(deps, edit.wanted);
  return inTransaction(deps.pool, (client) => editIn(client, { ...edit, cc }, by));
}

/** The country that a venue moves to. Not asked in the transaction, which would wait for another connection. */
export async function countryOf({ pool }: Deps, { ll }: Values): Promise<string | null> {
  return ll === undefined ? null : ((await countriesAt(pool, [point.parse(ll)]))[0] ?? null);
}

export async function editIn(
  client: PoolClient,
  { id, wanted, was, cc }: Edit & { cc: string | null },
  by: Editor,
): Promise<string> {
  await lockVenues(client, [id]);
  const venue = await readVenue(client, id);
  const refusal = await refusalToEdit(client, id, by);
  if (refusal) throw refusal;
  const changes = changesOf(venue, wanted, was);
  const isHeld = venue.heldFor !== null;
  if (isHeld && changes.closed !== undefined)
    throw new KnownError(409, "conflict", t("This venue is waiting for approval."));
  const before = (await readRow(client, id)) ?? {};
  await writeColumns(client, before, columnsOf(changes, cc));
  const after = (await readRow(client, id)) ?? {};
  if (!isHeld) await recordPlacesWith(client, [after as unknown as VenueRow]);
  return recordEdit(client, { id, before, after: changedIn(before, after) }, by);
}

/** Leaves out what is the same. Throws KnownError 409 if all is, or if the venue has values other than `was`. */
export function changesOf(venue: VenueRow, wanted: Values, was: Values | undefined): Values {
  const now = valuesOf(venue);
  const changes = differing(wanted, now);
  if (Object.keys(changes).length === 0)
    throw new KnownError(409, "conflict", t("The venue already has these values."));
  const changedSince = VALUE_NAMES.filter(
    (name) => name in changes && was?.[name] !== undefined && was[name] !== now[name],
  );
  if (changedSince.length > 0) throw conflict(changedSince.map((name) => [name, now[name]]));
  return changes;
}

export async function readVenue(client: PoolClient, id: string): Promise<VenueRow> {
  const row = await queryRow<VenueRow>(client)`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ${id}`;
  if (row) return row;
  throw new KnownError(409, "conflict", t("The venue no longer exists: it was merged or deleted."));
}

/** Returns why a user may not edit a venue; undefined if the user may. */
export async function refusalToEdit(
  client: PoolClient,
  id: string,
  { userId, clientId, isOperator }: Editor,
): Promise<KnownError | undefined> {
  if (isOperator) return undefined;
  const caller = { userId, clientId: clientId ?? "" };
  const [venue] = await venuesWith(client, [id], caller);
  return venue && refusalOf(venue, (await usesOf(client, [id], caller)).get(id), "edit");
}

const conflict = (now: [string, string][]) =>
  new KnownError(
    409,
    "conflict",
    t("The venue has been changed in the meantime. It now has: {values}.", {
      values: now.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", "),
    }),
  );

/** A position is changed as a whole. */
function changedIn(before: Row, after: Row): Row {
  const moved = before.lat !== after.lat || before.lng !== after.lng;
  const changed = EDITED.filter((name) => before[name] !== after[name] || (moved && /^l(at|ng)$/.test(name)));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

async function recordEdit(
  client: PoolClient,
  { id, before, after }: { id: string; before: Row; after: Row },
  { userId, clientId }: Editor,
): Promise<string> {
  const row = await queryRow<{ change: string }>(client)`
    INSERT INTO directory.venue_change (venue_id, kind, user_id, client_id, before, after)
    VALUES (${id}, 'edited', ${userId}, ${clientId},
            jsonb_build_object('venue', ${JSON.stringify(before)}::jsonb, 'links', '[]'::jsonb), ${JSON.stringify(after)})
    RETURNING id::text AS change`;
  return row?.change ?? "";
}
