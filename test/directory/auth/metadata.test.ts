import { expect, it } from "vitest";
import { authHost, authorizePath } from "./auth-host.ts";

const host = await authHost();
const PATH = "/.well-known/oauth-authorization-server";

it("the metadata names all endpoints and features (RFC 8414)", async () => {
  const reply = await fetch(host.url + PATH);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(reply.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(await reply.json()).toEqual({
    issuer: host.url,
    authorization_endpoint: `${host.url}/oauth2/authenticate`,
    token_endpoint: `${host.url}/oauth2/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    revocation_endpoint: `${host.url}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    response_types_supported: ["code", "token"],
    response_modes_supported: ["query", "fragment"],
    grant_types_supported: ["authorization_code", "implicit"],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["login"],
    client_secret_endpoint: `${host.url}/oauth2/client_secret`,
    address_locate_endpoint: "http://localhost:3002/v2/addresses/locate",
    map_tile_endpoint: "http://localhost:3002/v2/map/tile",
    operator_page: `${host.url}/operator`,
    venue_propose_endpoint: "http://localhost:3002/v2/venues/propose",
    venue_match_endpoint: "http://localhost:3002/v2/venues/match",
    venue_match_lines: 5000,
    venue_lookup_lines: 5000,
    venue_add_lines: 500,
    venue_annotate_lines: 500,
    venue_delete_lines: 500,
    idempotency_keys_supported: true,
    service_documentation: "http://localhost:3002/docs",
  });
});

it("the metadata names addresses that answer", async () => {
  const metadata = (await (await fetch(host.url + PATH)).json()) as Record<string, string>;
  const { clientId } = await host.application();
  const { pathname, search } = new URL(authorizePath(clientId), host.url);
  expect(new URL(metadata.authorization_endpoint ?? "").pathname).toBe(pathname);
  expect((await fetch(metadata.authorization_endpoint + search)).status).toBe(200);
  for (const endpoint of [metadata.token_endpoint, metadata.revocation_endpoint, metadata.client_secret_endpoint]) {
    const reply = await fetch(endpoint ?? "", { method: "POST", body: new URLSearchParams({ token: "x" }) });
    expect(await reply.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  }
});
