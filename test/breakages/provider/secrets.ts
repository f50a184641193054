import type { Breakage } from "../breakage.ts";

const AUTHORIZE = "src/directory/auth/authorize.ts";
const FRESH_LOGIN = "src/directory/auth/fresh-login.ts";
const SECRETS = "src/directory/secrets.ts";
const CREDENTIALS = "test/directory/auth/client-secret-credentials.test.ts";
const ENDPOINT = "src/directory/auth/client-secret.ts";

/** Group B, fresh log-ins. */
const freshLogins: Breakage[] = [
  {
    breaks: "who has consented is sent straight back, whatever was asked for",
    file: AUTHORIZE,
    find: " && !request.freshLogin)\n    return sendBack",
    replace: ")\n    return sendBack",
  },
  {
    breaks: "who is signed in is shown the consent page at once",
    file: AUTHORIZE,
    find: "if (user && !request.freshLogin)",
    replace: "if (user)",
  },
  {
    breaks: "any session answers a request for a fresh log-in",
    file: FRESH_LOGIN,
    find: "data->>'loggedInFor' = $2",
    replace: "$2 <> ''",
  },
  {
    breaks: "a log-in for something else is good enough, if it is later than the request",
    file: FRESH_LOGIN,
    find: "data->>'loggedInFor' = $2",
    replace: "created_at > (SELECT created_at FROM directory.authorization_request WHERE id = $2)",
  },
  {
    breaks: "the form says whether the password is needed",
    file: "src/directory/auth/consent.ts",
    find: "await whoAnswers(deps, call, waiting);",
    replace:
      'await whoAnswers(deps, call, isGet || textField(call.body, "fresh_login") ? waiting : { ...waiting, freshLogin: false });',
  },
  {
    test: "test/directory/auth/time.test.ts",
    breaks: "the code says when it was made, and not when the password was given",
    file: FRESH_LOGIN,
    find: 'SELECT created_at AS "authTime"',
    replace: 'SELECT clock_timestamp() AS "authTime"',
  },
  {
    test: "test/directory/auth/time.test.ts",
    breaks: "every answer of the exchange has a time",
    file: "src/directory/auth/access-token.ts",
    find: "(authTime ? { auth_time: Math.floor(authTime.getTime() / 1000) } : {});",
    replace: "({ auth_time: Math.floor((authTime ?? new Date()).getTime() / 1000) });",
  },
].map((breakage) => ({ id: "B20", test: "test/directory/auth/fresh-login.test.ts", ...breakage }));

/** Group B, what an application can do about its own secrets. */
const ownSecrets: Breakage[] = [
  {
    id: "B17",
    test: CREDENTIALS,
    breaks: "the secret may stand in the address",
    file: ENDPOINT,
    find: 'if (["client_id", "client_secret", "overlap"].some((name) => name in query))',
    replace: "Object.assign(fields, query);\n  if (query.none)",
  },
  {
    id: "B36",
    breaks: "the current secret works on, and not the one of the call: a lost answer locks the application out",
    file: SECRETS,
    find: "usedSecret === undefined ? current : stillLive(live, usedSecret)",
    replace: "current",
  },
  {
    id: "B36",
    breaks: "a secret that runs out overthrows the one in use",
    file: SECRETS,
    find: "if (previous?.id !== current?.id && current?.lastUsedAt)",
    replace: 'if (previous?.id !== current?.id && clientId === "")',
  },
  {
    id: "B36",
    breaks: "a secret that runs out lives longer for each call",
    file: SECRETS,
    find: "least(expires_at, ${NOW} + make_interval(secs => ${overlapSeconds}::float8))",
    replace: "${NOW} + make_interval(secs => ${overlapSeconds}::float8)",
  },
  {
    id: "B36",
    breaks: "of two rotations at once both read first, then write",
    file: SECRETS,
    find: " FOR UPDATE`",
    replace: "`",
  },
  {
    id: "B36",
    breaks: "an older secret ends the one in use",
    file: SECRETS,
    find: '    if (expiresAt !== null) throw new KnownError(409, "invalid_request", NOT_CURRENT);\n',
    replace: '    if (expiresAt === undefined) throw new KnownError(409, "invalid_request", NOT_CURRENT);\n',
  },
  {
    id: "B36",
    breaks: "the others end in an hour",
    file: SECRETS,
    find: "SET expires_at = ${NOW}\n       WHERE",
    replace: "SET expires_at = ${NOW} + interval '1 hour'\n       WHERE",
  },
  {
    id: "B36",
    test: CREDENTIALS,
    breaks: "a secret that has ended still rotates, for a call that waited for its turn",
    file: SECRETS,
    find: 'if (!secret) throw new KnownError(400, "invalid_client", "this client secret has just ended");\n  return secret;',
    replace: "return secret ?? { id, expiresAt: null };",
  },
  {
    id: "B39",
    test: CREDENTIALS,
    breaks: "every application changes its own secret, whatever its owner says",
    file: ENDPOINT,
    find: "if (client.rotatesItself) return",
    replace: "if (client) return",
  },
].map((breakage) => ({ test: "test/directory/auth/client-secret.test.ts", ...breakage }));

/** HEAD on the auth host. */
const heads: Breakage[] = [
  {
    id: "C13",
    breaks: "HEAD hands out a code",
    file: "src/directory/auth/routes.ts",
    find: "const handsOver = { answersHead: false } as const;",
    replace: "const handsOver = {} as const;",
  },
  {
    id: "B38",
    breaks: "HEAD takes the new secret away that nobody has seen",
    file: "src/directory/auth/applications/once.ts",
    find: '  if (request.method === "HEAD") return undefined; // nobody sees the page\n',
    replace: "",
  },
].map((breakage) => ({ test: "test/directory/auth/head.test.ts", ...breakage }));

/** Group B, and HEAD of group C: rotation by the application itself, fresh log-ins. */
export const secretBreakages: Breakage[] = [...freshLogins, ...ownSecrets, ...heads];
