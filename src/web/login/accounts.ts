import type { Account } from "../../db/generated/client.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import { connectionPlace } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { tokenNames } from "../base/keys.ts";

interface Known {
  token: string;
  user: DirectoryUser | undefined;
}

type Parts = Pick<Web, "config" | "directory" | "prisma" | "vault">;

/**
 * Creates or updates the account that a log-in belongs to, and stores its newest working token. Uses no transaction: many
 * log-ins of one person would wait for each other, and a person without a connection is only asked to connect again.
 */
export async function saveAccount(web: Parts, login: Known): Promise<Account> {
  const { config, prisma } = web;
  const directory = config.api.url;
  const profile = {
    handle: clip(login.user?.handle),
    firstName: clip(login.user?.firstName),
    lastName: clip(login.user?.lastName),
    lastLoginAt: new Date(),
  };
  const names = externalIds(web, login);

  const known = await prisma.account.findFirst({ where: { directory, externalId: { in: names } } });
  const externalId = names[0] ?? "";
  const account = known
    ? await prisma.account.update({ where: { id: known.id }, data: profile }) // a rotation of the keys may rename it at this moment
    : await prisma.account.upsert({
        where: { directory_externalId: { directory, externalId } },
        create: { directory, externalId, ...profile },
        update: profile,
      });
  await keepToken(web, account.id, login.token);
  return account;
}

export async function isAccountOf(web: Parts, id: string, login: Known): Promise<boolean> {
  const where = { id, directory: web.config.api.url, externalId: { in: externalIds(web, login) } };
  return (await web.prisma.account.count({ where })) > 0;
}

/**
 * Returns the person's ids at the directory. Without users/self they are keyed fingerprints of the token, which the
 * interface calls unique per user and application: one per key, newest first.
 */
const externalIds = ({ vault }: Parts, { token, user }: Known): string[] =>
  user ? [user.id] : tokenNames(vault, token);

/** Cleans text from the directory for a database row. */
function clip(text: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is cut
  const clean = text?.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, "");
  return clean ? [...clean].slice(0, 100).join("") : null;
}

/**
 * Replaces the stored token with that of a log-in. Seals it again even if it is the same, so that a late refusal of an
 * old request does not break the new connection.
 *
 * Two log-ins of one person may bring two tokens in any order, of which the directory may keep only the later (attacks
 * A30). So a token replaces another only if it still works after the other was stored; if the directory cannot say, the
 * last one wins. The write succeeds only if nothing was stored meanwhile. The loop ends, because each round means that
 * another log-in was stored.
 */
async function keepToken(web: Parts, accountId: string, token: string): Promise<void> {
  const { prisma, vault } = web;
  const place = connectionPlace(accountId);
  for (let isFirst = true; ; isFirst = false) {
    const stored = await prisma.connection.findUnique({ where: { accountId } });
    const other = stored && !stored.brokenAt ? vault.open(stored.token, place) : undefined;
    if (other === token && !isFirst) return; // another log-in has just sealed it again
    if (other !== undefined && other !== token && !(await stillWorks(web, token))) return;

    const connection = { token: vault.seal(token, place), brokenAt: null, updatedAt: new Date() };
    const { count } = stored
      ? await prisma.connection.updateMany({ where: { accountId, token: stored.token }, data: connection })
      : await prisma.connection.createMany({ data: [{ accountId, ...connection }], skipDuplicates: true });
    if (count > 0) return;
  }
}

/** Returns false only if the directory says so. */
async function stillWorks({ directory }: Parts, token: string): Promise<boolean> {
  try {
    await directory.self({ token });
    return true;
  } catch (error) {
    if (error instanceof DirectoryError) return error.kind !== "refused_token";
    throw error;
  }
}
