import type { FastifyInstance } from "fastify";
import { type DirectoryDeps, revokeSentToken } from "../tokens.ts";
import { type AuthenticateClient, type Sent, tokenError } from "./client-authentication.ts";
import { prepareTokenEndpoint } from "./token-endpoint.ts";

type Deps = Pick<DirectoryDeps, "prisma" | "vault"> & { authenticateClient: AuthenticateClient };

/** Where the scope of `registerRevocation` is mounted. */
export const REVOCATION_PATH = "/oauth2/revoke";

/**
 * POST {auth_url}/oauth2/revoke (ours; RFC 7009): an application gives a token back, which is dead from then on. The
 * consent is the user's to end, in the settings; with it their next log-in gives the application a new token.
 *
 * Parameters stand in the body, since they are secrets: `token`, and the client's credentials unless they are in HTTP
 * Basic. `token_type_hint` is ignored: there is one kind of token. An unknown token, or another application's, is
 * answered like one of its own (section 2.2) and stays as it is.
 */
export async function registerRevocation(app: FastifyInstance, deps: Deps): Promise<void> {
  prepareTokenEndpoint(app, { methods: ["POST"], invalidClientStatus: 401 });
  app.post("/", { prefixTrailingSlash: "no-slash" }, async (request) => {
    const fields = (request.body ?? {}) as Sent[number];
    const { clientId } = await deps.authenticateClient(request, [fields], "invalid_client");
    const { token } = fields;
    if (Array.isArray(token)) throw tokenError("invalid_request", "token was given more than once");
    if (!token) throw tokenError("invalid_request", "token is required, in the body");
    await revokeSentToken(deps, clientId, token);
    return {};
  });
}
