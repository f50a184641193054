import { connect } from "../../db/connections.ts";
import { LOCKS } from "../../db/locks.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { ClientCredentials } from "../../directory-client/calls/retry-after.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import type { Logger } from "../../http/logger.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { randomToken } from "../../shared/crypto.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { secretPlace } from "../base/keys.ts";
import { redirectUri } from "../login/attempts.ts";
import { type CurrentCredentials, currentCredentials } from "./credentials.ts";
import { addCredential, endAllBut, limitSecretInUse, type Overlap, secretInUse, switchOn } from "./rows.ts";

interface Order {
  accountId: string;
  /** `inUseMark` of the page with the form: a late form must not change another secret. */
  ifInUse: string;
}

/** Identifies the secret in use in a form: its row, or the settings. */
export const inUseMark = ({ id }: CurrentCredentials): string => id ?? "settings";

/**
 * Lets the directory create a new secret, stores it first, then tests it and switches it on. The previous one works for
 * another `overlapSeconds`. If a step fails, the secret in use still works, and a stored new one is tested again
 * (`createWaitingRetry`). After a lost answer, rotating again is safe.
 *
 * @throws KnownError whose message says how far it came; 409 if the secret was changed meanwhile
 */
export const rotateSecret = (web: Web, order: Order & Overlap): Promise<void> =>
  changing(web, order, async (inUse) => {
    if (await findWaiting(web))
      throw new KnownError(409, "conflict", t("A new secret is already waiting: switch that one on."));
    const { accountId, endsEarly } = order;
    const { clientSecret, overlapSeconds } = await makeAtDirectory(web, inUse, order);
    const { url: directory } = web.config.api;
    const { clientId } = inUse;
    const id = await web.prisma.$transaction(async (tx) => {
      await limitSecretInUse(tx, { directory, ...inUse }, { overlapSeconds, endsEarly, isSure: true });
      return addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "rotated", accountId });
    });
    await tryAndSwitchOn(web, { id, clientId, clientSecret });
  });

/**
 * Tests the secret that waits since a rotation, and switches it on.
 *
 * @throws KnownError 409 if another one waits, or none
 */
export const switchOnWaiting = (web: Web, order: Order & { id: string }): Promise<void> =>
  changing(web, order, async () => {
    const waiting = await findWaiting(web);
    if (waiting?.id !== order.id) throw changedMeanwhile();
    await tryAndSwitchOn(web, waiting);
  });

/**
 * Returns the job that switches a waiting secret on without an admin, tried again until it succeeds: once the secret in use ends,
 * nobody can log in.
 */
export function createWaitingRetry(web: Web, log: Logger): () => Promise<void> {
  let told: string | undefined;
  return async () => {
    if (!(await findWaiting(web))) return;
    await withRotationLock(web, async () => {
      const waiting = await findWaiting(web);
      if (!waiting) return;
      try {
        await tryAndSwitchOn(web, waiting);
        log.info("the new client secret passed its test and is in use");
      } catch (err) {
        if (!(err instanceof KnownError)) throw err;
        if (told !== waiting.id) log.warn({ err }, "the new client secret did not pass its test and is tried again");
        told = waiting.id;
      }
    });
  };
}

/**
 * Returns the secret that was rotated here and is not in use yet. There is one at most, because a rotation ends the
 * ones before.
 */
export async function findWaiting({ prisma, vault, config }: Web): Promise<Kept | undefined> {
  const where = { directory: config.api.url, origin: "rotated", switchedOnAt: null, endedAt: null } as const;
  const row = await prisma.clientCredential.findFirst({ where });
  const clientSecret = row?.secret && vault.open(row.secret, secretPlace(row.id));
  return clientSecret ? { id: row.id, clientId: row.clientId, clientSecret } : undefined;
}

type Kept = ClientCredentials & { id: string };

/** Tests a secret that an admin got at the directory; stores it and puts it in use only if it passes. */
export const pasteSecret = (web: Web, order: Order & { clientId: string; clientSecret: string }): Promise<void> =>
  changing(web, order, async (inUse) => {
    const { clientId, clientSecret, accountId } = order;
    const { url: directory } = web.config.api;
    if (clientId === inUse.clientId && clientSecret === inUse.clientSecret)
      throw badRequest(t("This secret is already in use."));
    await tryCredentials(web, { clientId, clientSecret }).catch((error) => {
      throw reworded(error, (why) => `${why} ${t("The secret in use still works; what you pasted was not stored.")}`);
    });
    await web.prisma.$transaction(async (tx) => {
      const id = await addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "pasted", accountId });
      if (!(await switchOn(tx, directory, id))) throw changedMeanwhile();
    });
  });

async function changing(web: Web, order: Order, work: (inUse: CurrentCredentials) => Promise<void>): Promise<void> {
  const done = await withRotationLock(web, async () => {
    const inUse = await currentCredentials(web);
    if (inUseMark(inUse) !== order.ifInUse) throw changedMeanwhile();
    await work(inUse);
  });
  if (!done) throw changedMeanwhile();
}

const changedMeanwhile = () =>
  new KnownError(
    409,
    "conflict",
    t(
      "Nothing was done: the secret was rotated in the meantime, or is being rotated now. Reload the page and try again.",
    ),
  );

async function makeAtDirectory(web: Web, inUse: CurrentCredentials, overlap: Overlap) {
  const secrets = await web.authHost.ownSecrets().catch((error) => {
    throw reworded(error, (why) => `${why} ${t("Nothing was changed.")}`);
  });
  if (!secrets)
    throw new KnownError(409, "conflict", t("This directory does not let applications rotate their secrets."));
  return secrets.rotate(inUse, overlap.overlapSeconds).catch(async (error) => {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.kind === "refused_client") throw reworded(error, refused);
    const lost = LOST.get(error.kind);
    if (!lost) throw reworded(error, (why) => `${why} ${t("Nothing was changed.")}`);
    const where = { directory: web.config.api.url, ...inUse };
    const until = await limitSecretInUse(web.prisma, where, { ...overlap, isSure: false });
    throw reworded(error, () => `${lost()} ${againBefore(until)}`);
  });
}

const refused = () =>
  t(
    "The directory no longer accepts the secret in use, so Samespot cannot rotate it. Create a new one at the directory and paste it here.",
  );
const LOST = new Map([
  ["unreachable", () => t("The directory did not answer, so Samespot does not know whether it created a new secret.")],
  [
    "invalid_answer",
    () => t("The directory’s answer cannot be read, so Samespot does not know whether it created a new secret."),
  ],
]);

const againBefore = (until: Date | undefined): string =>
  t("The secret in use ends {time}. Rotate again before then to get a new secret and end the lost one.", {
    time: until ? shownTime(until).text : "",
  });

async function tryAndSwitchOn(web: Web, { id, ...credentials }: Kept): Promise<void> {
  await tryCredentials(web, credentials).catch((error) => {
    throw reworded(error, (why) => `${why} ${waits()}`);
  });
  const isOn = await web.prisma.$transaction((tx) => switchOn(tx, web.config.api.url, id));
  if (!isOn) throw changedMeanwhile();
}

const waits = () =>
  t(
    "The new secret is stored, but not in use: Samespot tests it again every few seconds. The current one works until it ends.",
  );

function reworded(error: unknown, words: (why: string) => string): unknown {
  if (!(error instanceof KnownError)) return error;
  const { status, code, message, headers } = error;
  return new KnownError(status, code, words(message), { headers, cause: error });
}

const PATIENCE_MS = 1400;

interface Deps {
  harmonizer: Pick<Harmonizer, "databaseUrl">;
}

/**
 * Runs `work` unless any process is changing the client secret already. The lock has its own connection, so that a slow
 * directory does not hold one that pages need.
 *
 * @returns undefined if `work` was not run
 */
export async function withRotationLock<T>(deps: Deps, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const lock = await connect({
    connectionString: deps.harmonizer.databaseUrl,
    application_name: "samespot secret",
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  const ignore = () => {};
  try {
    const row = await queryRow<{ isTaken: boolean }>(lock)`
      SELECT pg_try_advisory_lock(${LOCKS.clientSecret}) AS "isTaken"`;
    return row?.isTaken ? { result: await work() } : undefined;
  } finally {
    await execute(lock)`SELECT pg_advisory_unlock_all()`.catch(ignore); // the next caller may come before the connection has ended
    lock.end().catch(ignore); // not awaited: a frozen server never answers
  }
}

/**
 * Tests credentials at both hosts of the directory: by a call that any application may make, and by the exchange of an
 * invented code, which must fail because of the code alone.
 *
 * @throws KnownError 400 if the directory refuses them, 503 if it could not be asked
 */
export async function tryCredentials(web: Web, client: ClientCredentials): Promise<void> {
  const { clientId, clientSecret } = client;
  await web.directory.askCategories({ clientId, clientSecret }).catch((error) => {
    throw explained(error, "API");
  });
  const exchange = { clientId, clientSecret, redirectUri: redirectUri(web) };
  await web.authHost.exchangeCode({ ...exchange, code: randomToken(), codeVerifier: randomToken() }).catch((error) => {
    if (!(error instanceof DirectoryError && error.kind === "rejected")) throw explained(error, "log-in");
  });
}

function explained(error: unknown, host: "API" | "log-in"): unknown {
  if (!(error instanceof DirectoryError)) return error;
  const { kind, cause } = error;
  if (kind === "not_enabled") return error;
  if (kind === "refused_client" || kind === "rejected") {
    const refused = t(
      "The directory’s {host, select, API {API host} other {log-in host}} does not accept the secret.",
      { host },
    );
    return new KnownError(400, "refused_client", refused, { cause });
  }
  const why =
    kind === "invalid_answer"
      ? t(
          "The directory’s {host, select, API {API host} other {log-in host}} sent an answer that cannot be read, so the secret could not be tested.",
          { host },
        )
      : t(
          "The directory’s {host, select, API {API host} other {log-in host}} did not answer, so the secret could not be tested.",
          { host },
        );
  return new KnownError(503, "unavailable", why, { cause });
}

/** How long a secret must be unused before it is ended early. */
const QUIET_SECONDS = 60;

/** How late a call may arrive that read the old secret just before the switch. */
const IN_FLIGHT_SECONDS = 15;

export async function endOldSecrets(web: Web): Promise<void> {
  const done = await withRotationLock(web, async () => {
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
    await withRotationLock(web, async () => {
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
