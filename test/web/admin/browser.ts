import type { HttpClient } from "../../support/http-client.ts";
import type { startWeb } from "../web-app.ts";

type WebApp = Awaited<ReturnType<typeof startWeb>>;

/** Sets when every logged-in person gave their password. */
export const confirmedAgo = ({ database }: Pick<WebApp, "database">, minutes = 0) =>
  database.pool.query(
    `UPDATE app.session SET data = data || jsonb_build_object('verifiedAt', (extract(epoch FROM now()) - $1 * 60) * 1000)
      WHERE account_id IS NOT NULL AND ended_at IS NULL`,
    [minutes],
  );

/** Logs a new person in; returns their browser and account id. */
export async function newMember(web: WebApp, firstName: string): Promise<{ browser: HttpClient; id: string }> {
  const { id: externalId } = web.directory.signIn(firstName);
  const browser = await web.logIn(web.newBrowser());
  const { id } = await web.database.prisma.account.findFirstOrThrow({ where: { externalId } });
  return { browser, id };
}

/** The same as an admin who has just given the password. */
export async function newAdmin(web: WebApp, firstName = "Ada"): Promise<{ browser: HttpClient; id: string }> {
  const member = await newMember(web, firstName);
  await web.database.prisma.account.update({ where: { id: member.id }, data: { role: "admin" } });
  await confirmedAgo(web);
  return member;
}
