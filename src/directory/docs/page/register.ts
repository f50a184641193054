import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setCost } from "../../../http/in-flight.ts";
import { registerViews, renderView } from "../../../http/pages/views.ts";
import { type StaticFile, sendStaticFile, staticFile } from "../../../http/static-file.ts";
import type { ApiDeps } from "../../endpoint/deps.ts";
import { openApiDocument } from "../document.ts";
import { referenceOf } from "./reference.ts";

/** Call it after all endpoints are registered. The page loads nothing from other hosts. */
export async function registerDocs(app: FastifyInstance, { config, endpoints }: ApiDeps): Promise<void> {
  const document = openApiDocument(endpoints, { authUrl: config.auth.url, apiUrl: config.api.url });
  const json = staticFile(Buffer.from(JSON.stringify(document)), "application/json; charset=utf-8");
  await app.register(async (scope) => {
    setCost(scope, "file");
    const frame = { mapTiles: undefined, basemap: undefined, streets: false, credit: undefined, signUp: false };
    const defaults = { nav: "directory", home: config.auth.url, ...frame } as const;
    await registerViews(scope, { production: true, defaults });
    scope.get("/docs/openapi.json", (request, reply) => sendFresh(request, reply, json));

    let page: Promise<StaticFile> | undefined;
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      page ??= renderView(scope, "directory/docs/index", {
        title: "API reference",
        reference: referenceOf(document),
      }).then((html) => staticFile(Buffer.from(html), "text/html; charset=utf-8"));
      return sendFresh(request, reply, await page);
    };
    for (const path of ["/docs", "/docs/"]) scope.get(path, answer);
  });
}

/** Of one address a release may change the content, so browsers ask each time whether theirs is the same. */
const sendFresh = (request: FastifyRequest, reply: FastifyReply, file: StaticFile) =>
  sendStaticFile(request, reply, { file, cacheControl: "no-cache" });
