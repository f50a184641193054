import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type StaticFile, sendStaticFile, staticFile } from "../../../http/files/static-file.ts";
import { setCost } from "../../../http/in-flight.ts";
import { registerViews, renderView } from "../../../http/pages/views.ts";
import type { ApiDeps } from "../../endpoint/deps.ts";
import { openApiDocument } from "../document.ts";
import { referenceOf } from "./reference.ts";

/** Call it after all endpoints are registered. The page loads nothing from other hosts. */
export async function registerDocs(app: FastifyInstance, { config, endpoints }: ApiDeps): Promise<void> {
  await app.register(async (scope) => {
    setCost(scope, "file");
    const frame = { mapTiles: undefined, basemap: undefined, streets: false, credit: undefined, signUp: false };
    const defaults = { nav: "directory", home: config.auth.url, ...frame } as const;
    await registerViews(scope, { production: true, defaults });
    const files = async () => {
      const document = openApiDocument(endpoints, { authUrl: config.auth.url, apiUrl: config.api.url });
      const reference = referenceOf(document);
      const html = await renderView(scope, "directory/docs/index", {
        ...{ title: "API reference", sheets: ["docs.css"], reference },
      });
      return {
        json: staticFile(Buffer.from(JSON.stringify(document)), "application/json; charset=utf-8"),
        page: staticFile(Buffer.from(html), "text/html; charset=utf-8"),
      };
    };
    // Made when first asked for, as it takes longer than all else that builds this host.
    let made: ReturnType<typeof files> | undefined;
    const send = (file: "json" | "page") => async (request: FastifyRequest, reply: FastifyReply) => {
      made ??= files();
      return sendFresh(request, reply, (await made)[file]);
    };
    scope.get("/docs/openapi.json", send("json"));
    scope.get("/docs", send("page"));
  });
}

/** Of one address a release may change the content, so browsers ask each time whether theirs is the same. */
const sendFresh = (request: FastifyRequest, reply: FastifyReply, file: StaticFile) =>
  sendStaticFile(request, reply, { file, cacheControl: "no-cache" });
