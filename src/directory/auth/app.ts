import type { FastifyInstance } from "fastify";
import { registerAssets } from "../../http/files/assets.ts";
import { registerBasemap } from "../../http/files/basemap.ts";
import { notReady } from "../../http/health.ts";
import { type Busy, tooBusy } from "../../http/in-flight.ts";
import { registerForms } from "../../http/pages/forms.ts";
import { type Offered, registerLanguages } from "../../http/pages/languages.ts";
import { busyPage, errorPages } from "../../http/pages/pages.ts";
import { registerSessions } from "../../http/pages/sessions.ts";
import { registerViews } from "../../http/pages/views.ts";
import { registerRoutes } from "../../http/routes.ts";
import { createServer } from "../../http/server.ts";
import { requireHost } from "../../http/transport.ts";
import { directoryKeys } from "../keys.ts";
import { type AuthDeps, SESSION_COOKIE, SESSION_LIMITS } from "./base/session.ts";
import { clientAuthentication } from "./client/authentication.ts";
import { tokenEndpoints } from "./client/endpoints.ts";
import { prepareTokenEndpoint } from "./client/token-endpoint.ts";
import { openRoutes, pageRoutes } from "./routes.ts";
import { staleFormAnswer } from "./stale-form.ts";

export async function buildAuth(deps: AuthDeps): Promise<FastifyInstance> {
  const { config, log, pool, vault, stopping } = deps;
  const { url } = config.auth;
  const app = await createServer({
    log,
    url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ready: () => notReady(pool, directoryKeys(vault)),
    stopping,
    caller: ({ session }) => ({ user: session?.owner }),
    answerHead: true,
    busy: (app) => busyHere(app, config.languages),
    onError: errorPages("directory", config.languages),
  });
  registerLanguages(app, config.languages);
  const { production, signUp, basemap } = config;
  const defaults = {
    nav: "directory",
    home: "/",
    mapTiles: undefined,
    basemap,
    streets: true,
    isSample: false,
    signUp,
  } as const;
  await registerViews(app, { production, defaults });
  await registerAssets(app);
  await registerBasemap(app, basemap);

  const tokenDeps = { ...deps, authenticateClient: clientAuthentication(deps) };
  for (const { path, invalidClientStatus, calls } of tokenEndpoints)
    await app.register(
      async (scope) => {
        const rows = calls.map(({ row }) => row);
        prepareTokenEndpoint(scope, { methods: rows.map(({ method }) => method), invalidClientStatus });
        await registerRoutes(scope, tokenDeps, rows);
      },
      { prefix: path },
    );
  await registerRoutes(app, deps, openRoutes);

  await app.register(async (pages) => {
    requireHost(pages, url);
    openFromPopups(pages);
    await registerSessions(pages, {
      pool,
      table: "directory",
      secrets: config.sessionSecrets,
      cookieName: SESSION_COOKIE,
      secure: url.startsWith("https:"),
      ...SESSION_LIMITS,
    });
    await registerForms(pages, url, { onForged: staleFormAnswer(deps) });
    await registerRoutes(pages, deps, pageRoutes);
  });
  return app;
}

async function busyHere(app: FastifyInstance, offered: Offered): Promise<Busy> {
  const page = await busyPage("directory", offered)(app);
  const { code, message } = tooBusy();
  const json = {
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ error: code, error_description: message }),
  };
  const paths = tokenEndpoints.map(({ path }) => path);
  return (request) => (paths.some((path) => request.routeOptions.url?.startsWith(path)) ? json : page(request));
}

/** The pop-up of display=webpopup returns its result to its opener, so keep the opener (interface, rule 4). */
function openFromPopups(pages: FastifyInstance): void {
  pages.addHook("onRequest", async (_request, reply) => {
    reply.header("cross-origin-opener-policy", "unsafe-none");
  });
}
