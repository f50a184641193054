import { timingSafeEqual } from "node:crypto";
import type { Application } from "../../db/generated/client.ts";
import { sha256 } from "../../shared/crypto.ts";
import { type Count, type CountColumns, type CountedCall, countIn, countingCaller } from "../counters.ts";
import type { DirectoryDeps } from "../deps.ts";
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
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
  secret: string,
  call?: CountedCall,
): Promise<VerifiedClient | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const given = sha256(secret);
  const { rows } = call
    ? await pool.query<SecretRow & CountColumns>({
        name: "verify-and-count-client",
        text: `WITH caller AS (${LIVE_SECRETS})
               ${countingCaller(`'application ' || caller."clientId"`, { group: "$2", cost: "$3", condition: "caller.hash = $4" })}`,
        values: [clientId, call.group, call.cost, given],
      })
    : await pool.query<SecretRow & Partial<CountColumns>>({
        name: "verify-client",
        text: LIVE_SECRETS,
        values: [clientId],
      });
  const row = rows.find(({ hash }) => timingSafeEqual(hash, given));
  if (!row) return undefined;
  const { hash: _, now, count = null, resetAt = null, secondsLeft = null, ...application } = row;
  if (now) touchSecret(pool, row.secretId, now);
  return { ...application, counted: countIn({ count, resetAt, secondsLeft }) };
}

/**
 * Uses are recorded to the minute, and to the second for an expiring secret, whose owner waits for its last use: a use in
 * the minute of the rotation must not look older than the rotation.
 */
const IS_UNTOUCHED = `coalesce(s.last_used_at < now() - CASE WHEN s.expires_at IS NULL THEN interval '1 minute' ELSE interval '1 second' END, true)`;

const LIVE_SECRETS = `SELECT a.client_id AS "clientId", a.rate_limit AS "rateLimit", a.access, a.redirect_uris AS "redirectUris",
         a.web_connect AS "webConnect", a.rotates_itself AS "rotatesItself",
         ${lastWriteOf("a.client_id")} AS position, s.id AS "secretId", s.hash, CASE WHEN ${IS_UNTOUCHED} THEN now() END AS now
    FROM directory.application a JOIN directory.application_secret s USING (client_id)
   WHERE client_id = $1 AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** Records the time of the call, so that no use appears to follow the rotation. Does not wait, and ignores failure. */
function touchSecret(pool: DirectoryDeps["pool"], id: string, at: Date): void {
  pool
    .query(
      `UPDATE directory.application_secret s SET last_used_at = greatest(last_used_at, $2)
        WHERE id = $1 AND ${IS_UNTOUCHED}`,
      [id, at],
    )
    .catch(() => undefined);
}
