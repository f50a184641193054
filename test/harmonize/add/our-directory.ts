import { afterAll } from "vitest";
import { createLogger } from "../../../src/http/logger.ts";
import { createWeb } from "../../../src/web/create-web.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startSamespot } from "../../support/samespot.ts";

/** Samespot with our own directory, with a demo account that has logged in. The test acts as the worker. */
export async function ourDirectory() {
  const site = await startSamespot({ env: { ROLES: "app,directory" } });
  const { prisma } = site.database;
  const log = createLogger({ level: "trace", destination: site.logs });
  const web = createWeb({ config: site.config, database: site.database, address: site.config.databaseUrl ?? "", log });
  afterAll(() => web.close());
  const [browser, directory] = [createHttpClient(site.webUrl), createHttpClient(site.authUrl)];
  const form = await directory.get((await browser.get("/login")).location);
  const consent = await directory.follow(await directory.submit(await directory.follow(form), "/login", site.demo));
  const back = await directory.submit(consent, "/oauth2/consent", { decision: "allow" });
  await browser.get(back.location);
  const { id: accountId } = await prisma.account.findFirstOrThrow();
  const category = await prisma.category.findFirstOrThrow({ where: { children: { none: {} } } });
  const deps = { ...web.harmonizer, queue: { ...web.harmonizer.queue, send: async () => {} } };
  return { site, web, deps, browser, accountId, person: { id: accountId, isAdmin: false }, category };
}
