import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { pendingMigrations } from "../../db/migrate.ts";
import { KnownError } from "../../errors.ts";
import { parseFields } from "../../http/parameters.ts";
import { createServer } from "../../http/server.ts";
import { registerIcons } from "../categories/icons.ts";
import { registerCategories } from "./categories.ts";
import { registerCheckins } from "./checkins.ts";
import type { ApiDeps } from "./deps.ts";
import { ANY_ORIGIN, answerError } from "./envelope.ts";
import { registerUsers } from "./users.ts";
import { registerVenueAdd } from "./venue-add.ts";
import { registerVenueDetails } from "./venue-details.ts";
import { registerVenueSearch } from "./venue-search.ts";

/** The API host (`{base_url}` of the interface). */
export async function buildApi(parts: Omit<ApiDeps, "endpoints">): Promise<FastifyInstance> {
  const deps: ApiDeps = { ...parts, endpoints: [] };
  const { config, log, pool } = deps;
  const app = await createServer({
    log,
    url: config.api.url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    isApi: true,
    onError: answerError,
    ready: () => pendingMigrations(pool),
  });
  app.decorateRequest("caller", null);
  allowEveryOrigin(app);
  await acceptForms(app);

  app.get("/", async () => ({ name: "Samespot venue directory", version: "v2", search: "/v2/venues/search" }));
  await registerIcons(app);
  registerCategories(app, deps);
  registerVenueSearch(app, deps);
  registerVenueAdd(app, deps);
  registerVenueDetails(app, deps);
  registerUsers(app, deps);
  registerCheckins(app, deps);
  return app;
}

/** What a browser wants to know before it sends a POST with an Idempotency-Key (Fetch standard, "CORS-preflight"). */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, idempotency-key",
  "access-control-max-age": "86400",
};

/** Browser applications call the API themselves. Credentials are parameters, never cookies, so any origin may. */
function allowEveryOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(ANY_ORIGIN);
    if (request.method !== "OPTIONS" || !request.headers["access-control-request-method"]) return undefined;
    return reply.code(204).headers(PREFLIGHT).send();
  });
}

/** Bodies: urlencoded or none, whatever type an empty one claims to be; never compressed. */
async function acceptForms(app: FastifyInstance): Promise<void> {
  app.addHook("preParsing", async ({ method, headers }) => {
    const encoding = headers["content-encoding"] ?? "identity";
    if (method !== "GET" && encoding.toLowerCase() !== "identity")
      throw new KnownError(415, "other", "Send the body as it is, without Content-Encoding.");
  });
  // Fastify would answer 400 to a QUERY that names no content type; like any method unknown here, it gets 405.
  app.addHttpMethod("QUERY", { overrideExisting: true });
  app.removeAllContentTypeParsers();
  await app.register(formbody, { parser: parseFields });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(
      new KnownError(
        400,
        "param_error",
        "Send parameters in the query string or as application/x-www-form-urlencoded.",
      ),
    );
  });
}
