import { DirectoryError } from "../../directory-client/errors.ts";
import { KnownError } from "../../errors.ts";
import { type CurrentCredentials, currentCredentials } from "../credentials.ts";
import type { Web } from "../deps.ts";
import { alone } from "./alone.ts";
import { addCredential, discard, limitInUse, secretPlace, switchOn } from "./rows.ts";
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
 * `overlapSeconds` more. Wherever that stops, the secret in use goes on working, and the same again is safe.
 *
 * @throws KnownError whose message says how far it came; 409 when the secret was changed in the meantime
 */
export const rotateSecret = (web: Web, order: Order & { overlapSeconds: number }): Promise<void> =>
  changing(web, order, async (inUse) => {
    const { accountId, overlapSeconds } = order;
    const clientSecret = await makeAtDirectory(web, inUse, overlapSeconds);
    const { url: directory } = web.config.api;
    const { clientId } = inUse;
    const id = await web.prisma.$transaction(async (tx) => {
      await limitInUse(tx, { directory, clientId, id: inUse.id }, overlapSeconds);
      return addCredential(tx, web.vault, { directory, clientId, clientSecret, origin: "rotated", accountId });
    });
    await tryAndSwitchOn(web, id, { clientId, clientSecret });
  });

/** Tries a secret again that was kept and did not pass, and switches it on. */
export const switchOnWaiting = (web: Web, order: Order & { id: string }): Promise<void> =>
  changing(web, order, async () => {
    const { id } = order;
    const where = { id, directory: web.config.api.url, switchedOnAt: null };
    const row = await web.prisma.clientCredential.findFirst({ where });
    const clientSecret = row?.secret && web.vault.open(row.secret, secretPlace(id));
    if (!row || !clientSecret) throw changedMeanwhile();
    await tryAndSwitchOn(web, id, { clientId: row.clientId, clientSecret });
  });

/** Forgets a secret that was kept and did not pass. */
export const discardWaiting = (web: Web, order: Order & { id: string }): Promise<void> =>
  changing(web, order, async () => {
    if (!(await discard(web.prisma, web.config.api.url, order.id))) throw changedMeanwhile();
  });

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

async function makeAtDirectory(web: Web, inUse: CurrentCredentials, overlapSeconds: number): Promise<string> {
  const secrets = await web.authHost.ownSecrets().catch((error) => {
    throw reworded(error, (why) => `${why} Nothing was changed.`);
  });
  if (!secrets) throw new KnownError(409, "conflict", "This directory has no way to rotate a secret by a call.");
  return secrets.rotate(inUse, overlapSeconds).catch((error) => {
    if (!(error instanceof DirectoryError)) throw error;
    throw reworded(error, (why) => OUTCOMES[error.kind as keyof typeof OUTCOMES] ?? `${why} Nothing was changed.`);
  });
}

const PERHAPS_MADE =
  "so nobody knows whether it made a new secret. The one in use goes on working. Press the button again: that gets a new one, and ends the lost one.";
const OUTCOMES = {
  unreachable: `The directory did not answer, ${PERHAPS_MADE}`,
  invalid_answer: `The directory’s answer cannot be read, ${PERHAPS_MADE}`,
  refused_client:
    "The directory no longer accepts the secret in use, so Samespot cannot rotate it. Make a new one at the directory and paste it here.",
};

async function tryAndSwitchOn(web: Web, id: string, credentials: { clientId: string; clientSecret: string }) {
  await tryCredentials(web, credentials).catch((error) => {
    throw reworded(error, (why) => `${why} The new secret is kept, but not in use: the one so far goes on working.`);
  });
  const isOn = await web.prisma.$transaction((tx) => switchOn(tx, web.config.api.url, id));
  if (!isOn) throw changedMeanwhile();
}

/** The same error with more to say. */
function reworded(error: unknown, words: (why: string) => string): unknown {
  if (!(error instanceof KnownError)) return error;
  const { status, code, message, headers } = error;
  return new KnownError(status, code, words(message), { headers, cause: error });
}
