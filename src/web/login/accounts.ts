import type { Account } from "../../db/generated/client.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { connectionPlace } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { tokenNames } from "../base/keys.ts";

/** A token that works, and whose it is; `user` is missing at a directory without users/self. */
interface Known {
  token: string;
  user: DirectoryUser | undefined;
}

type Parts = Pick<Web, "config" | "directory" | "prisma" | "vault">;

/**
 * The account of whoever has logged in, made at the first log-in, and connected by the newest of its tokens that works. No
 * transaction: many log-ins of one person at once would wait for each other, and an account that was left without its
 * connection is asked to connect again.
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
    ? await prisma.account.update({ where: { id: known.id }, data: profile }) // a rotation of the keys may rename it just now
    : await prisma.account.upsert({
        where: { directory_externalId: { directory, externalId } },
        create: { directory, externalId, ...profile },
        update: profile,
      });
  await keepToken(web, account.id, login.token);
  return account;
}

/** Whether the account is that of whoever has logged in. */
export async function isAccountOf(web: Parts, id: string, login: Known): Promise<boolean> {
  const where = { id, directory: web.config.api.url, externalId: { in: externalIds(web, login) } };
  return (await web.prisma.account.count({ where })) > 0;
}

/**
 * What the person is called at the directory. Without users/self it is a keyed fingerprint of the token, which the
 * interface calls unique per user and application: one for each of our keys, newest first.
 */
const externalIds = ({ vault }: Parts, { token, user }: Known): string[] =>
  user ? [user.id] : tokenNames(vault, token);

/** Text of another host, fit for a row of ours. */
function clip(text: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is cut
  const clean = text?.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, "");
  return clean ? [...clean].slice(0, 100).join("") : null;
}

/**
 * Puts the token of a log-in in place of the stored one, sealed anew, also where it is the same: then an old request that
 * is refused late cannot break the new connection.
 *
 * Two log-ins of one person at once may bring two tokens, of which a directory may keep only the later one alive, and they
 * arrive here in any order (attacks A30). So a token is stored over another only if it is seen to work after that other was
 * stored: the one that a directory has ended by issuing the other never wins. Where the directory does not say, the last
 * to come is stored. The write itself goes through only if nothing was stored in between; each time round somebody else's
 * log-in has been stored, so it ends.
 */
async function keepToken(web: Parts, accountId: string, token: string): Promise<void> {
  const { prisma, vault } = web;
  const place = connectionPlace(accountId);
  for (let isFirst = true; ; isFirst = false) {
    const stored = await prisma.connection.findUnique({ where: { accountId } });
    const other = stored && !stored.brokenAt ? vault.open(stored.token, place) : undefined;
    if (other === token && !isFirst) return; // another log-in has sealed it anew just now
    if (other !== undefined && other !== token && !(await stillWorks(web, token))) return;

    const connection = { token: vault.seal(token, place), brokenAt: null, updatedAt: new Date() };
    const { count } = stored
      ? await prisma.connection.updateMany({ where: { accountId, token: stored.token }, data: connection })
      : await prisma.connection.createMany({ data: [{ accountId, ...connection }], skipDuplicates: true });
    if (count > 0) return;
  }
}

/** False only where the directory says that it does not. */
async function stillWorks({ directory }: Parts, token: string): Promise<boolean> {
  try {
    await directory.self({ token });
    return true;
  } catch (error) {
    if (error instanceof DirectoryError) return error.kind !== "refused_token";
    throw error;
  }
}
