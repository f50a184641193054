import type { Breakage } from "../breakage.ts";

const AUTHORIZE = "src/directory/auth/authorize.ts";
const FRESH_LOGIN = "src/directory/auth/fresh-login.ts";
const SECRETS = "src/directory/applications/secrets.ts";
const CREDENTIALS = "test/directory/auth/client/secret-credentials.test.ts";
const ENDPOINT = "src/directory/auth/client/secret.ts";

/** Group B, fresh log-ins. */
const freshLogins: Breakage[] = [
  {
    breaks: "a user who has consented is redirected without a fresh log-in",
    file: AUTHORIZE,
    find: " && !request.freshLogin)\n    return sendBack",
    replace: ")\n    return sendBack",
  },
  {
    breaks: "a logged-in user gets the consent page without a fresh log-in",
    file: AUTHORIZE,
    find: "if (user && !request.freshLogin)",
    replace: "if (user)",
  },
  {
    breaks: "any session counts as a fresh log-in",
    file: FRESH_LOGIN,
    find: "data->>'loggedInFor' = $2",
    replace: "$2 <> ''",
  },
  {
    breaks: "a later log-in for something else counts as a fresh log-in",
    file: FRESH_LOGIN,
    find: "data->>'loggedInFor' = $2",
    replace: "created_at > (SELECT created_at FROM directory.authorization_request WHERE id = $2)",
  },
  {
    breaks: "the form decides whether the password is required",
    file: "src/directory/auth/consent.ts",
    find: "await whoAnswers(deps, call, waiting);",
    replace:
      'await whoAnswers(deps, call, isGet || textField(call.body, "fresh_login") ? waiting : { ...waiting, freshLogin: false });',
  },
  {
    test: "test/directory/auth/time.test.ts",
    breaks: "auth_time is the time of the code instead of the password",
    file: FRESH_LOGIN,
    find: 'SELECT created_at AS "authTime"',
    replace: 'SELECT clock_timestamp() AS "authTime"',
  },
  {
    test: "test/directory/auth/time.test.ts",
    breaks: "every token response contains auth_time",
    file: "src/directory/auth/client/access-token.ts",
    find: "(authTime ? { auth_time: Math.floor(authTime.getTime() / 1000) } : {});",
    replace: "({ auth_time: Math.floor((authTime ?? new Date()).getTime() / 1000) });",
  },
].map((breakage) => ({ id: "B20", test: "test/directory/auth/log-in/fresh-login.test.ts", ...breakage }));

/** Group B, an application's calls for its own secrets. */
const ownSecrets: Breakage[] = [
  {
    id: "B17",
    test: CREDENTIALS,
    breaks: "the client secret is accepted in the query",
    file: ENDPOINT,
    find: 'if (["client_id", "client_secret", "overlap"].some((name) => name in query))',
    replace: "Object.assign(fields, query);\n  if (query.none)",
  },
  {
    id: "B36",
    breaks:
      "a rotation keeps the current secret instead of that of the call, so a lost response locks the application out",
    file: SECRETS,
    find: "usedSecret === undefined ? current : stillLive(live, usedSecret)",
    replace: "current",
  },
  {
    id: "B36",
    breaks: "an expiring secret can replace a current one that is in use",
    file: SECRETS,
    find: "if (previous?.id !== current?.id && current?.lastUsedAt)",
    replace: 'if (previous?.id !== current?.id && clientId === "")',
  },
  {
    id: "B36",
    breaks: "each call extends the life of an expiring secret",
    file: SECRETS,
    find: "least(expires_at, ${NOW} + make_interval(secs => ${overlapSeconds}::float8))",
    replace: "${NOW} + make_interval(secs => ${overlapSeconds}::float8)",
  },
  {
    id: "B36",
    breaks: "two concurrent rotations read before either writes",
    file: SECRETS,
    find: " FOR UPDATE`",
    replace: "`",
  },
  {
    id: "B36",
    breaks: "an older secret can end the current one",
    file: SECRETS,
    find: '    if (expiresAt !== null) throw new KnownError(409, "invalid_request", NOT_CURRENT);\n',
    replace: '    if (expiresAt === undefined) throw new KnownError(409, "invalid_request", NOT_CURRENT);\n',
  },
  {
    id: "B36",
    breaks: "the other secrets end after an hour",
    file: SECRETS,
    find: "SET expires_at = ${NOW}\n       WHERE",
    replace: "SET expires_at = ${NOW} + interval '1 hour'\n       WHERE",
  },
  {
    id: "B36",
    test: CREDENTIALS,
    breaks: "a secret that ended while the call waited can still rotate",
    file: SECRETS,
    find: 'if (!secret) throw new KnownError(400, "invalid_client", "this client secret has just ended");\n  return secret;',
    replace: "return secret ?? { id, expiresAt: null };",
  },
  {
    id: "B39",
    test: CREDENTIALS,
    breaks: "every application can change its own secret without its owner's permission",
    file: ENDPOINT,
    find: "if (client.rotatesItself) return",
    replace: "if (client) return",
  },
].map((breakage) => ({ test: "test/directory/auth/client/secret.test.ts", ...breakage }));

/** HEAD on the auth host. */
const heads: Breakage[] = [
  {
    id: "C13",
    breaks: "HEAD issues a code",
    file: "src/directory/auth/routes.ts",
    find: "const handsOver = { answersHead: false } as const;",
    replace: "const handsOver = {} as const;",
  },
  {
    id: "B38",
    breaks: "HEAD uses up the display of a new secret",
    file: "src/directory/auth/applications/once.ts",
    find: '  if (request.method === "HEAD") return undefined; // HEAD shows no page\n',
    replace: "",
  },
].map((breakage) => ({ test: "test/directory/auth/head.test.ts", ...breakage }));

export const secretBreakages: Breakage[] = [...freshLogins, ...ownSecrets, ...heads];
