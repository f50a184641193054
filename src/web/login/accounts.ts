import type { Account } from "../../db/generated/client.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import type { Web } from "../base/deps.ts";
import { tokenNames } from "../base/keys.ts";
import { keepToken } from "./keep-token.ts";

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
