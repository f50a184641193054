import type { FastifyReply, FastifyRequest } from "fastify";
import { LOCATE_PATH } from "../../contract/addresses.ts";
import { MAP_TILE_PATH } from "../../contract/map.ts";
import { ACCESS_TOKEN_PATH, CLIENT_SECRET_PATH, REVOCATION_PATH } from "../../contract/oauth.ts";
import { MOST_WRITTEN_LINES } from "../../contract/parameters.ts";
import { PROPOSE_PATH } from "../../contract/proposals.ts";
import { MOST_LINES, MOST_LOOKUP_LINES, VENUES_MATCH_PATH } from "../../contract/search-parameters.ts";
import { DEMO_PAGE, demoNote } from "../sample/remove.ts";
import type { AuthDeps } from "./base/session.ts";
import { OPERATOR_PAGE } from "./operator/decision-form.ts";

/** RFC 8414 (ours). The only response of this host that scripts of any origin may read (attacks B40). */
export async function showMetadata(deps: AuthDeps, _request: FastifyRequest, reply: FastifyReply) {
  const { auth, api } = deps.config;
  reply.headers({
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "public, max-age=3600",
  });
  const demo = (await demoNote(deps)) && { demo_data_page: auth.url + DEMO_PAGE };
  return reply.send({ ...metadataOf(auth.url, api.url), ...demo });
}

export function metadataOf(authUrl: string, apiUrl: string) {
  const clientAuthentication = ["client_secret_basic", "client_secret_post"];
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth2/authenticate`,
    token_endpoint: authUrl + ACCESS_TOKEN_PATH,
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint: authUrl + REVOCATION_PATH,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    response_types_supported: ["code", "token"],
    response_modes_supported: ["query", "fragment"],
    grant_types_supported: ["authorization_code", "implicit"],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["login"],
    client_secret_endpoint: authUrl + CLIENT_SECRET_PATH,
    address_locate_endpoint: apiUrl + LOCATE_PATH,
    map_tile_endpoint: apiUrl + MAP_TILE_PATH,
    venue_match_endpoint: `${apiUrl}${VENUES_MATCH_PATH}`,
    venue_match_lines: MOST_LINES,
    operator_page: authUrl + OPERATOR_PAGE,
    venue_propose_endpoint: apiUrl + PROPOSE_PATH,
    venue_lookup_lines: MOST_LOOKUP_LINES,
    venue_add_lines: MOST_WRITTEN_LINES,
    venue_annotate_lines: MOST_WRITTEN_LINES,
    venue_delete_lines: MOST_WRITTEN_LINES,
    idempotency_keys_supported: true,
    service_documentation: `${apiUrl}/docs`,
  };
}
