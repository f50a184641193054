import type { z } from "zod";
import type { annotateParameters } from "../../contract/correction-parameters.ts";
import { webAddress } from "../../contract/parameters.ts";
import type { SearchParameters } from "../../contract/search-parameters.ts";
import { type Db, prepared, queryRows } from "../../db/sql.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Transaction } from "../deps.ts";
import type { Outcome } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { type Sees, seenBy } from "./find.ts";
import { formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

export interface LinkRow {
  providerId: string;
  linkedId: string;
  url: string | null;
}

export interface NewLink extends z.output<typeof annotateParameters> {
  venueId: string;
}

/**
 * Adds links, no two for the same listing, and returns what became of each. Repeating one only updates the URL. Fails with
 * KnownError 403 not_authorized unless the provider id belongs to the application, 409 with the other venue if the listing is
 * linked to one (interface, "venues/annotate").
 */
export async function addLinks(
  tx: Transaction,
  links: readonly NewLink[],
  { clientId, userId }: TokenPair,
): Promise<Outcome<LinkRow>[]> {
  const wanted = JSON.stringify(links);
  const added = await tx.$queryRaw<LinkRow[]>`
    INSERT INTO directory.link AS l (provider_id, linked_id, venue_id, url, user_id)
    SELECT p.id, w."linkedId", w."venueId", w.url, ${userId}
      FROM jsonb_to_recordset(${wanted}::jsonb) AS w("providerId" text, "linkedId" text, "venueId" text, url text)
      JOIN directory.provider p ON p.id = w."providerId" AND p.client_id = ${clientId}
     ORDER BY p.id COLLATE "C", w."linkedId" COLLATE "C"
    ON CONFLICT (provider_id, linked_id) DO UPDATE SET url = coalesce(excluded.url, l.url) WHERE l.venue_id = excluded.venue_id
    RETURNING provider_id AS "providerId", linked_id AS "linkedId", url`;
  const byId = new Map(added.map((row) => [listingKey(row), row]));
  const left = links.filter((link) => !byId.has(listingKey(link)));
  const holders = left.length > 0 ? await holdersOf(tx, left, clientId) : new Map<string, Holder>();
  return links.map((link) => {
    const row = byId.get(listingKey(link));
    return row ? { done: row } : { error: refusal(holders.get(listingKey(link)), seenBy({ userId })) };
  });
}

export const listingKey = ({ providerId, linkedId }: Pick<LinkRow, "providerId" | "linkedId">): string =>
  JSON.stringify([providerId, linkedId]);

interface Holder {
  id: string;
  name: string;
  heldFor: string | null;
}

async function holdersOf(tx: Transaction, links: readonly NewLink[], clientId: string): Promise<Map<string, Holder>> {
  const rows = await tx.$queryRaw<(Holder & Pick<LinkRow, "providerId" | "linkedId">)[]>`
    SELECT l.provider_id AS "providerId", l.linked_id AS "linkedId", v.id, v.name,
           CASE WHEN NOT isfinite(v.closed_at) THEN v.creator_id END AS "heldFor"
      FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb) AS w("providerId" text, "linkedId" text)
      JOIN directory.provider p ON p.id = w."providerId" AND p.client_id = ${clientId}
      JOIN directory.link l ON l.provider_id = p.id AND l.linked_id = w."linkedId"
      JOIN directory.venue v ON v.id = l.venue_id`;
  return new Map(rows.map(({ id, name, heldFor, ...listing }) => [listingKey(listing), { id, name, heldFor }]));
}

function refusal(holder: Holder | undefined, sees: Sees): KnownError {
  if (!holder) return new KnownError(403, "not_authorized", "This providerId is not reserved for the application.");
  if (!sees(holder))
    return new KnownError(
      409,
      "other",
      "This linkedId is linked to a venue that another user added and that waits for approval.",
    );
  const message =
    "This linkedId is already linked to another venue, see response.venue. A listing can be linked to one venue only.";
  return new KnownError(409, "other", message, {
    title: "This listing is linked to another venue.",
    response: { venue: { id: holder.id, name: holder.name } },
  });
}

/** Lists links of the application's own providers only (attacks C26), oldest first. */
export const linksOf = (db: Db, venueId: string, clientId: string): Promise<LinkRow[]> =>
  queryRows<LinkRow>(prepared(db))`
    SELECT l.provider_id AS "providerId", l.linked_id AS "linkedId", l.url
      FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
     WHERE l.venue_id = ${venueId} AND p.client_id = ${clientId} ORDER BY l.created_at, l.linked_id`;

/**
 * Returns undefined if the search names no link (wire-format 6). Throws KnownError 400 param_error for half a link or
 * an invalid `url`.
 */
export async function findLinked(
  db: Db,
  clientId: string,
  { providerId, linkedId, url, intent, name, query, ll, limit }: SearchParameters,
): Promise<VenueRow[] | undefined> {
  if (providerId !== undefined && linkedId !== undefined) return byLink(db, clientId, providerId, linkedId);
  if (providerId !== undefined || linkedId !== undefined)
    throw new KnownError(400, "param_error", "Send providerId and linkedId together.");
  // With intent=match, a listing's website must not prevent the match (interface, "Venue input attributes").
  if (url === undefined || (intent === "match" && (name ?? query))) return undefined;
  const address = webAddress.safeParse(url);
  if (!address.success) throw new KnownError(400, "param_error", `${address.error.issues[0]?.message}.`);
  return byAddress(db, clientId, { addresses: spellings(address.data), point: ll ? formatPoint(ll) : null, limit });
}

const byLink = (db: Db, clientId: string, providerId: string, linkedId: string): Promise<VenueRow[]> =>
  queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS}
      FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
      JOIN directory.venue v ON v.id = l.venue_id
     WHERE l.provider_id = ${providerId} AND l.linked_id = ${linkedId} AND p.client_id = ${clientId}`;

/** Branches of a chain may share a website, so the nearest come first. */
const byAddress = (
  db: Db,
  clientId: string,
  { addresses, point, limit }: { addresses: string[]; point: string | null; limit: number },
): Promise<VenueRow[]> =>
  queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v
     WHERE v.closed_at IS NULL AND v.id IN (SELECT id FROM directory.venue WHERE url = ANY (${addresses}::text[])
                    UNION
                    SELECT l.venue_id FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
                     WHERE l.url = ANY (${addresses}::text[]) AND p.client_id = ${clientId})
     ORDER BY v.point <-> ${point}::point, v.id LIMIT ${limit}`;

function spellings(url: string): string[] {
  const rest = url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  const lower = rest.replace(/^[^/?#]+/, (host) => host.toLowerCase());
  const ends = [rest, lower].flatMap((each) => [each, `${each}/`]);
  return [...new Set(ends.flatMap((each) => [`http://${each}`, `https://${each}`]))];
}
