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

/** An annotation as it is kept. */
export interface LinkRow {
  providerId: string;
  linkedId: string;
  url: string | null;
}

/**
 * Writes the caller's id of a listing on the venue (interface, "venues/annotate"). The same once more changes nothing but
 * the page's address, where it is another.
 *
 * @throws KnownError 403 not_authorized unless the provider id is reserved for the application; 409 with the other venue
 * when the listing is on one already
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

/** @throws KnownError always: what the call has written so far is undone with its transaction */
async function refuseSecondVenue(tx: Transaction, id: string): Promise<never> {
  const venue = await tx.venue.findUnique({ where: { id }, select: { id: true, name: true } });
  const message = "This linkedId is on another venue already, the one in response.venue. One listing is one venue.";
  throw new KnownError(409, "other", message, {
    title: "This listing belongs to another venue.",
    ...(venue && { response: { venue } }),
  });
}

/** The venue's links, of the application's own providers only (attacks C26), oldest first. */
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
 * The venues that a search names by a link instead of looking for them (wire-format 6): by `providerId` and `linkedId`, or
 * by `url`. Undefined when it does neither.
 *
 * @throws KnownError 400 param_error for half a link, or a `url` that is none
 */
export async function findLinked(
  pool: Pool,
  clientId: string,
  { providerId, linkedId, url, intent, name, query, ll, limit }: SearchParameters,
): Promise<VenueRow[] | undefined> {
  if (providerId !== undefined && linkedId !== undefined) return byLink(pool, clientId, providerId, linkedId);
  if (providerId !== undefined || linkedId !== undefined)
    throw new KnownError(400, "param_error", "providerId and linkedId go together.");
  // A listing's website is no input of intent=match, and must not keep it from being matched (interface, "Venue input attributes").
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

/** Nearest first, where there is a point to be near to: a chain's branches may share one website. */
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

/** An address with http and https, with and without a slash at its end, the host as written and in lower case. */
function spellings(url: string): string[] {
  const rest = url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  const lower = rest.replace(/^[^/?#]+/, (host) => host.toLowerCase());
  const ends = [rest, lower].flatMap((each) => [each, `${each}/`]);
  return [...new Set(ends.flatMap((each) => [`http://${each}`, `https://${each}`]))];
}
