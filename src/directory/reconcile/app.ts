import type { FastifyInstance } from "fastify";
import { KnownError } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { registerCommon } from "./common.ts";
import { ROOT_02, ROOT_10 } from "./manifest.ts";
import { registerVersion02 } from "./version-02.ts";
import { registerVersion10 } from "./version-10.ts";

/**
 * The W3C community group's reconciliation service, with which OpenRefine and others match their rows against the
 * directory. The manifests of its two versions contradict each other, so each has a root of its own. Previews are
 * pages, and served with those.
 */
export async function registerReconcile(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(async (scope) => {
    sayWhatFits(scope);
    registerVersion02(scope, deps);
    registerCommon(scope, deps, ROOT_02);
  });
  await app.register(async (scope) => {
    sayWhatFits(scope);
    registerVersion10(scope, deps);
    registerCommon(scope, deps, ROOT_10);
  });
}

/** Bodies are larger here than elsewhere on this host. Whatever goes wrong is the host's to answer, and to count. */
function sayWhatFits(scope: FastifyInstance): void {
  scope.setErrorHandler((error) => {
    const isTooLarge = error instanceof Error && "statusCode" in error && error.statusCode === 413;
    throw isTooLarge ? new KnownError(413, "param_error", "A call may have 1 MB: send fewer queries at once.") : error;
  });
}
