import { KnownError } from "../../errors.ts";
import { type CurrentCredentials, currentCredentials } from "../credentials.ts";
import type { Web } from "../deps.ts";
import { alone } from "./alone.ts";
import { markEnded } from "./rows.ts";

/** How long a secret has to be out of use before it is ended ahead of its time. */
const QUIET_SECONDS = 60;

/** A call that read the old secret just before the switch may arrive as late as this. */
const IN_FLIGHT_SECONDS = 15;

/** Ends the secrets that were in use before, at the directory and here. */
export async function endOldSecrets(web: Web): Promise<void> {
  const done = await alone(web.pool, async () => {
    const old = await findOld(web);
    if (old) await end(web, await currentCredentials(web), old);
  });
  if (!done) throw new KnownError(409, "conflict", "The secret is being changed just now. Try again in a moment.");
}

/**
 * What housekeeping does every few seconds: notes the end of an old secret whose time is over, and ends one ahead of its
 * time once the directory has seen no use of it since the switch. One that somebody still uses, or that was made by the
 * command line for others too, is left the time it was promised.
 */
export function createSecretKeeper(web: Web): () => Promise<void> {
  const left = new Set<string>();
  return async () => {
    await noteEnds(web);
    const old = await findOld(web);
    if (old?.origin !== "rotated" || old.quietSeconds < QUIET_SECONDS || left.has(old.inUse)) return;
    await alone(web.pool, async () => {
      const inUse = await currentCredentials(web);
      if (inUse.id === old.inUse && (await isUnused(web, inUse, old))) await end(web, inUse, old);
      else left.add(old.inUse); // a use that was seen once cannot become unseen
    });
  };
}

interface OldSecrets {
  ids: string[];
  /** The row that took their place, and how it came. */
  inUse: string;
  origin: string;
  /** From its making to its switch, and since. */
  trialSeconds: number;
  quietSeconds: number;
}

/** The secrets that were in use before the one in use, and that the directory still takes. */
async function findOld({ pool, config }: Web): Promise<OldSecrets | undefined> {
  const { rows } = await pool.query<OldSecrets>(
    `SELECT array_agg(old.id) AS ids, fresh.id AS "inUse", fresh.origin,
            extract(epoch FROM fresh.switched_on_at - fresh.created_at)::float8 AS "trialSeconds",
            extract(epoch FROM clock_timestamp() - fresh.switched_on_at)::float8 AS "quietSeconds"
       FROM app.client_credential old, LATERAL (${IN_USE}) AS fresh
      WHERE old.directory = $1 AND old.ended_at IS NULL AND old.expires_at > clock_timestamp()
        AND old.switched_on_at < fresh.switched_on_at
      GROUP BY fresh.id, fresh.origin, fresh.switched_on_at, fresh.created_at`,
    [config.api.url],
  );
  return rows[0];
}

async function noteEnds({ pool, config }: Web): Promise<void> {
  await pool.query(
    `UPDATE app.client_credential SET ended_at = expires_at, secret = NULL
      WHERE directory = $1 AND ended_at IS NULL AND expires_at <= clock_timestamp()
        AND switched_on_at < (SELECT switched_on_at FROM (${IN_USE}) AS fresh)`,
    [config.api.url],
  );
}

const IN_USE = `SELECT * FROM app.client_credential
   WHERE directory = $1 AND switched_on_at IS NOT NULL AND secret IS NOT NULL ORDER BY switched_on_at DESC, id DESC LIMIT 1`;

/** By the directory's clock alone: the switch came so long after the making of the new secret, which it dates. */
async function isUnused(web: Web, inUse: CurrentCredentials, { trialSeconds }: OldSecrets): Promise<boolean> {
  const secrets = await (await web.authHost.ownSecrets())?.list(inUse);
  const own = secrets?.find(({ usedNow }) => usedNow);
  if (!own?.current) return false;
  const latest = own.createdAt.getTime() + (trialSeconds + IN_FLIGHT_SECONDS) * 1000;
  return secrets?.every(({ usedNow, lastUsedAt }) => usedNow || !lastUsedAt || lastUsedAt.getTime() <= latest) ?? false;
}

async function end(web: Web, inUse: CurrentCredentials, { ids }: OldSecrets): Promise<void> {
  await (await web.authHost.ownSecrets())?.endOthers(inUse);
  await markEnded(web.prisma, ids);
}
