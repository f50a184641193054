import type { Pool } from "pg";
import type { z } from "zod";
import type { annotateParameters } from "../../contract/link-parameters.ts";
import { webAddress } from "../../contract/parameters.ts";
import type { SearchParameters } from "../../contract/search-parameters.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Transaction } from "../deps.ts";
import type { TokenPair } from "../tokens.ts";
import { formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

export interface LinkRow {
  providerId: string;
  linkedId: string;
  url: string | null;
}

/**
 * Repeating it only updates the URL. Throws KnownError 403 not_authorized unless the provider id belongs to the
 * application, 409 with the other venue if the listing is linked to one (interface, "venues/annotate").
 */
export async function addLink(
  tx: Transaction,
  venueId: string,
  { providerId, linkedId, url }: z.output<typeof annotateParameters>,
  { clientId, userId }: TokenPair,
): Promise<LinkRow> {
  const [row] = await tx.$queryRaw<(LinkRow & { venueId: string })[]>`
    INSERT INTO directory.link AS l (provider_id, linked_id, venue_id, url, user_id)
    SELECT id, ${linkedId}, ${venueId}, ${url ?? null}, ${userId}
      FROM directory.provider WHERE id = ${providerId} AND client_id = ${clientId}
    ON CONFLICT (provider_id, linked_id) DO UPDATE SET url = coalesce(excluded.url, l.url)
    RETURNING provider_id AS "providerId", linked_id AS "linkedId", url, venue_id AS "venueId"`;
  if (!row) throw new KnownError(403, "not_authorized", "This providerId is not reserved for the application.");
  if (row.venueId !== venueId) await refuseSecondVenue(tx, row.venueId);
  return row;
}

/** @throws KnownError always, which rolls back the call's transaction */
async function refuseSecondVenue(tx: Transaction, id: string): Promise<never> {
  const venue = await tx.venue.findUnique({ where: { id }, select: { id: true, name: true } });
  const message =
    "This linkedId is already linked to another venue, see response.venue. A listing can be linked to one venue only.";
  throw new KnownError(409, "other", message, {
    title: "This listing is linked to another venue.",
    ...(venue && { response: { venue } }),
  });
}

/** Lists links of the application's own providers only (attacks C26), oldest first. */
export async function linksOf(pool: Pool, venueId: string, clientId: string): Promise<LinkRow[]> {
  const { rows } = await pool.query<LinkRow>({
    name: "links-of",
    text: `SELECT l.provider_id AS "providerId", l.linked_id AS "linkedId", l.url
             FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
            WHERE l.venue_id = $1 AND p.client_id = $2 ORDER BY l.created_at, l.linked_id`,
    values: [venueId, clientId],
  });
  return rows;
}

/**
 * Returns undefined if the search names no link (wire-format 6). Throws KnownError 400 param_error for half a link or
 * an invalid `url`.
 */
export async function findLinked(
  pool: Pool,
  clientId: string,
  { providerId, linkedId, url, intent, name, query, ll, limit }: SearchParameters,
): Promise<VenueRow[] | undefined> {
  if (providerId !== undefined && linkedId !== undefined) return byLink(pool, clientId, providerId, linkedId);
  if (providerId !== undefined || linkedId !== undefined)
    throw new KnownError(400, "param_error", "Send providerId and linkedId together.");
  // With intent=match, a listing's website must not prevent the match (interface, "Venue input attributes").
  if (url === undefined || (intent === "match" && (name ?? query))) return undefined;
  const address = webAddress.safeParse(url);
  if (!address.success) throw new KnownError(400, "param_error", `${address.error.issues[0]?.message}.`);
  return byAddress(pool, clientId, { addresses: spellings(address.data), point: ll ? formatPoint(ll) : null, limit });
}

async function byLink(pool: Pool, clientId: string, providerId: string, linkedId: string): Promise<VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({
    name: "venue-by-link",
    text: `SELECT ${VENUE_COLUMNS}
             FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
             JOIN directory.venue v ON v.id = l.venue_id
            WHERE l.provider_id = $1 AND l.linked_id = $2 AND p.client_id = $3`,
    values: [providerId, linkedId, clientId],
  });
  return rows;
}

/** Branches of a chain may share a website, so the nearest come first. */
async function byAddress(
  pool: Pool,
  clientId: string,
  { addresses, point, limit }: { addresses: string[]; point: string | null; limit: number },
): Promise<VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({
    name: "venues-by-address",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v
            WHERE v.id IN (SELECT id FROM directory.venue WHERE url = ANY($1::text[])
                           UNION
                           SELECT l.venue_id FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
                            WHERE l.url = ANY($1::text[]) AND p.client_id = $2)
            ORDER BY v.point <-> $3::point, v.id LIMIT $4`,
    values: [addresses, clientId, point, limit],
  });
  return rows;
}

function spellings(url: string): string[] {
  const rest = url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  const lower = rest.replace(/^[^/?#]+/, (host) => host.toLowerCase());
  const ends = [rest, lower].flatMap((each) => [each, `${each}/`]);
  return [...new Set(ends.flatMap((each) => [`http://${each}`, `https://${each}`]))];
}
