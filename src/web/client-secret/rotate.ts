import type { ClientCredentials } from "../../directory-client/calls/basic.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { Logger } from "../../http/logger.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { secretPlace } from "../base/keys.ts";
import { shownTime } from "../base/times.ts";
import { alone } from "./alone.ts";
import { type CurrentCredentials, currentCredentials } from "./credentials.ts";
import { addCredential, limitInUse, type Overlap, switchOn } from "./rows.ts";
import { tryCredentials } from "./trial.ts";

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
      await limitInUse(tx, { directory, ...inUse }, { overlapSeconds, endsEarly, isSure: true });
      return addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "rotated", accountId });
    });
    await tryAndSwitchOn(web, { id, clientId, clientSecret });
  });

export const switchOnWaiting = (web: Web, order: Order & { id: string }): Promise<void> =>
  changing(web, order, async () => {
    const waiting = await findWaiting(web);
    if (waiting?.id !== order.id) throw changedMeanwhile();
    await tryAndSwitchOn(web, waiting);
  });

/**
 * Returns the job that does the same without an admin, until it succeeds: when the secret in use ends, nobody can log
 * in.
 */
export function createWaitingRetry(web: Web, log: Logger): () => Promise<void> {
  let told: string | undefined;
  return async () => {
    if (!(await findWaiting(web))) return;
    await alone(web, async () => {
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
      throw new KnownError(400, "param_error", t("This secret is already in use."));
    await tryCredentials(web, { clientId, clientSecret }).catch((error) => {
      throw reworded(error, (why) => `${why} ${t("The secret in use still works; what you pasted was not stored.")}`);
    });
    await web.prisma.$transaction(async (tx) => {
      const id = await addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "pasted", accountId });
      if (!(await switchOn(tx, directory, id))) throw changedMeanwhile();
    });
  });

async function changing(web: Web, order: Order, work: (inUse: CurrentCredentials) => Promise<void>): Promise<void> {
  const done = await alone(web, async () => {
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
    t("The secret has been rotated meanwhile, or is being rotated. Nothing was done. Reload the page and try again."),
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
    const until = await limitInUse(web.prisma, where, { ...overlap, isSure: false });
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
  t("The secret in use works until {time}. Rotate again before then: this gets a new secret and ends the lost one.", {
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
