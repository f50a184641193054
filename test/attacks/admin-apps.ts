import { beforeEach, expect } from "vitest";
import { resetSecrets } from "../support/fake-directory/fake-secrets.ts";
import type { HttpClient, Page } from "../support/http-client.ts";
import { newAdmin } from "../web/admin/browser.ts";
import { sessionOf, startWeb } from "../web/web-app.ts";

export const PAGE = "/admin/secrets";
/** The fake directory's. */
export const ENDPOINT = "/oauth2/client_secret";

/**
 * Two instances at a fake directory where secrets can be rotated, each test with the first secret, no history, and an admin
 * who has just given their password. Call it at the top of a test file.
 */
export async function secretsPage() {
  const web = await startWeb({ instances: 2, deadlineMs: 400 });
  const { directory, database } = web;
  let admin = web.newBrowser();
  beforeEach(async () => {
    directory.reset();
    directory.offerSecrets();
    web.sendTo();
    resetSecrets(directory.client);
    await database.prisma.clientCredential.deleteMany();
    admin = (await newAdmin(web)).browser;
  });

  /** The secret that an instance sends when it exchanges a code; undefined where nobody can log in. */
  async function secretUsedBy(instance: number): Promise<string | undefined> {
    web.sendTo(instance);
    const browser = await web.logIn(web.newBrowser());
    web.sendTo();
    const last = directory.requests.findLast(({ path }) => path === "/oauth2/access_token");
    return sessionOf(browser) ? last?.params.client_secret : undefined;
  }
  const expectInUse = async (secret: string | undefined) =>
    expect([await secretUsedBy(0), await secretUsedBy(1)]).toEqual([secret, secret]);
  const press = async (
    action: string,
    fields: Record<string, string> = {},
    browser: HttpClient = admin,
  ): Promise<Page> => browser.submit(await browser.get(PAGE), PAGE + action, fields);

  return {
    ...{ web, directory, database, press },
    admin: () => admin,
    rotate: (overlap = "24h") => press("/rotate", { overlap }),
    /** Presses the button of the secret that waits. */
    switchOn: async () => {
      const waiting = await database.prisma.clientCredential.findFirstOrThrow({
        where: { switchedOnAt: null, endedAt: null },
      });
      return press(`/${waiting.id}/switch-on`);
    },
    /** How often the directory was asked for a new secret. */
    rotations: () => directory.requests.filter(({ path, method }) => path === ENDPOINT && method === "POST").length,
    rows: () => database.prisma.clientCredential.findMany({ orderBy: [{ createdAt: "asc" }, { switchedOnAt: "asc" }] }),
    /** Both instances log people in with the secret that the directory had first. */
    expectFirstInUse: () => expectInUse(directory.client.secret),
    /** The same with the newest that it has. */
    expectNewestInUse: () => expectInUse(directory.client.live[0]?.secret),
  };
}
