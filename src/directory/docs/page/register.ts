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
      const page = async (view: "entry" | "errors" | "index" | "resources", title: string, more: object) => {
        const locals = { title, sheets: ["docs.css"], reference, ...more };
        const html = await renderView(scope, `directory/docs/${view}`, locals);
        return staticFile(Buffer.from(html), "text/html; charset=utf-8");
      };
      const entries = reference.groups.flatMap((group) => group.entries);
      const pages = entries.map(
        async (entry): Promise<[string, StaticFile]> => [entry.slug, await page("entry", entry.summary, { entry })],
      );
      return new Map([
        ["", await page("index", reference.title, {})],
        ["errors", await page("errors", "Errors of the API host", {})],
        ["resources", await page("resources", "Resources in answers", {})],
        ["openapi.json", staticFile(Buffer.from(JSON.stringify(document)), "application/json; charset=utf-8")],
        ...(await Promise.all(pages)),
      ]);
    };
    // Made when first asked for, as it takes longer than all else that builds this host.
    let made: ReturnType<typeof files> | undefined;
    const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
      made ??= files();
      const file = (await made).get(name);
      return file ? sendFresh(request, reply, file) : reply.callNotFound();
    };
    scope.get("/docs", (request, reply) => send(request, reply, ""));
    scope.get<{ Params: { page: string } }>("/docs/:page", (request, reply) =>
      send(request, reply, request.params.page),
    );
  });
}

/** Of one address a release may change the content, so browsers ask each time whether theirs is the same. */
const sendFresh = (request: FastifyRequest, reply: FastifyReply, file: StaticFile) =>
  sendStaticFile(request, reply, { file, cacheControl: "no-cache" });
