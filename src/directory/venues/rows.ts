import { type Sql, sql } from "../../db/sql.ts";
import type { OtherName } from "../../matching/prepare.ts";

export interface VenueRow {
  id: string;
  name: string;
  nameNorm: string;
  otherNames: OtherName[] | null;
  otherNamesNorm: string | null;
  lat: number;
  lng: number;
  /** Whether the position was taken from the address when a user added the venue. */
  isByAddress: boolean;
  address: string | null;
  crossStreet: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  cc: string | null;
  phone: string | null;
  twitter: string | null;
  url: string | null;
  description: string | null;
  categoryId: string | null;
  /** The category's name, of candidates of a match (`withCategories`). */
  category?: string | undefined;
  checkinsCount: number;
  usersCount: number;
  /** Null for venues that users added. */
  sourceId: number | null;
  isClosed: boolean;
  isTemporarilyClosed: boolean;
  /** Of a venue that waits for approval (held.ts), the user who added it. Only they may see it. */
  heldFor: string | null;
  /** Epoch seconds with fractions: creating a Date would cost more than the rest of the row, and extract() in PostgreSQL a tenth. */
  createdAt: number;
}

const columns = (
  createdAt: Sql,
): Sql => sql`v.id, v.name, v.name_norm AS "nameNorm", v.other_names AS "otherNames", v.other_names_norm AS "otherNamesNorm", v.lat, v.lng, v.position_by_address IS TRUE AS "isByAddress", v.address,
  v.cross_street AS "crossStreet", v.city, v.state, v.zip, v.cc, v.phone, v.twitter, v.url, v.description,
  v.category_id AS "categoryId", v.checkins_count AS "checkinsCount", v.users_count AS "usersCount",
  v.source_id AS "sourceId", coalesce(isfinite(v.closed_at), false) AS "isClosed",
  v.temporarily_closed IS TRUE AS "isTemporarilyClosed",
  CASE WHEN NOT isfinite(v.closed_at) THEN v.creator_id END AS "heldFor",
  date_part('epoch', ${createdAt}) AS "createdAt"`;

export const VENUE_COLUMNS = columns(sql`v.created_at`);

/** For RETURNING, where Citus takes nothing that depends on the session's time zone. Slower. */
export const RETURNED_COLUMNS = columns(sql`v.created_at AT TIME ZONE 'UTC'`);
