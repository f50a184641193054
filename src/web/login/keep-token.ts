import { DirectoryError } from "../../directory-client/errors.ts";
import { connectionPlace } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";

type Parts = Pick<Web, "directory" | "prisma" | "vault">;

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
export async function keepToken(web: Parts, accountId: string, token: string): Promise<void> {
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
