import type { FastifyInstance } from "fastify";
import { KnownError } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { registerCommon } from "./common.ts";
import { ROOT_02, ROOT_10 } from "./manifest.ts";
import { registerVersion02 } from "./version-02.ts";
import { registerVersion10 } from "./version-10.ts";

/**
 * The two versions of the protocol have contradictory manifests, so each has its own root. Previews are in
 * api/venue-page.ts.
 */
export async function registerReconcile(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(async (scope) => {
    sayWhatFits(scope);
    answerHead(scope);
    registerVersion02(scope, deps);
    registerCommon(scope, deps, ROOT_02);
  });
  await app.register(async (scope) => {
    sayWhatFits(scope);
    answerHead(scope);
    registerVersion10(scope, deps);
    registerCommon(scope, deps, ROOT_10);
  });
}

/** Bodies may be larger here. The host's error handler answers and counts all errors. */
function sayWhatFits(scope: FastifyInstance): void {
  scope.setErrorHandler((error) => {
    const isTooLarge = error instanceof Error && "statusCode" in error && error.statusCode === 413;
    throw isTooLarge
      ? new KnownError(413, "param_error", "A call may have at most 1 MB. Send fewer queries at once.")
      : error;
  });
}

/** HEAD is free of charge, so it does no work. */
function answerHead(scope: FastifyInstance): void {
  scope.addHook("preHandler", async ({ method }, reply) => {
    if (method === "HEAD") return reply.type("application/json; charset=utf-8").send();
  });
}
