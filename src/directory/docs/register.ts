import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { setCost } from "../../http/in-flight.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { openApiDocument } from "./document.ts";
import type { Json } from "./schemas.ts";

/** Call it after all endpoints are registered. The page loads nothing from other hosts. */
export async function registerDocs(app: FastifyInstance, { config, endpoints }: ApiDeps): Promise<void> {
  const document = openApiDocument(endpoints, { authUrl: config.auth.url, apiUrl: config.api.url });
  const bytes = Buffer.from(JSON.stringify(document)); // shared by concurrent responses
  await app.register(async (page) => {
    setCost(page, "file");
    page.get("/docs/openapi.json", async (_request, reply) =>
      reply.type("application/json; charset=utf-8").send(bytes),
    );
    page.addHook("onSend", async (request, reply) => {
      if (request.routeOptions.url === "/docs/static/*") reply.header("cache-control", "public, max-age=86400");
    });
    await page.register(swagger, {
      mode: "static",
      specification: { document: tryable(document) } as StaticDocumentSpec,
    });
    await page.register(swaggerUi, {
      routePrefix: "/docs",
      uiConfig: UI,
      theme: { title: document.info.title, css: [STYLE] },
    });
  });
}

const UI = {
  // Without the top bar, which can load other documents.
  layout: "BaseLayout",
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [triedHereOnly],
};

/** Sent to the page as source text. Disables trying calls of the auth host, whose paths have servers. */
function triedHereOnly() {
  const allowTryItOutFor = () => (state: { hasIn(path: string[]): boolean }, path: string) =>
    !state.hasIn(["json", "paths", path, "servers"]);
  return { statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } } };
}

/** Fits all credentials into the dialog, because the page focuses the last field. */
const STYLE = { filename: "docs.css", content: ".swagger-ui .dialog-ux .modal-ux-content { max-height: 85vh; }" };

/** Drops a log-in, whose token would not be sent as `oauth_token`, and HTTP Basic, which only the auth host takes. */
function tryable(document: ReturnType<typeof openApiDocument>) {
  const { oauth2: _, client_basic: __, ...securitySchemes } = document.components.securitySchemes;
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item as Json).map(([key, value]) => [key, tryableOperation(value as Json)])),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes },
  };
}

/** Drops the padlock from operations that need no credentials. */
function tryableOperation(operation: Json): Json {
  const { security, requestBody } = operation as { security?: Json[]; requestBody?: Json };
  if (!security) return operation;
  const isOpen = security.some((way) => Object.keys(way).length === 0);
  return {
    ...operation,
    security: isOpen ? [] : security.filter((way) => !("client_basic" in way)),
    ...(requestBody && { requestBody: withEmptyFields(requestBody) }),
  };
}

/** Otherwise the page fills in every form field, with "string" by default. Empty fields count as not given. */
function withEmptyFields(body: Json): Json {
  const { content } = body as { content: Record<string, { schema: { properties?: Record<string, Json> } }> };
  const form = content["application/x-www-form-urlencoded"];
  if (!form?.schema.properties) return body;
  const properties = Object.entries(form.schema.properties).map(([name, { examples: _, ...field }]) => [
    name,
    "default" in field ? field : { example: "", ...field },
  ]);
  const schema = { ...form.schema, properties: Object.fromEntries(properties) };
  return { ...body, content: { "application/x-www-form-urlencoded": { ...form, schema } } };
}
