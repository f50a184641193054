import type { FastifyInstance } from "fastify";
import { isUnavailable } from "../../../db/unavailable.ts";
import { registerLanguages } from "../../../http/pages/languages.ts";
import { parseFields } from "../../../http/parameters.ts";
import { toKnownError } from "../../../http/server.ts";
import { KnownError, notFound, unavailable } from "../../../shared/errors.ts";
import { usesBasic } from "./authentication.ts";

interface TokenEndpoint {
  methods: ("GET" | "POST" | "DELETE")[];
  /** Status of invalid_client without HTTP Basic; with it, the status is 401 (RFC 6749 section 5.2). */
  invalidClientStatus: 400 | 401;
}

/** The errors are those of RFC 6749 section 5.2, in English, as they allow ASCII only. Needs a child scope of its own. */
export function prepareTokenEndpoint(app: FastifyInstance, { methods, invalidClientStatus }: TokenEndpoint): void {
  registerLanguages(app, ["en"]);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, parseFields(String(body))),
  );
  app.addHook("onRequest", async ({ method }, reply) => {
    reply.header("pragma", "no-cache");
    if (methods.some((each) => each === method)) return;
    throw new KnownError(405, "invalid_request", `Use ${methods.join(" or ")}.`, {
      headers: { allow: methods.join(", ") },
    });
  });
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, headers } = asTokenError(error);
    if (status >= 500) request.log.error({ err: error }, "token endpoint failed");
    const isUnauthorized = code === "invalid_client" && (invalidClientStatus === 401 || usesBasic(request));
    if (isUnauthorized) reply.header("www-authenticate", 'Basic realm="access_token", charset="UTF-8"');
    return reply
      .code(isUnauthorized ? 401 : status)
      .headers({ ...headers, pragma: "no-cache" })
      .send({ error: code, error_description: message });
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}

function asTokenError(error: unknown): KnownError {
  if (isUnavailable(error)) return unavailable("the database is not responding, try again", 2, error);
  const known = toKnownError(error);
  if (known.code === "bad_request") return new KnownError(400, "invalid_request", known.message);
  return known;
}
