import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { pendingMigrations } from "../db/migrate.ts";
import { createAuthHost } from "../directory-client/auth-host.ts";
import { createDirectoryClient } from "../directory-client/client.ts";
import { createOutbound } from "../directory-client/outbound.ts";
import { registerAssets } from "../http/assets.ts";
import { registerForms } from "../http/forms.ts";
import type { Logger } from "../http/logger.ts";
import { errorPages } from "../http/pages.ts";
import { createServer } from "../http/server.ts";
import { registerSessions } from "../http/sessions.ts";
import { requireHost } from "../http/transport.ts";
import { registerViews } from "../http/views.ts";
import { registerAdd } from "./add.ts";
import { registerCheckins } from "./checkins.ts";
import { createWebVault, currentCredentials } from "./credentials.ts";
import type { Web } from "./deps.ts";
import { registerHome } from "./home.ts";
import { registerLogin } from "./login.ts";
import { registerSearch } from "./search.ts";
import { registerSettings } from "./settings.ts";
import { staleFormAnswer } from "./stale-form.ts";
import { registerVenue } from "./venue.ts";

interface Options {
  config: Config;
  database: Database;
  log: Logger;
  /** Of each call to the directory, in milliseconds. */
  deadlineMs?: number;
}

const DAY = 24 * 60 * 60;
const SAMPLE_CREDIT = "Sample data, 2010. Data from Who’s On First, whosonfirst.org.";

/** The web app: an OAuth client of the directory with its pages. */
export async function buildWeb(options: Options): Promise<FastifyInstance> {
  const { config, database, log, deadlineMs = 10_000 } = options;
  const { pool, prisma } = database;
  const line = { dispatcher: createOutbound(), deadlineMs };
  const authHost = createAuthHost(config.auth.url, line);
  const directory = createDirectoryClient({ ...line, baseUrl: config.api.url, version: config.apiVersion });
  const vault = createWebVault(config.encryptionKeys);
  const credentials = () => currentCredentials({ config, prisma, vault });
  const web: Web = { config, prisma, pool, vault, authHost, directory, credentials };
  const { url } = config.web;
  const { mapTiles } = config;

  const credit = config.sampleData ? SAMPLE_CREDIT : undefined;

  const app = await createServer({
    log,
    url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ready: () => pendingMigrations(pool),
    answerHead: true,
    onError: errorPages("none"),
    csp: { imgSrc: mapTiles ? [tileOrigin(mapTiles.url)] : [], formAction: [config.auth.url] },
  });
  requireHost(app, url);
  await registerViews(app, { production: config.production, defaults: { nav: "app", mapTiles, credit } });
  await registerAssets(app);

  await app.register(async (pages) => {
    await registerSessions(pages, {
      pool,
      table: "app",
      secrets: config.sessionSecrets,
      cookieName: "samespot",
      secure: url.startsWith("https:"),
      idleSeconds: 14 * DAY,
      absoluteSeconds: 90 * DAY,
    });
    await registerForms(pages, url, { onForged: staleFormAnswer(web) });
    registerHome(pages, web);
    registerLogin(pages, web);
    registerSearch(pages, web);
    registerAdd(pages, web);
    registerVenue(pages, web);
    registerCheckins(pages, web);
    registerSettings(pages, web);
  });
  return app;
}

/** The host of map pictures; `{s}` stands for one of several subdomains. */
const tileOrigin = (template: string): string =>
  new URL(template.replace("{s}", "wildcard")).origin.replace("wildcard", "*");
