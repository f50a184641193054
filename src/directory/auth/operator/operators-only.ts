import type { FastifyRequest } from "fastify";
import type { Guard } from "../../../http/routes.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { notFound } from "../../../shared/errors.ts";
import type { DirectoryDeps } from "../../deps.ts";
import type { AuthDeps } from "../session/deps.ts";
import { type Own, users } from "../session/guards.ts";

/** Other users get 404. */
export const operators: Guard<AuthDeps, Own> = (deps, handler) =>
  users(deps, (_deps, request, reply, own) => {
    if (!own.user.isOperator) throw notFound();
    return handler(deps, request, reply, own);
  });

export async function isFreshLogin(
  { pool }: Pick<DirectoryDeps, "pool">,
  { session }: FastifyRequest,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is-fresh-login",
    text: `SELECT FROM directory.session
            WHERE id_hash = $1 AND user_id IS NOT NULL AND created_at > now() - interval '10 minutes'`,
    values: [sha256(session.sessionId)],
  });
  return rowCount === 1;
}
