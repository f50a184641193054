import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addField, type Fields, parseFields } from "../../../http/parameters.ts";
import { badRequest, KnownError } from "../../../shared/errors.ts";
import { acceptLines } from "../../endpoint/lines.ts";

const KINDS = "application/x-www-form-urlencoded or multipart/form-data";

/** Accepts forms of both kinds, and empty bodies of any type (wire-format 2). Rejects compressed bodies. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.addHook("preParsing", async ({ method, headers }) => {
    const encoding = headers["content-encoding"] ?? "identity";
    if (method !== "GET" && encoding.toLowerCase() !== "identity")
      throw new KnownError(415, "other", "Send the body uncompressed, without Content-Encoding.");
  });
  // Fastify would return 400 for a QUERY without a content type. Every other unknown method gets 405.
  app.addHttpMethod("QUERY", { overrideExisting: true });
  app.removeAllContentTypeParsers();
  await app.register(formbody, { parser: parseFields });
  await acceptMultipart(app);
  acceptLines(app, refuseBody);
  app.addContentTypeParser("*", { parseAs: "buffer" }, ({ routeOptions }, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(refuseBody(routeOptions.config.lines));
  });
}

/** `lines`: how many a body of NDJSON may have here, if any. */
function refuseBody(lines?: number): KnownError {
  const many = lines === undefined ? "" : `, or up to ${lines} lines of JSON as application/x-ndjson`;
  return badRequest(`Send parameters in the query string or as ${KINDS}${many}.`);
}

/** The PHP client sends POST as multipart/form-data. The interface has no file uploads. */
async function acceptMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits: { files: 0, fields: 100, headerPairs: 20 } });
  app.addHook("preValidation", async (request) => {
    if (!request.isMultipart() || hasNoBody(request)) return;
    const { bodyLimit = 64 * 1024 } = request.routeOptions;
    const collected = Promise.race([collect(request, bodyLimit), overflow(request, bodyLimit)]);
    request.body = await collected.catch((error: unknown) => refuse(error, bodyLimit));
  });
}

const hasNoBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;

async function collect(request: FastifyRequest, limit: number): Promise<Fields> {
  const fields: Fields = Object.create(null);
  for await (const part of request.parts({ limits: { fieldSize: limit } })) {
    if (part.type !== "field" || typeof part.value !== "string") throw new Error("a part is not text");
    addField(fields, part.fieldname, part.value);
  }
  return fields;
}

/** Rejects once the body exceeds the limit, because the plugin limits only parts. */
function overflow({ raw, server }: FastifyRequest, limit: number): Promise<never> {
  return new Promise((_, reject) => {
    let size = 0;
    raw.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(new server.multipartErrors.FieldsLimitError());
    });
  });
}

/** Also closes the connection, so that the unread rest of the body is not parsed as the next request. */
function refuse(cause: unknown, limit: number): never {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const headers = { connection: "close" };
  if (TOO_MUCH.has(code)) {
    const message = `A form may have at most 100 fields and ${limit / 1024} KB in total.`;
    throw new KnownError(413, "other", message, { headers, cause });
  }
  if (code === "FST_FILES_LIMIT")
    throw new KnownError(400, "other", "This API takes parameters only, no files.", { headers, cause });
  throw new KnownError(400, "param_error", "The body of this request cannot be read.", { headers, cause });
}

const TOO_MUCH = new Set(["FST_FIELDS_LIMIT", "FST_PARTS_LIMIT"]);
