import type { Breakage } from "../breakage.ts";

const SECRETS = "test/directory/auth/applications/secrets.test.ts";

/** Group B, tokens, connections and secrets: B31 to B36, B38, B39. */
export const connectionBreakages: Breakage[] = [
  {
    id: "B31",
    breaks: "every authorization replaces the token",
    file: "src/directory/tokens.ts",
    find: "token_lookup = coalesce(a.token_lookup, ${lookup}), token_sealed = coalesce(a.token_sealed, ${sealed})",
    replace: "token_lookup = ${lookup}, token_sealed = ${sealed}",
    test: "test/attacks/provider/connections.test.ts",
  },
  {
    id: "B32",
    breaks: "disconnecting one application disconnects all",
    file: "src/directory/tokens.ts",
    find: "DELETE FROM directory.authorization WHERE user_id = $1 AND client_id = $2",
    replace: "DELETE FROM directory.authorization WHERE user_id = $1 AND $2 <> ''",
    test: "test/attacks/provider/connections.test.ts",
  },
  {
    id: "B33",
    breaks: "a disconnected application keeps its token",
    file: "src/directory/tokens.ts",
    find: "DELETE FROM directory.authorization WHERE user_id = $1 AND client_id = $2",
    replace: "UPDATE directory.authorization SET created_at = now() WHERE user_id = $1 AND client_id = $2",
    test: "test/attacks/provider/connections.test.ts",
  },
  {
    id: "B33",
    breaks: "pending codes survive a disconnection",
    file: "src/directory/tokens.ts",
    find: "WITH codes AS (DELETE FROM directory.authorization_code WHERE user_id = $1 AND client_id = $2)",
    replace: "WITH codes AS (SELECT)",
    test: "test/attacks/provider/connections.test.ts",
  },
  {
    id: "B33",
    breaks: "each instance caches the owner of a token",
    file: "src/directory/endpoint/credentials.ts",
    find: "const caller = await findToken(deps, token, call);",
    replace: `const seen = ((deps.pool as unknown as { seen?: Map<string, never> }).seen ??= new Map());
  const caller = seen.get(token) ?? (await findToken(deps, token, call));
  if (caller) seen.set(token, caller as never);`,
    test: "test/attacks/provider/connections.test.ts",
  },
  {
    id: "B34",
    breaks: "an application can revoke other applications' tokens",
    file: "src/directory/tokens.ts",
    find: "const where = { clientId, tokenLookup:",
    replace: "const where = { tokenLookup:",
    test: "test/directory/auth/client/revocation.test.ts",
  },
  {
    id: "B34",
    breaks: "a token is revoked without the client secret",
    file: "src/directory/auth/client/authentication.ts",
    find: 'await deps.authenticateClient(request, [bodyOf(request)], "invalid_client")',
    replace: "{ clientId: String(bodyOf(request).client_id) } as VerifiedClient",
    test: "test/directory/auth/client/revocation.test.ts",
  },
  {
    id: "B35",
    breaks: "an old secret never expires",
    file: "src/directory/applications/verify-client.ts",
    find: " AND (s.expires_at IS NULL OR s.expires_at > now())",
    replace: "",
    test: SECRETS,
  },
  {
    id: "B35",
    breaks: "the owner is not told that an old secret is still used",
    file: "src/directory/auth/applications/page.ts",
    find: "lastUsedAt > current.createdAt",
    replace: "false",
    test: SECRETS,
  },
  {
    id: "B36",
    breaks: "a rotation does not end an older secret",
    file: "src/directory/applications/secrets.ts",
    find: "ELSE ${NOW} END",
    replace: "ELSE expires_at END",
    test: SECRETS,
  },
  {
    id: "B36",
    breaks: "a secret that was ended works for another minute",
    file: "src/directory/applications/secrets.ts",
    find: "least(expires_at, date_trunc('milliseconds', clock_timestamp()))",
    replace: "least(expires_at, clock_timestamp() + interval '1 minute')",
    test: SECRETS,
  },
  {
    id: "B38",
    breaks: "a new secret is shown at every visit",
    file: "src/directory/auth/applications/once.ts",
    find: "  request.session.newSecret = undefined;\n",
    replace: "",
    test: "test/directory/auth/applications/secret-once.test.ts",
  },
  {
    id: "B39",
    breaks: "every user who knows its id can manage an application",
    file: "src/directory/auth/applications/owned.ts",
    find: "if (application?.ownerId !== user.id) throw",
    replace: "if (!application) throw",
    test: "test/directory/auth/applications/access.test.ts",
  },
];
