import type { FastifyInstance, FastifyRequest } from "fastify";
import { registerAssets } from "../http/files/assets.ts";
import { registerBasemap } from "../http/files/basemap.ts";
import { notReady } from "../http/health.ts";
import { tooBusy } from "../http/in-flight.ts";
import type { Logger } from "../http/logger.ts";
import { registerForms } from "../http/pages/forms.ts";
import { registerLanguages } from "../http/pages/languages.ts";
import { busyPage, errorPages } from "../http/pages/pages.ts";
import { registerSessions, sessionReader } from "../http/pages/sessions.ts";
import { registerViews } from "../http/pages/views.ts";
import { registerRoutes } from "../http/routes.ts";
import { createServer } from "../http/server.ts";
import { requireHost } from "../http/transport.ts";
import { isOfApi } from "./api/endpoint.ts";
import { answerProblem, problemOf } from "./api/problems.ts";
import { registerApi } from "./api/register.ts";
import type { Web } from "./base/deps.ts";
import { errorMenu } from "./base/error-menu.ts";
import { webKeys } from "./base/keys.ts";
import { routes } from "./routes.ts";
import { SESSION_LIMITS } from "./settings/own-sessions.ts";
import { staleFormAnswer } from "./stale-form.ts";

/** Builds the server of the web app. Does not close `web`. */
export async function buildWeb(web: Web, log: Logger, stopping?: AbortSignal): Promise<FastifyInstance> {
  const { config, pool } = web;
  const { url } = config.web;
  const { mapTiles, basemap } = config;

  const secure = url.startsWith("https:");
  const kept = { pool, table: "app", secrets: config.sessionSecrets } as const;
  const sessions = { ...kept, cookieName: "samespot", secure, ...SESSION_LIMITS };

  const errorPage = errorPages("none", config.languages, { menu: errorMenu(web, sessionReader(sessions)) });
  const app = await createServer({
    log,
    url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ready: () => notReady(pool, webKeys(web.vault)),
    stopping,
    caller: ({ session }) => ({ account: session?.owner }),
    answerHead: true,
    busy: busyAnswer(web),
    onError: (error, request, reply) =>
      isOfApi(request) ? answerProblem(web, error, request, reply) : errorPage(error, request, reply),
    csp: { imgSrc: mapTiles ? [tileOrigin(mapTiles.url)] : [], formAction: [config.auth.url] },
  });
  requireHost(app, url);
  registerLanguages(app, config.languages);
  const defaults = {
    nav: "app",
    home: "/",
    streets: true,
    mapTiles,
    basemap,
    isSample: config.sampleData,
    signUp: false,
  } as const;
  await registerViews(app, { production: config.production, defaults });
  await registerAssets(app);
  await registerBasemap(app, basemap);

  await registerApi(app, web);
  await app.register(async (pages) => {
    await registerSessions(pages, sessions);
    await registerForms(pages, url, { onForged: staleFormAnswer(web) });
    await registerRoutes(pages, web, routes);
  });
  return app;
}

const busyAnswer = (web: Web) => async (app: FastifyInstance) => {
  const page = await busyPage("none", web.config.languages)(app);
  return (request: FastifyRequest) => {
    if (!isOfApi(request)) return page(request);
    const headers = { "content-type": "application/problem+json" };
    return { headers, body: JSON.stringify(problemOf(web, tooBusy(), request.id)) };
  };
};

const tileOrigin = (template: string): string =>
  new URL(template.replace("{s}", "wildcard")).origin.replace("wildcard", "*");
