import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";
import { notReady } from "../../db/keys.ts";
import { registerAssets } from "../../http/assets.ts";
import { registerForms } from "../../http/forms.ts";
import { type Busy, tooBusy } from "../../http/in-flight.ts";
import type { Logger } from "../../http/logger.ts";
import { busyPage, errorPages } from "../../http/pages.ts";
import { createServer } from "../../http/server.ts";
import { registerSessions } from "../../http/sessions/sessions.ts";
import { requireHost } from "../../http/transport.ts";
import { registerViews } from "../../http/views.ts";
import { directoryKeys } from "../keys.ts";
import type { DirectoryDeps } from "../tokens.ts";
import { ACCESS_TOKEN_PATH, registerAccessToken } from "./access-token.ts";
import { registerApplications } from "./applications/applications.ts";
import { registerApplication } from "./applications/one.ts";
import { registerAuthorize } from "./authorize.ts";
import { clientAuthentication } from "./client-authentication.ts";
import { CLIENT_SECRET_PATH, registerClientSecret } from "./client-secret.ts";
import { registerConsent } from "./consent.ts";
import { registerLogin } from "./login.ts";
import { registerMetadata } from "./metadata.ts";
import { registerOperatorApplication } from "./operator/application.ts";
import { registerOperatorApplications } from "./operator/applications.ts";
import { registerOwnSessions } from "./own-sessions.ts";
import { registerPassword } from "./password.ts";
import { REVOCATION_PATH, registerRevocation } from "./revocation.ts";
import { registerSettings } from "./settings.ts";
import { registerSignUp } from "./sign-up.ts";
import { SESSION_COOKIE, SESSION_LIMITS } from "./signed-in.ts";
import { staleFormAnswer } from "./stale-form.ts";

export interface AuthDeps extends DirectoryDeps {
  config: Pick<Config, "auth" | "api" | "tls" | "trustProxy" | "sessionSecrets" | "production" | "signUp" | "admins">;
  log: Logger;
}

/** The auth host (`{auth_url}` of the interface): log-in, consent, the exchange of codes, a user's connected applications. */
export async function buildAuth(deps: AuthDeps): Promise<FastifyInstance> {
  const { config, log, pool, vault } = deps;
  const { url } = config.auth;
  const app = await createServer({
    log,
    url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ready: () => notReady(pool, directoryKeys(vault)),
    answerHead: true,
    busy: busyHere,
    onError: errorPages("directory"),
  });
  const { production, signUp } = config;
  const defaults = { nav: "directory", home: "/", mapTiles: undefined, credit: undefined, signUp } as const;
  await registerViews(app, { production, defaults });
  await registerAssets(app);

  const tokenDeps = { ...deps, authenticateClient: clientAuthentication(deps) };
  await app.register((scope) => registerAccessToken(scope, tokenDeps), { prefix: ACCESS_TOKEN_PATH });
  await app.register((scope) => registerRevocation(scope, tokenDeps), { prefix: REVOCATION_PATH });
  await app.register((scope) => registerClientSecret(scope, tokenDeps), { prefix: CLIENT_SECRET_PATH });
  registerMetadata(app, config);

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
    registerAuthorize(pages, deps);
    registerConsent(pages, deps);
    registerLogin(pages, deps);
    registerSignUp(pages, deps);
    registerSettings(pages, deps);
    registerPassword(pages, deps);
    registerOwnSessions(pages, deps);
    registerApplications(pages, deps);
    registerApplication(pages, deps);
    registerOperatorApplications(pages, deps);
    registerOperatorApplication(pages, deps);
  });
  return app;
}

/** A page, or JSON at the endpoints that applications call from their servers. */
async function busyHere(app: FastifyInstance): Promise<Busy> {
  const page = await busyPage("directory")(app);
  const { code, message } = tooBusy();
  const json = {
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ error: code, error_description: message }),
  };
  const paths = [ACCESS_TOKEN_PATH, REVOCATION_PATH, CLIENT_SECRET_PATH];
  return (request) => (paths.some((path) => request.routeOptions.url?.startsWith(path)) ? json : page(request));
}

/** With display=webpopup the application opens us in a window, and its answer goes to the opener: keep it (rule 4). */
function openFromPopups(pages: FastifyInstance): void {
  pages.addHook("onRequest", async (_request, reply) => {
    reply.header("cross-origin-opener-policy", "unsafe-none");
  });
}
