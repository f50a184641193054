import type { FastifyInstance } from "fastify";
import { aboutNodes } from "../../db/citus/nodes.ts";
import { noReplicas, type Replicas } from "../../db/replicas.ts";
import { notReady } from "../../http/health.ts";
import { aboutReplicas } from "../../http/replicas.ts";
import { createServer } from "../../http/server.ts";
import { registerIcons } from "../categories/icons.ts";
import { registerDocs } from "../docs/page.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { ANY_ORIGIN, answerError, busyEnvelope } from "../endpoint/envelope.ts";
import { directoryKeys } from "../keys.ts";
import { registerReconcile } from "../reconcile/app.ts";
import { ROOT_02, ROOT_10 } from "../reconcile/endpoints.ts";
import { registerAddressLocate } from "./address-locate.ts";
import { registerCategories } from "./categories.ts";
import { registerCheckins, registerOwnCheckins } from "./checkins.ts";
import { acceptForms } from "./common/bodies.ts";
import { answerJsonp } from "./common/presentation.ts";
import { countStrangers } from "./common/strangers.ts";
import { registerUsers } from "./common/users.ts";
import { registerMapTile } from "./map-tile.ts";
import { registerMulti } from "./multi.ts";
import { registerOwnProposals, registerProposals } from "./proposals.ts";
import { registerVenueAdd } from "./venue-add.ts";
import { registerVenueAnnotate } from "./venue-annotate.ts";
import { registerVenueEdit, registerVenueMerge } from "./venue-changes.ts";
import { registerVenueDelete } from "./venue-delete.ts";
import { registerVenueDetails, registerVenueLinks, registerVenueLookup } from "./venue-details.ts";
import { registerVenuePages } from "./venue-page.ts";
import { registerVenueSearch } from "./venue-search.ts";
import { registerVenuesMatch } from "./venues-match.ts";

type Parts = Omit<ApiDeps, "endpoints" | "replicas"> & { replicas?: Replicas | undefined };

export async function buildApi({ replicas, ...parts }: Parts): Promise<FastifyInstance> {
  const deps: ApiDeps = { ...parts, endpoints: [], replicas: replicas ?? noReplicas(parts.pool) };
  const { config, log, pool, vault, stopping } = deps;
  const counted = countStrangers(deps);
  const app = await createServer({
    log,
    url: config.api.url,
    tls: config.tls,
    trustProxy: config.trustProxy,
    isApi: true,
    answerHead: true,
    busy: async () => busyEnvelope,
    onError: async (error, request, reply) => answerError(await counted(error, request, reply), request, reply),
    ready: () => notReady(pool, directoryKeys(vault)),
    stopping,
    about: async () => ({ ...aboutReplicas(deps.replicas), ...(await aboutNodes(deps.pool)) }),
    caller: ({ caller }) => ({ client: caller?.clientId, user: caller?.userId }),
  });
  app.decorateRequest("caller", null);
  allowEveryOrigin(app);
  answerJsonp(app);
  await acceptForms(app);

  app.get("/", async () => INDEX);
  await registerIcons(app);
  registerCategories(app, deps);
  registerVenueSearch(app, deps);
  registerVenuesMatch(app, deps);
  registerVenueAdd(app, deps);
  registerVenueDelete(app, deps);
  registerVenueEdit(app, deps);
  registerVenueMerge(app, deps);
  registerProposals(app, deps);
  registerOwnProposals(app, deps);
  registerVenueLookup(app, deps);
  registerVenueDetails(app, deps);
  registerVenueAnnotate(app, deps);
  registerVenueLinks(app, deps);
  registerUsers(app, deps);
  registerCheckins(app, deps);
  registerOwnCheckins(app, deps);
  registerAddressLocate(app, deps);
  registerMapTile(app, deps);
  registerMulti(app, deps);
  await registerReconcile(app, deps);
  await registerVenuePages(app, deps);
  await registerDocs(app, deps);
  return app;
}

const INDEX = {
  name: "Samespot venue directory",
  version: "v2",
  docs: "/docs",
  search: "/v2/venues/search",
  reconcile: { "0.2": ROOT_02, "1.0-draft": ROOT_10 },
};

/** Headers for browsers that send a POST with an Idempotency-Key, or a token as Bearer (Fetch standard, "CORS-preflight"). */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, idempotency-key",
  "access-control-max-age": "86400",
};

/** Browser applications call the API directly. Scripts send the credentials themselves, never browsers as cookies, so any origin is safe. */
function allowEveryOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(ANY_ORIGIN);
    if (request.method !== "OPTIONS" || !request.headers["access-control-request-method"]) return undefined;
    return reply.code(204).headers(PREFLIGHT).send();
  });
}
