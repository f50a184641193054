import { beforeEach, expect } from "vitest";
import { resetSecrets } from "../support/fake-directory/fake-secrets.ts";
import type { HttpClient, Page } from "../support/http-client.ts";
import { newAdmin } from "../web/admin/browser.ts";
import { sessionOf, startWeb } from "../web/web-app.ts";

export const PAGE = "/admin/secrets";
export const ENDPOINT = "/oauth2/client_secret";

/**
 * Starts two instances at a fake directory that can rotate secrets. Resets secrets and history before each test. Call
 * it at the top of a test file.
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

  /** Returns the secret that an instance sends with a code; undefined if the log-in fails. */
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
    switchOn: async () => {
      const waiting = await database.prisma.clientCredential.findFirstOrThrow({
        where: { switchedOnAt: null, endedAt: null },
      });
      return press(`/${waiting.id}/switch-on`);
    },
    rotations: () => directory.requests.filter(({ path, method }) => path === ENDPOINT && method === "POST").length,
    rows: () => database.prisma.clientCredential.findMany({ orderBy: [{ createdAt: "asc" }, { switchedOnAt: "asc" }] }),
    expectFirstInUse: () => expectInUse(directory.client.secret),
    expectNewestInUse: () => expectInUse(directory.client.live[0]?.secret),
  };
}
