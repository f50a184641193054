import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { ApiDeps } from "../api/deps.ts";
import { openApiDocument } from "./document.ts";

/**
 * GET /docs: the documentation of both hosts as a page to try calls on, /docs/openapi.json: for programs. Register it
 * behind the endpoints. The page loads nothing from elsewhere and lives under the Content-Security-Policy of every page.
 */
export async function registerDocs(app: FastifyInstance, { config, endpoints }: ApiDeps): Promise<void> {
  const document = openApiDocument(endpoints, { authUrl: config.auth.url, apiUrl: config.api.url });
  app.get("/docs/openapi.json", async () => document);
  await app.register(async (page) => {
    page.addHook("onSend", async (request, reply) => {
      if (request.routeOptions.url === "/docs/static/*") reply.header("cache-control", "public, max-age=86400");
    });
    await page.register(swagger, {
      mode: "static",
      specification: { document: tryable(document) } as StaticDocumentSpec,
    });
    await page.register(swaggerUi, { routePrefix: "/docs", uiConfig: UI, theme: { title: document.info.title } });
  });
}

/** Without the bar on top, which would load other documents. */
const UI = { layout: "BaseLayout", displayRequestDuration: true, defaultModelsExpandDepth: 0 };

/** The page cannot walk through a log-in, whose token would not come back as `oauth_token`: it does not offer it. */
function tryable(document: ReturnType<typeof openApiDocument>) {
  const { oauth2: _, ...securitySchemes } = document.components.securitySchemes;
  return { ...document, components: { ...document.components, securitySchemes } };
}
