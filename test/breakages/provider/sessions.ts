import type { Breakage } from "../breakage.ts";

const LISTED = "test/directory/auth/account/sessions.test.ts";

/** Group B, sessions of the auth host: B28. */
export const sessionBreakages: Breakage[] = [
  {
    id: "B28",
    breaks: "a log-in continues the previous session",
    file: "src/http/sessions/sessions.ts",
    find: 'await request.session.regenerate(request.session.owner === owner ? ["formSecret", ...keep] : []);',
    replace: "void keep;",
    test: "test/attacks/provider/directory-sessions.test.ts",
  },
  {
    id: "B28",
    breaks: "of two session cookies the first counts",
    file: "src/http/sessions/sessions.ts",
    find: "cookiesNamed(name, request.headers.cookie).length > 1",
    replace: "cookiesNamed(name, request.headers.cookie).length > 2",
    test: "test/attacks/provider/directory-sessions.test.ts",
  },
  {
    id: "B28",
    breaks: "an ended session is deleted, so a request in flight can store it again",
    file: "src/http/sessions/session-store.ts",
    find: "text: `UPDATE ${table}.session SET ended_at = now(), data = '{}' WHERE id_hash = $1 AND ended_at IS NULL`",
    replace: "text: `DELETE FROM ${table}.session WHERE id_hash = $1`",
    test: "test/attacks/provider/directory-sessions.test.ts",
  },
  {
    id: "B28",
    breaks: "a form without a session needs no token",
    file: "src/http/pages/forms.ts",
    find: "if (secret !== undefined && tokens.verify",
    replace: "if (secret === undefined || tokens.verify",
    test: "test/attacks/provider/directory-sessions.test.ts",
  },
  {
    id: "B28",
    breaks: "sessions can be ended without the password",
    file: "src/directory/auth/account/own-sessions.ts",
    find: "(await checkPassword(deps, user.handle, password)) !== undefined;",
    replace: "true;",
    test: LISTED,
  },
  {
    id: "B28",
    breaks: "another user's session can be ended by its public id",
    file: "src/http/sessions/session-store.ts",
    find: "WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND ${PUBLIC_ID} = $2",
    replace: "WHERE $1::text <> '' AND ended_at IS NULL AND ${PUBLIC_ID} = $2",
    test: LISTED,
  },
  {
    id: "B28",
    breaks: "a session keeps its id after the password was entered",
    file: "src/directory/auth/account/own-sessions.ts",
    find: "  await signIn(reply, user.id);\n",
    replace: "",
    test: LISTED,
  },
  {
    id: "B28",
    breaks: "the current password can be guessed without limit",
    file: "src/directory/auth/account/current-password.ts",
    find: "await brake.count(id, call)",
    replace: "await brake.check(id, call)",
    test: LISTED,
  },
];
