import type { ClientCredentials } from "../../directory-client/basic.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Logger } from "../../http/logger.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { secretPlace } from "../base/keys.ts";
import { shownTime } from "../base/times.ts";
import { alone } from "./alone.ts";
import { type CurrentCredentials, currentCredentials } from "./credentials.ts";
import { addCredential, limitInUse, type Overlap, switchOn } from "./rows.ts";
import { tryCredentials } from "./trial.ts";

/** What an admin asks for. */
interface Order {
  accountId: string;
  /** `inUseMark` of the page it was asked on: a form that is sent late must not change another secret. */
  ifInUse: string;
}

/** Names the secret in use in a form: its row, or the settings. */
export const inUseMark = ({ id }: CurrentCredentials): string => id ?? "settings";

/**
 * Has the directory make a new secret, keeps it before anything else, tries it and switches it on. The one so far works for
 * `overlapSeconds` more. Wherever that stops, the secret in use goes on working: until it ends, a new one that was kept is
 * tried again (`createWaitingRetry`), and after an answer that was lost the same again is safe.
 *
 * @throws KnownError whose message says how far it came; 409 when the secret was changed in the meantime
 */
export const rotateSecret = (web: Web, order: Order & Overlap): Promise<void> =>
  changing(web, order, async (inUse) => {
    if (await findWaiting(web))
      throw new KnownError(409, "conflict", "A new secret waits already: switch that one on.");
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

/** Tries a secret again that was kept and did not pass, and switches it on. */
export const switchOnWaiting = (web: Web, order: Order & { id: string }): Promise<void> =>
  changing(web, order, async () => {
    const waiting = await findWaiting(web);
    if (waiting?.id !== order.id) throw changedMeanwhile();
    await tryAndSwitchOn(web, waiting);
  });

/** The same without an admin, again and again: the one in use runs out, with everybody's log-in. */
export function createWaitingRetry(web: Web, log: Logger): () => Promise<void> {
  let told: string | undefined;
  return async () => {
    if (!(await findWaiting(web))) return;
    await alone(web.pool, async () => {
      const waiting = await findWaiting(web);
      if (!waiting) return;
      try {
        await tryAndSwitchOn(web, waiting);
        log.info("the new client secret passed its test: it is in use now");
      } catch (err) {
        if (!(err instanceof KnownError)) throw err;
        if (told !== waiting.id) log.warn({ err }, "the new client secret did not pass its test: it is tried again");
        told = waiting.id;
      }
    });
  };
}

/** The secret that was made here and is not in use yet: one at most, because a rotation ends those before. */
export async function findWaiting({ prisma, vault, config }: Web): Promise<Kept | undefined> {
  const where = { directory: config.api.url, origin: "rotated", switchedOnAt: null, endedAt: null } as const;
  const row = await prisma.clientCredential.findFirst({ where });
  const clientSecret = row?.secret && vault.open(row.secret, secretPlace(row.id));
  return clientSecret ? { id: row.id, clientId: row.clientId, clientSecret } : undefined;
}

type Kept = ClientCredentials & { id: string };

/** Tries a secret that an admin got at the directory, and only then keeps it, as the one in use. */
export const pasteSecret = (web: Web, order: Order & { clientId: string; clientSecret: string }): Promise<void> =>
  changing(web, order, async (inUse) => {
    const { clientId, clientSecret, accountId } = order;
    const { url: directory } = web.config.api;
    if (clientId === inUse.clientId && clientSecret === inUse.clientSecret)
      throw new KnownError(400, "param_error", "This is the secret in use already.");
    await tryCredentials(web, { clientId, clientSecret }).catch((error) => {
      throw reworded(error, (why) => `${why} The secret in use goes on working; what you pasted was not kept.`);
    });
    await web.prisma.$transaction(async (tx) => {
      const id = await addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "pasted", accountId });
      if (!(await switchOn(tx, directory, id))) throw changedMeanwhile();
    });
  });

async function changing(web: Web, order: Order, work: (inUse: CurrentCredentials) => Promise<void>): Promise<void> {
  const done = await alone(web.pool, async () => {
    const inUse = await currentCredentials(web);
    if (inUseMark(inUse) !== order.ifInUse) throw changedMeanwhile();
    await work(inUse);
  });
  if (!done) throw changedMeanwhile();
}

const changedMeanwhile = () =>
  new KnownError(409, "conflict", "The secret was rotated in the meantime, or is being rotated. Nothing was done.");

async function makeAtDirectory(web: Web, inUse: CurrentCredentials, overlap: Overlap) {
  const secrets = await web.authHost.ownSecrets().catch((error) => {
    throw reworded(error, (why) => `${why} Nothing was changed.`);
  });
  if (!secrets) throw new KnownError(409, "conflict", "This directory has no way to rotate a secret by a call.");
  return secrets.rotate(inUse, overlap.overlapSeconds).catch(async (error) => {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.kind === "refused_client") throw reworded(error, () => REFUSED);
    const lost = LOST.get(error.kind);
    if (!lost) throw reworded(error, (why) => `${why} Nothing was changed.`);
    const where = { directory: web.config.api.url, ...inUse };
    const until = await limitInUse(web.prisma, where, { ...overlap, isSure: false });
    throw reworded(error, () => `${lost}, so nobody knows whether it made a new secret. ${againBefore(until)}`);
  });
}

const REFUSED =
  "The directory no longer accepts the secret in use, so Samespot cannot rotate it. Make a new one at the directory and paste it here.";
const LOST = new Map([
  ["unreachable", "The directory did not answer"],
  ["invalid_answer", "The directory’s answer cannot be read"],
]);

const againBefore = (until: Date | undefined): string =>
  `The one in use works until ${until && shownTime(until).text}; press the button again before: that gets a new one, and ends the lost one.`;

async function tryAndSwitchOn(web: Web, { id, ...credentials }: Kept): Promise<void> {
  await tryCredentials(web, credentials).catch((error) => {
    throw reworded(error, (why) => `${why} ${WAITS}`);
  });
  const isOn = await web.prisma.$transaction((tx) => switchOn(tx, web.config.api.url, id));
  if (!isOn) throw changedMeanwhile();
}

const WAITS =
  "The new secret is kept, but not in use: it is tried again every few seconds, and the one so far goes on working until it ends.";

/** The same error with more to say. */
function reworded(error: unknown, words: (why: string) => string): unknown {
  if (!(error instanceof KnownError)) return error;
  const { status, code, message, headers } = error;
  return new KnownError(status, code, words(message), { headers, cause: error });
}
