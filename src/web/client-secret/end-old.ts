import { execute, queryRow } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { alone } from "./alone.ts";
import { type CurrentCredentials, currentCredentials } from "./credentials.ts";
import { endAllBut, secretInUse } from "./rows.ts";

/** How long a secret must be unused before it is ended early. */
const QUIET_SECONDS = 60;

/** How late a call may arrive that read the old secret just before the switch. */
const IN_FLIGHT_SECONDS = 15;

export async function endOldSecrets(web: Web): Promise<void> {
  const done = await alone(web, async () => {
    const old = await findOld(web);
    const inUse = await currentCredentials(web);
    if (old && inUse.id === old.inUse) await end(web, inUse, old.inUse);
  });
  if (!done) throw new KnownError(409, "conflict", t("The secret is being changed just now. Try again in a moment."));
}

/**
 * Returns the job that notes the end of expired secrets. It also ends a secret early if that is allowed and the
 * directory has seen no use of it since the switch.
 */
export function createEnder(web: Web): () => Promise<void> {
  /** Ids of secrets in use whose predecessor was used after the switch: no need to ask again. */
  const left = new Set<string>();
  return async () => {
    await noteEnds(web);
    const old = await findOld(web);
    if (!old?.endsEarly || old.quietSeconds < QUIET_SECONDS || left.has(old.inUse)) return;
    await alone(web, async () => {
      const inUse = await currentCredentials(web);
      if (inUse.id !== old.inUse) return;
      const wasUsed = await wasUsedSince(web, inUse, old);
      if (wasUsed) left.add(old.inUse);
      if (wasUsed === false) await end(web, inUse, old.inUse);
    });
  };
}

interface OldSecrets {
  inUse: string;
  endsEarly: boolean;
  /** From creation to switch, and since the switch. */
  trialSeconds: number;
  quietSeconds: number;
}

/**
 * Returns the older secrets that the directory still accepts. `endsEarly` needs the time of creation, which is known
 * only if the secret in use was rotated here.
 */
async function findOld({ pool, config }: Web): Promise<OldSecrets | undefined> {
  return queryRow<OldSecrets>(pool)`
    SELECT fresh.id AS "inUse",
           bool_and(old.ends_early) AND fresh.origin = 'rotated' AS "endsEarly",
           extract(epoch FROM fresh.switched_on_at - fresh.created_at)::float8 AS "trialSeconds",
           extract(epoch FROM clock_timestamp() - fresh.switched_on_at)::float8 AS "quietSeconds"
      FROM app.client_credential old, LATERAL (${secretInUse(config.api.url)}) AS fresh
     WHERE old.directory = ${config.api.url} AND old.ended_at IS NULL AND old.expires_at > clock_timestamp()
       AND old.switched_on_at < fresh.switched_on_at
     GROUP BY fresh.id, fresh.origin, fresh.switched_on_at, fresh.created_at`;
}

async function noteEnds({ pool, config }: Web): Promise<void> {
  await execute(pool)`
    UPDATE app.client_credential SET ended_at = expires_at, secret = NULL
     WHERE directory = ${config.api.url} AND ended_at IS NULL AND expires_at <= clock_timestamp()
       AND switched_on_at < (SELECT switched_on_at FROM (${secretInUse(config.api.url)}) AS fresh)`;
}

/**
 * Whether an older secret was used after the switch; undefined if the secret in use is not the directory's newest. Uses
 * the directory's clock alone: creation there, plus the time from creation to switch here.
 */
async function wasUsedSince(
  web: Web,
  inUse: CurrentCredentials,
  { trialSeconds }: OldSecrets,
): Promise<boolean | undefined> {
  const secrets = await (await web.authHost.ownSecrets())?.list(inUse);
  const own = secrets?.find(({ usedNow }) => usedNow);
  if (!own?.current) return undefined;
  const latest = own.createdAt.getTime() + (trialSeconds + IN_FLIGHT_SECONDS) * 1000;
  return secrets?.some(({ usedNow, lastUsedAt }) => !usedNow && lastUsedAt && lastUsedAt.getTime() > latest);
}

async function end(web: Web, inUse: CurrentCredentials, rowId: string): Promise<void> {
  await (await web.authHost.ownSecrets())?.endOthers(inUse);
  await endAllBut(web.prisma, web.config.api.url, rowId);
}
