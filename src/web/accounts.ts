import type { Account } from "../db/generated/client.ts";
import type { DirectoryUser } from "../directory-client/client.ts";
import { connectionPlace } from "./connections.ts";
import type { Web } from "./deps.ts";

/**
 * The account of whoever has logged in, made at the first log-in, with the new token in place of the old one. A
 * directory without users/self is known by a keyed fingerprint of the token, which the interface calls unique per user
 * and application. Both rows are written or neither.
 */
export async function saveAccount(
  { config, prisma, vault }: Pick<Web, "config" | "prisma" | "vault">,
  login: { token: string; user: DirectoryUser | undefined },
): Promise<Account> {
  const directory = config.api.url;
  const profile = {
    handle: clip(login.user?.handle),
    firstName: clip(login.user?.firstName),
    lastName: clip(login.user?.lastName),
    lastLoginAt: new Date(),
  };
  const names = login.user
    ? [login.user.id]
    : vault.fingerprints(login.token, "account").map((bytes) => `fp:${Buffer.from(bytes).toString("hex")}`);

  return prisma.$transaction(async (transaction) => {
    const known = await transaction.account.findFirst({ where: { directory, externalId: { in: names } } });
    const externalId = known?.externalId ?? names[0] ?? "";
    const account = await transaction.account.upsert({
      where: { directory_externalId: { directory, externalId } },
      create: { directory, externalId, ...profile },
      update: profile,
    });
    const connection = { token: vault.seal(login.token, connectionPlace(account.id)), brokenAt: null };
    await transaction.connection.upsert({
      where: { accountId: account.id },
      create: { accountId: account.id, ...connection },
      update: { ...connection, updatedAt: new Date() },
    });
    return account;
  });
}

/** Whether ADMINS names the account, by its id at the directory or its handle there. */
export const isNamedAdmin = (admins: readonly string[], account: { external_id: string; handle: string | null }) =>
  admins.some((name) => name === account.external_id || name.toLowerCase() === account.handle?.toLowerCase());

/** Text of another host, fit for a row of ours. */
function clip(text: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is cut
  const clean = text?.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, "");
  return clean ? [...clean].slice(0, 100).join("") : null;
}
