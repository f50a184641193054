import { timingSafeEqual } from "node:crypto";
import type { Application } from "../../db/generated/client.ts";
import { type Db, execute, prepared, queryRows, type Sql, sql } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";
import { type Count, type CountColumns, type CountedCall, countIn, countingCaller } from "../counters.ts";
import { type LastWrite, lastWriteOf } from "../last-write.ts";
import { isPlainId } from "./applications.ts";

export interface VerifiedClient
  extends Pick<Application, "clientId" | "rateLimit" | "access" | "redirectUris" | "webConnect" | "rotatesItself"> {
  secretId: string;
  position: LastWrite["position"];
  counted?: Count | undefined;
}

/** `now` is set if the use must be recorded. */
type SecretRow = Omit<VerifiedClient, "counted"> & { hash: Buffer; now: Date | null };

/** Returns undefined for an unknown id, a wrong secret or an ended one. Counts `call` if the secret is right. */
export async function verifyClient(
  db: Db,
  clientId: string,
  secret: string,
  call?: CountedCall,
): Promise<VerifiedClient | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const given = sha256(secret);
  const counting = call && countingCaller(sql`'application ' || caller."clientId"`, call, sql`caller.hash = ${given}`);
  const rows = counting
    ? await queryRows<SecretRow & CountColumns>(prepared(db))`WITH caller AS (${liveSecrets(clientId)}) ${counting}`
    : await queryRows<SecretRow & Partial<CountColumns>>(prepared(db))`${liveSecrets(clientId)}`;
  const row = rows.find(({ hash }) => timingSafeEqual(hash, given));
  if (!row) return undefined;
  const { hash: _, now, count = null, resetAt = null, secondsLeft = null, ...application } = row;
  if (now) touchSecret(db, row.secretId, now);
  return { ...application, counted: countIn({ count, resetAt, secondsLeft }) };
}

/**
 * Uses are recorded to the minute, and to the second for an expiring secret, whose owner waits for its last use: a use in
 * the minute of the rotation must not look older than the rotation.
 */
const IS_UNTOUCHED = sql`coalesce(s.last_used_at < now() - CASE WHEN s.expires_at IS NULL THEN interval '1 minute' ELSE interval '1 second' END, true)`;

const liveSecrets = (clientId: string): Sql => sql`
  SELECT a.client_id AS "clientId", a.rate_limit AS "rateLimit", a.access, a.redirect_uris AS "redirectUris",
         a.web_connect AS "webConnect", a.rotates_itself AS "rotatesItself",
         ${lastWriteOf(sql`a.client_id`)} AS position, s.id AS "secretId", s.hash, CASE WHEN ${IS_UNTOUCHED} THEN now() END AS now
    FROM directory.application a JOIN directory.application_secret s USING (client_id)
   WHERE client_id = ${clientId} AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** Records the time of the call, so that no use appears to follow the rotation. Does not wait, and ignores failure. */
function touchSecret(db: Db, id: string, at: Date): void {
  execute(db)`
    UPDATE directory.application_secret s SET last_used_at = greatest(last_used_at, ${at})
     WHERE id = ${id} AND ${IS_UNTOUCHED}`.catch(() => undefined);
}
